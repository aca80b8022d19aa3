/** The bytes of a file, handed on as the browser asks for them. */
import { data } from 'react-router';
import { awayMessage } from './outcome.server.ts';
import { apiFetch } from './process.server.ts';

/** What a browser needs to know of a file. */
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

/** What of the browser's request decides which bytes it gets. */
const asked = ['range', 'if-range', 'if-none-match'];

/**
 * Asks for a file with the headers of the signed-in person and what `from`, the browser's own request, says of ranges.
 * A refusal is the error page; 401 is left to whoever asked.
 */
export async function fetchFile(address: string, headers: Record<string, string>, from: Request): Promise<Response> {
  const sent = new Headers(headers);
  // What a proxy on the way compresses would no longer have the length that it says.
  sent.set('accept-encoding', 'identity');
  for (const name of asked) {
    const value = from.headers.get(name);
    if (value !== null) sent.set(name, value);
  }
  const response = await apiFetch(new Request(address, { headers: sent })).catch(() => undefined);
  if (!response) throw data({ msg: awayMessage }, { status: 503 });
  if (response.status === 401) return response;
  if (response.status >= 400 && response.status !== 416) {
    const refusal = (await response.json().catch(() => undefined)) as { msg?: string } | undefined;
    throw data({ msg: refusal?.msg ?? awayMessage }, { status: response.status });
  }
  const kept = new Headers();
  for (const name of fileHeaders) {
    const value = response.headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return new Response(response.body, { status: response.status, headers: kept });
}
