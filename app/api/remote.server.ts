/** Calls the API of another machine or school over HTTP, if API_BASE_URL is set. */
import { clientAddressHeader } from '#server/platform/calls/client-address.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { currentRequest } from '#server/platform/monitoring/current-request.ts';
import { traceparentOf } from '#server/platform/monitoring/traces.ts';

export const remoteUrl = setting('API_BASE_URL').replace(/\/$/, '') || undefined;
/** Timeouts in milliseconds. Uploads get at least ten minutes, for slow lines. */
const timeout = setting('API_TIMEOUT');
const uploadTimeout = Math.max(timeout, 600_000);

/** Sends a request to the remote API. Rejects if it cannot be reached in time. */
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
    body: request.body && uncancelledBody(request.body),
    // Node requires `duplex` for a streamed body.
    ...(request.body ? { duplex: 'half' } : {}),
    redirect: 'manual',
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(isUpload(headers) ? uploadTimeout : timeout)]),
  } as RequestInit);
  // Copies the headers. The body is already decoded, so some no longer apply; and middleware could not change the
  // headers of a fetched response.
  const answered = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection']) answered.delete(name);
  return new Response(response.body, { status: response.status, headers: answered });
}

const isUpload = (headers: Headers) => (headers.get('content-type') ?? '').startsWith('multipart/');

/**
 * Wraps the browser's body while it is forwarded. If the API responds early, fetch cancels the wrapper only. The
 * browser's body must stay open, because the response uses the same connection.
 */
function uncancelledBody(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
