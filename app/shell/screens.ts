import { screen } from '../lib/screen.ts';

export const home = screen('Workbench', '/');
/** What an administrator begins with. */
export const administration = screen('Administration', '/admin');
export const appearance = screen('shell/appearance', '/appearance');
/** Every key that does something, by screen. */
export const shortcuts = screen('Shortcuts', '/shortcuts');
/** The school's own; what follows the address tells one from the next. */
export const schoolLogo = screen('shell/logo', '/logo');
/** Which browsers do what: for who uses one that is too old for something, signed in or not. */
export const browsers = screen('Browsers', '/browsers');
export const notFound = screen('shell/not-found', '*');

/** Everything below is the API's. */
export const apiCalls = screen('api', '/api/*');
/** What other systems read by OneRoster. */
export const rosterCalls = screen('ims', '/ims/*');
export const isApi = ({ pathname }: URL) => apiCalls.covers(pathname) || rosterCalls.covers(pathname);
/** For who watches over the server: it runs, and it can answer. */
export const healthz = screen('healthz', '/healthz');
export const readyz = screen('readyz', '/readyz');
export const metrics = screen('metrics', '/metrics');
