/** `npm run api`: serves only the API, for a machine of its own. Screens reach it by API_BASE_URL. */
import '#server/process-setup.ts';
import { serve } from '@hono/node-server';
import { createApi } from '#server/api.ts';
import { isSettingSet, setting } from '#server/platform/configuration/setting.ts';
import { sharedServices } from '#server/services.ts';

const api = createApi(await sharedServices());
serve(
  { fetch: api.fetch, port: isSettingSet('PORT') ? setting('PORT') : 3001, hostname: setting('HOST') || undefined },
  ({ port }) => {
    console.log(`API: http://localhost:${port}/api/docs`);
  },
);
