/** Serves the school's name and logo to anybody, without sign-in. */

import type { ApiRouter } from '#server/platform/calls/answer.ts';
import { envelopeResponse, refusalResponse, success } from '#server/platform/calls/envelope.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import { type Branding, brandingPath, logoPath, missingLogo } from './branding.contract.ts';
import type { Services } from './context.ts';
import { schoolLogo, schoolSettings } from './settings.ts';
import { isInhabited } from './setup-address.ts';

export function mountBranding(api: ApiRouter, { database, now }: Services): void {
  api.get(brandingPath, async () => {
    const { school_name, school_logo } = await schoolSettings(database.db, now());
    const awaits_setup = (await isInhabited(database.db)) ? 0 : 1;
    const face: Branding = { school_name, school_logo, awaits_setup };
    return envelopeResponse(success(face));
  });
  api.get(logoPath, async () => {
    const logo = await schoolLogo(database.db);
    if (!logo) return refusalResponse(missing(missingLogo));
    // The URL contains the logo's version, so browsers may cache it forever.
    const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' };
    return new Response(new Uint8Array(logo), { headers });
  });
}
