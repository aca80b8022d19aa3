import { screen } from '../lib/screen.ts';

export const home = screen('Workbench', '/', '../workbench/home');
/** What an administrator begins with. */
export const administration = screen('Administration', '/admin', '../workbench/administration');
export const appearance = screen('shell/appearance', '/appearance', 'appearance.ts', {}, { bare: true });
/** Every key that does something, by screen. */
export const shortcuts = screen('Shortcuts', '/shortcuts', '../help/shortcuts');
/** The school's own; what follows the address tells one from the next. */
export const schoolLogo = screen('shell/logo', '/logo', 'logo.ts', {}, { bare: true });
/** Which browsers do what: for who uses one that is too old for something, signed in or not. */
export const browsers = screen('Browsers', '/browsers', 'browsers', {}, { bare: true });
/** A file that is not in the build: those that are, the server sends before any route is looked for. */
export const missingFile = screen('shell/missing-file', '/static/*', 'missing-file.ts', {}, { bare: true });
export const notFound = screen('shell/not-found', '*', 'not-found');

/** Everything below is the API's. */
export const apiCalls = screen('api', '/api/*', 'api.ts', {}, { bare: true });
/** What other systems read by OneRoster. */
export const rosterCalls = screen('ims', '/ims/*', 'api.ts', {}, { bare: true });
export const isApi = ({ pathname }: URL) => apiCalls.covers(pathname) || rosterCalls.covers(pathname);
/** For who watches over the server: it runs, and it can answer. */
export const healthz = screen('healthz', '/healthz', 'api.ts', {}, { bare: true });
export const readyz = screen('readyz', '/readyz', 'api.ts', {}, { bare: true });
export const metrics = screen('metrics', '/metrics', 'api.ts', {}, { bare: true });
