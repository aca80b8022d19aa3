/** The CAS 3 protocol: validates the ticket that the browser brings back, and handles single logout. */
import { createHash } from 'node:crypto';
import { Parser } from 'saxen';
import { answerCheck, testAddress } from '#server/settings/service-test.ts';
import { type KnownProvider, type Protocol, ProviderError, type ProviderPerson } from './provider.ts';
import { fetchText } from './provider-request.ts';

const namespaces = {
  'http://www.yale.edu/tp/cas': 'cas',
  'urn:oasis:names:tc:SAML:2.0:protocol': 'samlp',
  'urn:oasis:names:tc:SAML:2.0:assertion': 'saml',
};

/**
 * Returns the texts of all XML elements with their paths, in document order; undefined if the XML is not well formed.
 */
function textsOf(xml: string): { path: string; text: string; code: string }[] | undefined {
  // A doctype is refused: CAS documents declare no entities, and the parser (saxen) would not expand any.
  if (/<!DOCTYPE/i.test(xml)) return undefined;
  const found: { path: string; text: string; code: string }[] = [];
  const open: { path: string; text: string; code: string }[] = [];
  const parser = new Parser().ns(namespaces);
  let isWhole = true;
  parser.on('error', () => {
    isWhole = false;
  });
  parser.on('openTag', (name, attributes, decode) => {
    const path = [...open.map((one) => one.path.split('/').at(-1)), name].join('/');
    const element = { path, text: '', code: decode(attributes().code ?? '') };
    open.push(element);
    found.push(element);
  });
  parser.on('text', (text, decode) => {
    const element = open.at(-1);
    if (element) element.text += decode(text);
  });
  parser.on('cdata', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closeTag', () => {
    open.pop();
  });
  parser.write(xml);
  const error = parser.end();
  // A NUL character is not allowed in XML, not even as a reference, and PostgreSQL cannot store it.
  const isText = found.every(({ text, code }) => !`${text}${code}`.includes('\0'));
  return isWhole && !error && open.length === 0 && isText ? found : undefined;
}

const success = 'cas:serviceResponse/cas:authenticationSuccess';
const failure = 'cas:serviceResponse/cas:authenticationFailure';

/** Maximum characters of a user id, as in OpenID Connect. PostgreSQL cannot index very long texts. */
const longestUser = 255;

/** Parses the answer to the validation of a ticket. @throws ProviderError */
export function parseTicketValidation(xml: string, claim: string): { user: string; number: string; name: string } {
  const texts = textsOf(xml);
  if (!texts) throw new ProviderError('away', 'no XML');
  const failed = texts.find(({ path }) => path === failure);
  if (failed) {
    const isOurs = /^(?:INVALID_REQUEST|INVALID_SERVICE|UNAUTHORIZED_SERVICE.*)$/.test(failed.code);
    throw new ProviderError(isOurs ? 'setup' : 'refused', `${failed.code} ${failed.text.trim()}`.slice(0, 200));
  }
  const at = (path: string) => texts.find((one) => one.path === path)?.text.trim() ?? '';
  const user = at(`${success}/cas:user`);
  if (user === '') throw new ProviderError('refused', 'nobody was named');
  if (user.length > longestUser) throw new ProviderError('refused', 'nobody has a name of that length');
  const attribute = (name: string) => at(`${success}/cas:attributes/cas:${name}`);
  const name = ['cn', 'displayName', 'name', 'realName'].map(attribute).find((one) => one !== '') ?? '';
  return { user, number: claim ? attribute(claim) : user, name };
}

/** Parses the form field `logoutRequest`. Returns the ticket whose session ended; undefined if there is none. */
export function parseLogoutRequest(xml: string): string | undefined {
  const text = textsOf(xml)
    ?.find(({ path }) => path === 'samlp:LogoutRequest/samlp:SessionIndex')
    ?.text.trim();
  return text || undefined;
}

/** Hashes a ticket for storage, so that somebody who reads the database cannot end sessions with it. */
export const hashTicket = (ticket: string): string => createHash('sha256').update(ticket).digest('base64url');

/** The service URL that CAS redirects to, with the `state` of this sign-in. */
const serviceOf = (back: string, state: string): string => `${back}?state=${encodeURIComponent(state)}`;

const urlOf = (address: string, path: string, query: Record<string, string>): string =>
  `${address}${path}?${new URLSearchParams(query)}`;

export const cas: Protocol = {
  begin: async ({ address }, { back, state }) => urlOf(address, '/login', { service: serviceOf(back, state) }),
  async complete({ address, claim }: KnownProvider, { back, state, sent }): Promise<ProviderPerson> {
    const ticket = sent.get('ticket') ?? '';
    if (!/^[\w.~-]{1,256}$/.test(ticket)) throw new ProviderError('cancelled', 'no ticket');
    const query = { service: serviceOf(back, state), ticket };
    const { status, text } = await fetchText(urlOf(address, '/p3/serviceValidate', query));
    if (status !== 200) throw new ProviderError('away', `status ${status}`);
    const { user, number, name } = parseTicketValidation(text, claim);
    return { subject: user, number, name, session: hashTicket(ticket) };
  },
  async leave({ address }, { after, state }) {
    const to = state ? `${after}?${new URLSearchParams({ state })}` : after;
    return urlOf(address, '/logout', { service: to, url: to });
  },
  /** A CAS 3 server answers an invented ticket with INVALID_TICKET, which shows that the settings work. */
  attempt: ({ address }, { back }) =>
    testAddress(
      urlOf(address, '/p3/serviceValidate', { service: back, ticket: 'ST-0-trial' }),
      {},
      answerCheck((text) => /authenticationFailure\s+code=["']INVALID_TICKET["']/.test(text)),
    ),
};
