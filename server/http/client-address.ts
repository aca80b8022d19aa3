/**
 * Who is calling, by address: what sign-in limits count by. The web Request that the server adapters build has
 * no socket, so the address is written into a header before any adapter sees the request; what a client itself
 * sent under that name is overwritten.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const clientAddressHeader = 'x-client-address';

let watching = false;

/** TRUST_PROXY=1: the last hop of X-Forwarded-For, for a server behind one reverse proxy. */
export function noteClientAddresses(): void {
  if (watching) return;
  watching = true;
  const behindProxy = process.env.TRUST_PROXY === '1';
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const forwarded = behindProxy
      ? String(request.headers['x-forwarded-for'] ?? '')
          .split(',')
          .at(-1)
          ?.trim()
      : '';
    request.headers[clientAddressHeader] = forwarded || request.socket.remoteAddress || '';
    response.setHeader('x-content-type-options', 'nosniff');
  });
}
