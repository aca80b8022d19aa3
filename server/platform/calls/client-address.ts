/**
 * Finds out, behind proxies, the client address of a request (for rate limits) and the scheme and host that the client
 * used. Only forwarded headers of trusted proxies count (TRUST_PROXY). The result is written into headers before the
 * server adapter builds a web Request, which has no socket; headers of the same name from the client are overwritten.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { setting } from '#server/platform/configuration/setting.ts';

export const clientAddressHeader = 'x-client-address';
const forwarded = { by: 'x-forwarded-for', proto: 'x-forwarded-proto', host: 'x-forwarded-host' } as const;

/** Trusted proxies (TRUST_PROXY): their number, or a function that says whether an address is one. */
type Trust = number | ((address: string) => boolean);

export function parseTrustedProxies(said: number | readonly string[]): Trust {
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

const trust = parseTrustedProxies(setting('TRUST_PROXY'));

const listIn = (value: string | string[] | undefined): string[] =>
  String(value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/** Parses an address. Some proxies add a port, which is removed: 10.1.1.1:4711, [2001:db8::1]:4711. */
function addressIn(said: string): string | undefined {
  const [, bare = said] = /^\[([\d:.a-f]+)\](?::\d+)?$/i.exec(said) ?? /^([\d.]+):\d+$/.exec(said) ?? [];
  return isIP(bare) === 0 ? undefined : bare;
}

export interface ForwardedHeaders {
  address: string;
  /** Scheme and host that the client used; undefined if no trusted proxy sent the header. */
  proto: string | undefined;
  host: string | undefined;
}

/**
 * Reads X-Forwarded-*. Each proxy appends its client's address to X-Forwarded-For. So the last entries, as many as
 * there are trusted proxies, are true; the client may have made up the others. X-Forwarded-Proto and -Host may have
 * fewer entries than there are proxies.
 *
 * @param peer address of the other end of the connection
 */
export function readForwardedHeaders(
  peer: string,
  headers: IncomingHttpHeaders,
  trusted: Trust = trust,
): ForwardedHeaders {
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
    // Skips entries that are no IP addresses.
    address: from.find((one) => one !== undefined) ?? peer,
    proto: of(listIn(headers[forwarded.proto]))?.toLowerCase(),
    host: of(listIn(headers[forwarded.host])),
  };
}

export function noteClientAddress({ headers, rawHeaders, socket }: IncomingMessage): void {
  const { address, proto, host } = readForwardedHeaders(socket.remoteAddress ?? '', headers);
  const said = { [clientAddressHeader]: address, [forwarded.proto]: proto, [forwarded.host]: host };
  // Sets both forms of the headers: some adapters read `headers`, some `rawHeaders`.
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if ((rawHeaders[at] as string).toLowerCase() in said) rawHeaders.splice(at, 2);
  for (const [name, value] of Object.entries(said)) {
    delete headers[name];
    if (value === undefined) continue;
    headers[name] = value;
    rawHeaders.push(name, value);
  }
}

/** True if the client used HTTPS. Call after `noteClientAddress`. */
export const isHttpsRequest = ({ headers, socket }: IncomingMessage): boolean =>
  headers[forwarded.proto] === 'https' || ('encrypted' in socket && socket.encrypted === true);

/** Returns the origin as the client sees it (`https://school.example`), for absolute links and redirects. */
export function originOf({ url, headers }: Request): string {
  const requestUrl = new URL(url);
  const protocol = headers.get(forwarded.proto) ?? requestUrl.protocol.replace(':', '');
  const host = headers.get(forwarded.host) ?? headers.get('host') ?? requestUrl.host;
  const origin = `${protocol}://${host}`;
  return /^https?$/.test(protocol) && URL.canParse(origin) ? new URL(origin).origin : requestUrl.origin;
}
