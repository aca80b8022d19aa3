/** Client address behind proxies. */
import { describe, expect, test } from 'vitest';
import { parseTrustedProxies, readForwardedHeaders } from '#server/platform/calls/client-address.ts';

const pupil = '203.0.113.7';
const liar = '198.51.100.1';
const [outer, inner] = ['10.0.0.1', '10.0.0.2'];
const addressOf = (peer: string, chain: string, trust: number | string[]) =>
  readForwardedHeaders(peer, { 'x-forwarded-for': chain }, parseTrustedProxies(trust)).address;

describe('client address', () => {
  test.each([
    ['nobody in front', pupil, liar, 0, pupil],
    ['one proxy', inner, pupil, 1, pupil],
    ['one proxy, and what the client made up', inner, `${liar}, ${pupil}`, 1, pupil],
    ['two proxies', inner, `${pupil}, ${outer}`, 2, pupil],
    ['two proxies, and what the client made up', inner, `${liar}, ${pupil}, ${outer}`, 2, pupil],
    ['two proxies, of which one has been passed by', inner, pupil, 2, pupil],
    ['a proxy that says nothing', inner, '', 1, inner],
    ['a proxy that writes ports', inner, `${pupil}:4711`, 1, pupil],
    ['a proxy that writes IPv6 with ports', inner, '[2001:db8::7]:4711', 1, '2001:db8::7'],
    ['no address', inner, 'unknown', 1, inner],
  ])('trusts a number of proxies: %s', (_, peer, chain, trust, expected) => {
    expect(addressOf(peer, chain, trust)).toBe(expected);
  });

  test.each([
    ['two of one network', inner, `${liar}, ${pupil}, ${outer}`, ['10.0.0.0/8'], pupil],
    ['one address alone', inner, `${pupil}, ${outer}`, [inner], outer],
    ['the peer as a socket of both families names it', `::ffff:${inner}`, pupil, ['10.0.0.0/8'], pupil],
    ['somebody who is no proxy', pupil, liar, ['10.0.0.0/8'], pupil],
    ['all of them within', inner, `10.0.0.9, ${outer}`, ['10.0.0.0/8'], '10.0.0.9'],
    ['one of IPv6', 'fd00::2', pupil, ['fd00::/8'], pupil],
    ['no address', inner, `${pupil}, unknown, ${outer}`, ['10.0.0.0/8'], outer],
  ])('trusts proxy networks: %s', (_, peer, chain, trust, expected) => {
    expect(addressOf(peer, chain, trust)).toBe(expected);
  });
});

describe('own address', () => {
  const forwardedHeaders = (proto: string, host: string) => ({ 'x-forwarded-proto': proto, 'x-forwarded-host': host });
  test.each([
    ['nobody trusted', 0, forwardedHeaders('https', 'a.test'), [undefined, undefined]],
    ['one that says it', 1, forwardedHeaders('https', 'a.test'), ['https', 'a.test']],
    ['two, of which the second hands on', 2, forwardedHeaders('https', 'a.test'), ['https', 'a.test']],
    ['two that both add', 2, forwardedHeaders('https, http', 'a.test, b.test'), ['https', 'a.test']],
    ['one that adds to what was made up', 1, forwardedHeaders('https, HTTP', 'a.test, b.test'), ['http', 'b.test']],
  ])('follows the headers: %s', (_, trust, headers, expected) => {
    const { proto, host } = readForwardedHeaders(inner, headers, parseTrustedProxies(trust));
    expect([proto, host]).toEqual(expected);
  });
});
