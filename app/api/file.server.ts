/** Streams files from the API to the browser. */
import { data } from 'react-router';
import { unreachableMessage } from './outcome.server.ts';
import { apiFetch } from './process.server.ts';

const fileHeaders = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-range',
  'content-security-policy',
  'accept-ranges',
  'etag',
  'cache-control',
  'cross-origin-resource-policy',
];

/** Request headers that select a part of the file or make the request conditional. */
const forwardedHeaders = ['range', 'if-range', 'if-none-match'];

/**
 * Requests a file with the user's headers and the range headers of `from`, the browser's request. A refusal becomes the
 * error page. Callers handle 401.
 */
export async function fetchFile(address: string, headers: Record<string, string>, from: Request): Promise<Response> {
  const sent = new Headers(headers);
  // Asks for the uncompressed file: if a proxy compressed it, its Content-Length would be wrong.
  sent.set('accept-encoding', 'identity');
  for (const name of forwardedHeaders) {
    const value = from.headers.get(name);
    if (value !== null) sent.set(name, value);
  }
  const response = await apiFetch(new Request(address, { headers: sent })).catch(() => undefined);
  if (!response) throw data({ msg: unreachableMessage }, { status: 503 });
  if (response.status === 401) return response;
  if (response.status >= 400 && response.status !== 416) {
    const refusal = (await response.json().catch(() => undefined)) as { msg?: string } | undefined;
    throw data({ msg: refusal?.msg ?? unreachableMessage }, { status: response.status });
  }
  const kept = new Headers();
  for (const name of fileHeaders) {
    const value = response.headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return new Response(response.body, { status: response.status, headers: kept });
}
