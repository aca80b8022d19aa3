/**
 * Who is calling, by address: what sign-in limits count by. The web Request that the server adapters build has
 * no socket, so the address is written into a header before any adapter sees the request; what a client itself
 * sent under that name is overwritten. And by which address we were asked: of what is forwarded, that alone is left which a
 * trusted proxy has said.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { setting } from '#server/platform/configuration/setting.ts';

export const clientAddressHeader = 'x-client-address';
const forwarded = { by: 'x-forwarded-for', proto: 'x-forwarded-proto', host: 'x-forwarded-host' } as const;

/** Of TRUST_PROXY: how many stand in front, or whether one of this address is ours. */
type Trust = number | ((address: string) => boolean);

export function trustOf(said: number | readonly string[]): Trust {
  if (typeof said === 'number') return said;
  const networks = new BlockList();
  for (const one of said) {
    const [address = '', bits] = one.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) networks.addAddress(address, family);
    else networks.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && networks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

const trust = trustOf(setting('TRUST_PROXY'));

const listIn = (value: string | string[] | undefined): string[] =>
  String(value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/** Some proxies write the port as well: 10.1.1.1:4711, [2001:db8::1]:4711. */
function addressIn(said: string): string | undefined {
  const [, bare = said] = /^\[([\d:.a-f]+)\](?::\d+)?$/i.exec(said) ?? /^([\d.]+):\d+$/.exec(said) ?? [];
  return isIP(bare) === 0 ? undefined : bare;
}

export interface Forwarded {
  address: string;
  /** Undefined where no trusted proxy says it. */
  proto: string | undefined;
  host: string | undefined;
}

/**
 * Each proxy adds at the end of X-Forwarded-For by whom it was asked, so a list is believed from its end, as far as those who
 * wrote it are trusted; what stands before that the client may have made up. A proxy that is asked by another one hands on
 * what that says of scheme and host, or adds to it.
 *
 * @param peer the address at the other end of the connection
 */
export function forwardedTo(peer: string, headers: IncomingHttpHeaders, trusted: Trust = trust): Forwarded {
  const chain = listIn(headers[forwarded.by]);
  let proxies = typeof trusted === 'number' ? trusted : 0;
  if (typeof trusted === 'function') {
    let asking: string | undefined = peer;
    while (asking !== undefined && trusted(asking) && proxies <= chain.length) {
      proxies += 1;
      asking = addressIn(chain.at(-proxies) ?? '');
    }
  }
  if (proxies === 0) return { address: peer, proto: undefined, host: undefined };
  const of = (list: string[]) => list.at(-Math.min(proxies, list.length));
  const from = chain.slice(-proxies).map(addressIn);
  return {
    // What is no address is passed over: whoever stands next to it has been seen.
    address: from.find((one) => one !== undefined) ?? peer,
    proto: of(listIn(headers[forwarded.proto]))?.toLowerCase(),
    host: of(listIn(headers[forwarded.host])),
  };
}

export function noteClientAddress({ headers, rawHeaders, socket }: IncomingMessage): void {
  const { address, proto, host } = forwardedTo(socket.remoteAddress ?? '', headers);
  const said = { [clientAddressHeader]: address, [forwarded.proto]: proto, [forwarded.host]: host };
  // Adapters read the one or the other.
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if ((rawHeaders[at] as string).toLowerCase() in said) rawHeaders.splice(at, 2);
  for (const [name, value] of Object.entries(said)) {
    delete headers[name];
    if (value === undefined) continue;
    headers[name] = value;
    rawHeaders.push(name, value);
  }
}

/** Of a request that `noteClientAddress` has seen. */
export const cameByHttps = ({ headers, socket }: IncomingMessage): boolean =>
  headers[forwarded.proto] === 'https' || ('encrypted' in socket && socket.encrypted === true);

/** Where who asks has found us, as `https://school.example`: what an answer that leads on begins with. */
export function originOf({ url, headers }: Request): string {
  const asked = new URL(url);
  const protocol = headers.get(forwarded.proto) ?? asked.protocol.replace(':', '');
  const host = headers.get(forwarded.host) ?? headers.get('host') ?? asked.host;
  const origin = `${protocol}://${host}`;
  return /^https?$/.test(protocol) && URL.canParse(origin) ? new URL(origin).origin : asked.origin;
}
