/** Test client for the built product: sends requests as a browser without client JS would, and parses the HTML. */
import { parseHTML } from 'linkedom';
import { createRequestHandler, type ServerBuild } from 'react-router';
import type { Identity } from '#server/platform/auth/rules.ts';
import { withRoutePatterns } from '#server/route-matcher.mjs';
import { asFunction } from './build.vite.ts';
import type { TestSchool } from './school.ts';

export interface Page {
  status: number;
  html: string;
  document: Document;
  /** Visible text of the page, with white space collapsed. */
  text: string;
  location: string | null;
  headers: Headers;
}

/** A browser without scripts. It keeps cookies, and sends forms with the Origin header of the page. */
export interface Visitor {
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  post(
    path: string,
    fields: Record<string, string | string[]> | [string, string][],
    headers?: Record<string, string>,
  ): Promise<Page>;
  /** Sends a form with files, as multipart/form-data. */
  postForm(path: string, form: FormData): Promise<Page>;
  /** Follows redirects until the final page. */
  follow(page: Page): Promise<Page>;
  cookies: Map<string, string>;
}

const origin = 'http://school.test';

const built = new URL('../../build/server/index.js', import.meta.url).href + asFunction;

/** Creates a fresh instance of the server build. */
export async function makeBuild<Exports>(): Promise<Exports> {
  const { make } = (await import(/* @vite-ignore */ built)) as { make(): Promise<Exports> };
  return make();
}

/** Opens the built product over a test school, or over the API at API_BASE_URL if that is set. */
export async function openApp(
  school?: Pick<TestSchool, 'services'>,
): Promise<{ visitor: () => Visitor; fetch: (request: Request) => Promise<Response> }> {
  if (school) Object.assign(globalThis, { [Symbol.for('services')]: Promise.resolve(school.services) });
  process.env.SESSION_SECRET = 'a-secret-of-the-tests-of-32-signs';
  // A build stays bound to the first school that it serves, so each school gets its own instance. Other modules are
  // shared.
  const build = await makeBuild<ServerBuild>();
  const handle = createRequestHandler(withRoutePatterns(build), process.env.NODE_ENV);
  const fetch = (request: Request) => handle(request);
  return { fetch, visitor: () => newVisitor(fetch) };
}

/** Parses the page, and returns the document and its text without scripts and styles. */
function seenOf(html: string): Pick<Page, 'document' | 'text'> {
  const { document } = parseHTML(html.startsWith('<') ? html : '<html></html>');
  for (const unseen of document.querySelectorAll('script, style')) unseen.remove();
  return { document, text: (document.documentElement?.textContent ?? '').replace(/\s+/g, ' ').trim() };
}

function newVisitor(handler: (request: Request) => Promise<Response>): Visitor {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    headers.set('host', 'school.test');
    if (cookie) headers.set('cookie', cookie);
    if (headers.get('origin') === '') headers.delete('origin');
    const response = await handler(new Request(new URL(path, origin), { ...init, headers }));
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      const ended = attributes.some((attribute) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
      if (ended) cookies.delete(name);
      else cookies.set(name, value.join('='));
    }
    const html = await response.text();
    let parsed: Pick<Page, 'document' | 'text'> | undefined;
    // Parsed only when a test reads it, because parsing is half of a page's cost in a test.
    const seenPage = () => {
      parsed ??= seenOf(html);
      return parsed;
    };
    return {
      status: response.status,
      html,
      get document() {
        return seenPage().document;
      },
      get text() {
        return seenPage().text;
      },
      location: response.headers.get('location'),
      headers: response.headers,
    };
  };
  const visitor: Visitor = {
    cookies,
    get: (path, headers) => send(path, { headers }),
    post: (path, fields, headers) => {
      const pairs = Array.isArray(fields)
        ? fields
        : Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));
      return send(path, { method: 'POST', body: new URLSearchParams(pairs), headers: { origin, ...headers } });
    },
    postForm: (path, form) => send(path, { method: 'POST', body: form, headers: { origin } }),
    async follow(page) {
      let here = page;
      while (here.location && here.status >= 300 && here.status < 400) here = await visitor.get(here.location);
      return here;
    },
  };
  return visitor;
}

/** Returns a browser that is signed in by a signed token cookie, which saves the cost of a password hash. */
export async function signInAs(
  school: TestSchool,
  app: Awaited<ReturnType<typeof openApp>>,
  name: keyof TestSchool['people'],
): Promise<Visitor> {
  const visitor = app.visitor();
  const { token, identity } = school.people[name];
  visitor.cookies.set('session', await signedSession({ token, identity }));
  return visitor;
}

/** Returns a browser whose session has ended: the signature of its cookie is valid, but the token is unknown. */
export async function expiredVisitor(app: Awaited<ReturnType<typeof openApp>>): Promise<Visitor> {
  const visitor = app.visitor();
  visitor.cookies.set('session', await signedSession({ token: 'ended'.repeat(9), identity: 'teacher' }));
  return visitor;
}

/** Returns the value of the `session` cookie of a signed-in person. */
export async function signedSession(data: { token: string; identity: Identity }): Promise<string> {
  const { createCookie, createCookieSessionStorage } = await import('react-router');
  const storage = createCookieSessionStorage({
    cookie: createCookie('session', { path: '/', secrets: ['a-secret-of-the-tests-of-32-signs'] }),
  });
  const session = await storage.getSession();
  for (const [key, value] of Object.entries(data)) session.set(key, value);
  const header = await storage.commitSession(session);
  return (header.split(';')[0] ?? '').slice('session='.length);
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" };

/** Returns the script tags of a page, without the shortcuts script that every signed-in page has. */
export const ownScripts = (page: Page): string[] =>
  page.html.match(/<script(?![^>]*(?:speculationrules|data-page-keys))[^>]*>/g) ?? [];

/** Returns the text of a textarea as a person reads it. The HTML parser does not decode entities in it. */
export const typedText = (area: Element): string =>
  (area.textContent ?? '').replace(/&(#?\w+);/g, (written, name: string) => entities[name] ?? written);

/** Returns the fields of the form that contains the button with this text, as a browser would send them. */
export function formOf(page: Page, button: string): { action: string; fields: [string, string][] } {
  const found = [...page.document.querySelectorAll('button')].find((one) => one.textContent?.trim() === button);
  const form = found?.closest('form');
  if (!found || !form) throw new Error(`no form with a button ${button}`);
  const fields: [string, string][] = [];
  for (const control of form.querySelectorAll('input, select, textarea')) {
    const name = control.getAttribute('name');
    const type = control.getAttribute('type');
    if (!name || ((type === 'checkbox' || type === 'radio') && !control.hasAttribute('checked'))) continue;
    const chosen =
      control.tagName === 'SELECT'
        ? (control.querySelector('option[selected]') ?? control.querySelector('option'))
        : control;
    fields.push([name, control.tagName === 'TEXTAREA' ? typedText(control) : (chosen?.getAttribute('value') ?? '')]);
  }
  const [name, value] = [found.getAttribute('name'), found.getAttribute('value')];
  if (name) fields.push([name, value ?? '']);
  return { action: form.getAttribute('action') ?? '', fields };
}
