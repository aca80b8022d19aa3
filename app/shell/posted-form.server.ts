/**
 * Limits of posted forms. Each body is counted while it is read and before it is parsed, so no action gets more than
 * its page needs. Forms with files are not read here; only few pages take them.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext, data, type MiddlewareFunction } from 'react-router';
import { callMessages } from '#server/platform/calls/rules.ts';
import type { Addressable, ScreenOptions } from '../lib/address.ts';
import type { RequestContext } from './form-request.ts';
import { isApi } from './screens.ts';
import { getSession } from './session.server.ts';

/**
 * Maximum bytes of a form without files. The large limit is for forms that carry others: publishing carries questions,
 * sign-in a form that was posted earlier.
 */
const formLimit = 1024 * 1024;
const largeFormLimit = 2 * 1024 * 1024;

/** Maximum fields per form. Each costs memory, and an element in the page that shows them again. */
export const maxFields = 5_000;

type DeclaredScreen = Addressable & ScreenOptions;
const isDeclared = (value: unknown): value is DeclaredScreen =>
  typeof value === 'object' && value !== null && 'places' in value;
const declared = Object.values(import.meta.glob<object>('../*/screens.ts', { eager: true }))
  .flatMap((subject) => Object.values(subject))
  .filter(isDeclared);
const pagesWith = (option: 'files' | 'largeForm'): ReadonlySet<string> =>
  new Set(declared.flatMap((one) => (one[option] ? one.places.map(({ pattern }) => pattern) : [])));

/** Pages by the options that they declare. */
const takesFiles = pagesWith('files');
const takesLargeForms = pagesWith('largeForm');

export const formTooLarge = () => data({ msg: callMessages.tooLarge }, { status: 413 });
export const filesNotAccepted = () => data({ msg: '此页面不接受文件' }, { status: 415 });
/** Error page (415) for a body that no form of a browser would send. */
export const notAForm = () => data({ msg: '提交的内容不是表单，请刷新页面后重试' }, { status: 415 });

const typeOf = (request: Request) => (request.headers.get('content-type') ?? '').trim().toLowerCase();
export const isMultipart = (request: Request) => typeOf(request).startsWith('multipart/');

/** Fields of the posted form. Error pages show them, so that nothing typed is lost. */
export const postedContext = createContext<[string, string][] | null>(null);

/** Posted fields that may be shown again. Leaves out passwords. */
export function repostableFields(context: RequestContext): [string, string][] | undefined {
  return context.get(postedContext)?.filter(([name]) => !/password/i.test(name));
}

/**
 * Enforces the limits and keeps the fields for the error page. Runs after the session middleware, because fields are
 * kept only for their owner.
 */
export const postedMiddleware: MiddlewareFunction<Response> = async ({ request, context, url, pattern }, next) => {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD' && request.body !== null;
  if (!hasBody || isApi(url)) return next();
  const session = getSession(context);
  const page = pattern.replace(/^\/?/, '/');
  const isKnown = session.has('token') || session.has('learner') || session.has('left');
  if (isMultipart(request)) {
    if (!takesFiles.has(page)) throw filesNotAccepted();
    // Files cannot be kept. The user must choose them again after sign-in.
    if (!isKnown) throw data({ msg: callMessages.expired }, { status: 401 });
    return next();
  }
  const text = await bodyWithin(request, isKnown && takesLargeForms.has(page) ? largeFormLimit : formLimit);
  // Yields to the event loop: megabytes are read, parsed and used in separate turns.
  if (text.length > formLimit) await nextTurn();
  if (typeOf(request).startsWith('application/x-www-form-urlencoded')) {
    const fields = splitFields(text);
    if (isKnown && request.method === 'POST') context.set(postedContext, fields);
    if (text.length > formLimit) await nextTurn();
  }
  return next();
};

/** Returns the body as text, up to `most` bytes. Reads a copy, so the action can still read the request. */
async function bodyWithin(request: Request, most: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw formTooLarge();
  const reader = (request.clone().body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString('utf8');
    size += value.byteLength;
    // Does not cancel the reader: that would close the connection before the response is sent.
    if (size > most) throw formTooLarge();
    chunks.push(value);
  }
}

/** Parses `a=1&b=2`. Counts the fields first. */
export function splitFields(text: string): [string, string][] {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    count += 1;
    if (count > maxFields) throw formTooLarge();
  }
  return [...new URLSearchParams(text)];
}
