/**
 * Outgoing HTTP to addresses that users typed, with protection against SSRF: only public addresses, and those that the
 * operator of the server allows. The address is checked when connecting, so that DNS rebinding cannot bypass the check.
 */
import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isSettingSet, setting } from '#server/platform/configuration/setting.ts';

/** Non-public addresses (RFC 6890 and successors). Mapped IPv4 is checked as IPv4. */
const internal = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  internal.addSubnet(network, bits, 'ipv4');
}
// Public IPv6 is 2000::/3 without the special networks within it.
internal.addRange('::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ipv6');
internal.addRange('4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  internal.addSubnet(network, bits, 'ipv6');
}

export const internalAddressMessage =
  '该地址在内部网络中，不能访问。确需使用时，请技术人员在服务器的 OUTGOING_HOSTS 中写明';

class InternalAddress extends TypeError {
  constructor() {
    super(internalAddressMessage);
  }
}

export const isInternalAddressError = (error: unknown): boolean => error instanceof InternalAddress;

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/**
 * True if the operator allows the host: OUTGOING_HOSTS names it, with or without port, or another setting has this
 * address.
 */
function isAllowedHost(url: URL): boolean {
  const names = [url.hostname, `${url.hostname}:${portOf(url)}`];
  if (setting('OUTGOING_HOSTS').some((host) => names.includes(host))) return true;
  return (['SMS_WEBHOOK_URL', 'BBB_URL'] as const).some((name) => {
    if (!isSettingSet(name)) return false;
    const given = new URL(setting(name));
    return url.origin === given.origin && url.pathname.startsWith(given.pathname.replace(/\/+$/, ''));
  });
}

/** True for a literal internal address; does not look up host names. URL also parses decimal and hexadecimal forms. */
export function isInternalAddress(text: string): boolean {
  const url = new URL(text);
  if (isAllowedHost(url)) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(host) === 0 ? host === 'localhost' || host.endsWith('.localhost') : isInternal(host);
}

const isInternal = (address: string): boolean => internal.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** DNS lookup for a connection: returns only public addresses. */
const lookupPublic: LookupFunction = (name, options, done) =>
  dns.lookup(name, { ...options, all: true }, (error, found) => {
    const [first, ...others] = error ? [] : found.filter(({ address }) => !isInternal(address));
    if (error || !first) done(error ?? new InternalAddress(), []);
    else if (options.all) done(null, [first, ...others]);
    else done(null, first.address, first.family);
  });

/**
 * Connections are not kept alive, because the receiver may close an idle one at the very moment when it is used again.
 */
const agentsOf = (options: { lookup?: LookupFunction }) => ({
  'http:': new http.Agent(options),
  'https:': new https.Agent(options),
});
const named = agentsOf({});
const guarded = agentsOf({ lookup: lookupPublic });

/**
 * Like the global `fetch`, but follows no redirects and requests no compression.
 *
 * @throws InternalAddress (a TypeError) if the address is internal and not allowed by the operator
 */
export async function fetchOutgoing(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const request = new Request(address, { ...init, signal: null });
  const url = new URL(request.url);
  const isTrusted = isAllowedHost(url);
  // Literal addresses are checked here, because connecting to one makes no DNS lookup.
  if (!isTrusted && isInternalAddress(request.url)) throw new InternalAddress();
  const body = Buffer.from(await request.arrayBuffer());
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const { request: send } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const options = {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      signal,
      agent: (isTrusted ? named : guarded)[url.protocol as 'http:' | 'https:'],
    };
    send(url, options, (response) => resolve(responseOf(response)))
      .on('error', (error: NodeJS.ErrnoException) => {
        if (signal?.aborted) reject(signal.reason);
        else if (error instanceof InternalAddress) reject(error);
        else reject(new TypeError('fetch failed', { cause: error }));
      })
      .end(body);
  });
}

function responseOf(incoming: http.IncomingMessage): Response {
  const status = incoming.statusCode ?? 500;
  const headers = new Headers();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '');
  }
  const hasBody = ![204, 205, 304].includes(status);
  if (!hasBody) incoming.resume();
  return new Response(hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null, { status, headers });
}
