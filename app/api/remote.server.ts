/** Another machine's or another school's API, over HTTP: where API_BASE_URL names one. */
import { clientAddressHeader } from '#server/platform/calls/client-address.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { currentRequest } from '#server/platform/monitoring/current-request.ts';
import { traceparentOf } from '#server/platform/monitoring/traces.ts';

export const remote = setting('API_BASE_URL').replace(/\/$/, '') || undefined;
/** Milliseconds that another machine's API may take; with files as long as a slow line needs for them. */
const timeout = setting('API_TIMEOUT');
const uploadTimeout = Math.max(timeout, 600_000);

/** Rejects when it cannot be reached in time. */
export async function fetchRemote(base: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.delete('host');
  const span = currentRequest()?.span;
  if (span) headers.set('traceparent', traceparentOf(span));
  headers.set('x-forwarded-for', headers.get(clientAddressHeader) ?? '');
  const response = await fetch(`${base}${pathname}${search}`, {
    method: request.method,
    headers,
    body: request.body && untouched(request.body),
    // Needed by Node for a streamed body.
    ...(request.body ? { duplex: 'half' } : {}),
    redirect: 'manual',
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(isUpload(headers) ? uploadTimeout : timeout)]),
  } as RequestInit);
  // The body arrives decoded, and the middleware adds headers of its own, which a fetched answer does not allow.
  const answered = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection']) answered.delete(name);
  return new Response(response.body, { status: response.status, headers: answered });
}

const isUpload = (headers: Headers) => (headers.get('content-type') ?? '').startsWith('multipart/');

/**
 * A body to be handed on. Whoever answers before it has come to its end gives it up; the browser's own must not be cut
 * off then, for the answer goes that way.
 */
function untouched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
