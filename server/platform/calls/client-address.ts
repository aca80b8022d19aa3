/**
 * Who is calling, by address: what sign-in limits count by. The web Request that the server adapters build has
 * no socket, so the address is written into a header before any adapter sees the request; what a client itself
 * sent under that name is overwritten. And by which address we were asked.
 */
import type { IncomingMessage } from 'node:http';
import { setting } from '#server/platform/configuration/setting.ts';

export const clientAddressHeader = 'x-client-address';

/** TRUST_PROXY=1: the last hop of X-Forwarded-For, for a server behind one reverse proxy. */
const behindProxy = setting('TRUST_PROXY');

export function noteClientAddress(request: IncomingMessage): void {
  const forwarded = behindProxy
    ? String(request.headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : '';
  request.headers[clientAddressHeader] = forwarded || request.socket.remoteAddress || '';
}

/** Where who asks has found us: what an answer that leads on begins with. */
export function originOf({ url, headers }: Request): string {
  const { protocol, host } = new URL(url);
  const forwarded = (name: string) => (behindProxy ? headers.get(name)?.split(',').at(-1)?.trim() : undefined);
  const [asked, by] = [forwarded('x-forwarded-host') || host, forwarded('x-forwarded-proto') || protocol];
  const origin = `${by.replace(/:$/, '')}://${asked}`;
  return URL.canParse(origin) ? new URL(origin).origin : new URL(url).origin;
}
