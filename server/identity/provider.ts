/** Settings of an identity provider, and the interface that every protocol implements. */
import type { Logger } from 'pino';
import { Refusal } from '#server/platform/calls/outcome.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { TestResult } from '#server/settings/contract.ts';
import { defaultProviderName, isOwnServer, isProviderKind, type ProviderKind, providerKinds } from './rules.ts';

export interface KnownProvider {
  kind: ProviderKind;
  name: string;
  /** True if staff sign in by it. */
  isOn: boolean;
  /** True if learners sign in by it. */
  forLearners: boolean;
  /** URL of the school's own server, without trailing slash; '' for a shared service. */
  address: string;
  clientId: string;
  secret: string;
  organization: string;
  scope: string;
  /** Field of the staff number; '' for the usual one. */
  claim: string;
  /** Field of the student number; '' for the same as `claim`. */
  learnerClaim: string;
  /** True if our own second factor is required after signing in by the provider. */
  asksCode: boolean;
}

/** The person who signed in at the provider. `session`: id under which the provider later reports the end of its session. */
export interface ProviderPerson {
  subject: string;
  number: string;
  name: string;
  session?: string;
  idToken?: string;
}

/** Maximum characters of a subject, as in OpenID Connect. PostgreSQL cannot index very long texts. */
const longestSubject = 255;

/** Refuses an answer that names nobody, or somebody whom the database cannot store. @throws ProviderError */
export function requirePerson(person: ProviderPerson): void {
  const { subject, number, name } = person;
  if (subject === '') throw new ProviderError('refused', 'nobody was named');
  if (subject.length > longestSubject) throw new ProviderError('refused', 'the subject is too long');
  // PostgreSQL cannot store the character NUL.
  if (`${subject}${number}${name}`.includes('\0')) throw new ProviderError('refused', 'a NUL character');
}

/** One sign-in at a provider that is under way. `back`: the return URL. */
export interface SignInMethod {
  state: string;
  nonce: string;
  verifier: string;
  back: string;
}

export interface Protocol {
  /** Returns the URL to send the browser to. `device`: the browser's User-Agent. */
  begin(provider: KnownProvider, way: SignInMethod & { device: string }): Promise<string>;
  /** Completes a sign-in. `sent`: query parameters with which the provider redirected back. */
  complete(provider: KnownProvider, way: SignInMethod & { sent: URLSearchParams }): Promise<ProviderPerson>;
  /** Returns the provider's logout URL, which later redirects to `after` with `state`; undefined if it has none. */
  leave?(
    provider: KnownProvider,
    given: { idToken: string; after: string; state?: string },
  ): Promise<string | undefined>;
  /** Tests the settings of a provider without signing anybody in. */
  attempt(provider: KnownProvider, given: { back: string }): Promise<TestResult>;
}

/** Says that a provider failed or cannot be trusted; `why` selects the user's message, `detail` goes to the log. */
export class ProviderError extends Error {
  readonly why: 'away' | 'refused' | 'cancelled' | 'setup' | 'number' | 'outsider';
  constructor(why: ProviderError['why'], detail: string, cause?: unknown) {
    super(detail, { cause });
    this.why = why;
  }
}

/**
 * Returns the message for the person who signs in, with the target in `data.return_to`, and logs the cause. Throws any
 * other error on. 503: the provider is away or set up wrongly. 403: it did not confirm the person.
 */
export function refuseProviderError(
  log: Logger,
  error: unknown,
  { kind, name }: KnownProvider,
  { messages, return_to }: { messages: Record<ProviderError['why'], (name: string) => string>; return_to: string },
): Refusal {
  if (!(error instanceof ProviderError)) throw error;
  log.warn({ provider: kind, why: error.why, detail: error.message }, 'sign-in by a provider failed');
  const status = error.why === 'away' || error.why === 'setup' ? 'away' : 'forbidden';
  return new Refusal(status, messages[error.why](name), { data: { return_to } });
}

const ofEnvironment: Partial<Record<ProviderKind, () => string>> = {
  oidc: () => setting('OIDC_CLIENT_SECRET'),
  wecom: () => setting('WECOM_SECRET'),
  dingtalk: () => setting('DINGTALK_SECRET'),
  feishu: () => setting('FEISHU_SECRET'),
};

/** Returns the secret from an environment variable; '' if there is none. */
export const environmentSecret = (kind: ProviderKind): string => ofEnvironment[kind]?.() ?? '';

/**
 * Names the set of accounts to which a subject belongs: another server, corporation or application has other subjects.
 */
export const realmOf = ({ kind, address, clientId }: KnownProvider): string => (isOwnServer(kind) ? address : clientId);

/** Returns all configured providers, in display order. */
export async function knownProviders(db: Database): Promise<KnownProvider[]> {
  const rows = await db.selectFrom('identity_provider').selectAll().orderBy('id').execute();
  return rows
    .filter(({ kind }) => isProviderKind(kind))
    .map((row) => ({
      kind: row.kind,
      name: row.name,
      isOn: row.is_on === 1,
      forLearners: row.for_learners === 1,
      address: row.address,
      clientId: row.client_id,
      secret: environmentSecret(row.kind) || row.secret,
      organization: row.organization,
      scope: row.scope,
      claim: row.claim,
      learnerClaim: row.learner_claim,
      asksCode: row.asks_code === 1,
    }));
}

/** Reads the schools' names of the providers; a provider that is not set up has its default name. */
export async function readProviderNames(db: Database): Promise<(kind: ProviderKind) => string> {
  const names = new Map((await knownProviders(db)).map(({ kind, name }) => [kind, name]));
  return (kind) => names.get(kind) ?? defaultProviderName(kind);
}

/** The provider as learners use it: their number is in a field of its own, if one is set. */
export const asLearnersUse = (provider: KnownProvider): KnownProvider => ({
  ...provider,
  claim: provider.learnerClaim || provider.claim,
});

/** True if the numbers of staff and learners come from the same field, so that one number may mean either. */
export const isNumberShared = ({ claim, learnerClaim }: KnownProvider): boolean =>
  learnerClaim === '' || learnerClaim === claim;

export const providerOrder = (kind: ProviderKind): number => providerKinds.indexOf(kind) + 1;
