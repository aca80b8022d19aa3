import { screen } from '../lib/screen.ts';

export const home = screen('Workbench', '/', '../workbench/home');
export const administration = screen('Administration', '/admin', '../workbench/administration');
export const appearance = screen('shell/appearance', '/appearance', 'appearance.ts', {}, { bare: true });
export const shortcuts = screen('Shortcuts', '/shortcuts', '../help/shortcuts');
/** The school's own logo. The query changes with each version. */
export const schoolLogo = screen('shell/logo', '/logo', 'logo.ts', {}, { bare: true });
/** Page with the supported browsers, for users of an old one, signed in or not. */
export const supportedBrowsers = screen('Browsers', '/browsers', 'browsers', {}, { bare: true });
/** Address of a static file that does not exist: existing files are served before routing. */
export const fileNotFound = screen('shell/missing-file', '/static/*', 'missing-file.ts', {}, { bare: true });
export const notFound = screen('shell/not-found', '*', 'not-found');

/** Address under which the API handles everything. */
export const apiCalls = screen('api', '/api/*', 'api.ts', {}, { bare: true });
/** OneRoster calls, for other systems. */
export const rosterCalls = screen('ims', '/ims/*', 'api.ts', {}, { bare: true });
export const isApi = ({ pathname }: URL) => apiCalls.covers(pathname) || rosterCalls.covers(pathname);
/** Addresses for monitoring: liveness, readiness and metrics. */
export const healthz = screen('healthz', '/healthz', 'api.ts', {}, { bare: true });
export const readyz = screen('readyz', '/readyz', 'api.ts', {}, { bare: true });
export const metrics = screen('metrics', '/metrics', 'api.ts', {}, { bare: true });
