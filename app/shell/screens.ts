import { screen } from '../lib/screen.ts';

export const home = screen('Workbench', '/', '../workbench/home');
export const administration = screen('Administration', '/admin', '../workbench/administration');
export const appearance = screen('shell/appearance', '/appearance', 'appearance.ts', {}, { bare: true });
export const shortcuts = screen('Shortcuts', '/shortcuts', '../help/shortcuts');
/** The school's own logo; a query distinguishes versions. */
export const schoolLogo = screen('shell/logo', '/logo', 'logo.ts', {}, { bare: true });
/** Supported browsers, for users of an old one, signed in or not. */
export const supportedBrowsers = screen('Browsers', '/browsers', 'browsers', {}, { bare: true });
/** A missing static file: existing ones are served before routing. */
export const missingFile = screen('shell/missing-file', '/static/*', 'missing-file.ts', {}, { bare: true });
export const notFound = screen('shell/not-found', '*', 'not-found');

/** The API handles everything below. */
export const apiCalls = screen('api', '/api/*', 'api.ts', {}, { bare: true });
/** OneRoster, for other systems. */
export const rosterCalls = screen('ims', '/ims/*', 'api.ts', {}, { bare: true });
export const isApi = ({ pathname }: URL) => apiCalls.covers(pathname) || rosterCalls.covers(pathname);
/** For monitoring: liveness and readiness. */
export const healthz = screen('healthz', '/healthz', 'api.ts', {}, { bare: true });
export const readyz = screen('readyz', '/readyz', 'api.ts', {}, { bare: true });
export const metrics = screen('metrics', '/metrics', 'api.ts', {}, { bare: true });
