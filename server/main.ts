/** The API alone, for machines of its own: `npm run api` (screens reach it by API_BASE_URL). */
import { serve } from '@hono/node-server';
import { createApi } from '#server/api.ts';
import { sharedHouse, stopSending } from '#server/house.ts';
import { noteClientAddresses } from '#server/http/client-address.ts';

noteClientAddresses();
const house = await sharedHouse();
const api = createApi(house);
const server = serve(
  { fetch: api.fetch, port: Number(process.env.PORT ?? 3001), hostname: process.env.HOST },
  ({ port }) => {
    console.log(`API: http://localhost:${port}/api/docs`);
  },
);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close(async () => {
      await stopSending();
      await house.database.destroy();
      process.exit(0);
    });
    // Screens keep their connections open between calls: those that wait for nothing are let go at once.
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  });
}
