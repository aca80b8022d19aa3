/** Settings of a provider, and the interface of a protocol. */
import { setting } from '#server/platform/configuration/setting.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { TestResult } from '#server/settings/contract.ts';
import { isOwnServer, isProviderKind, type ProviderKind, providerKinds } from './rules.ts';

export interface KnownProvider {
  kind: ProviderKind;
  name: string;
  isOn: boolean;
  /** Server URL without trailing slash; empty for shared services. */
  address: string;
  clientId: string;
  secret: string;
  organization: string;
  scope: string;
  claim: string;
  /** Also require our own second factor. */
  asksCode: boolean;
}

/** A person at the provider. `session`: id by which the provider reports the end of its session. */
export interface ProviderPerson {
  subject: string;
  number: string;
  name: string;
  session?: string;
  idToken?: string;
}

/** State of one sign-in at a provider; `back`: the return URL. */
export interface SignInMethod {
  state: string;
  nonce: string;
  verifier: string;
  back: string;
}

export interface Protocol {
  /** Returns the URL to send the browser to. `device`: its User-Agent. */
  begin(provider: KnownProvider, way: SignInMethod & { device: string }): Promise<string>;
  /** Completes the sign-in with the query parameters of the return URL. */
  complete(provider: KnownProvider, way: SignInMethod & { sent: URLSearchParams }): Promise<ProviderPerson>;
  /** The provider's logout URL, which then redirects to `after`; undefined if it has none. */
  leave?(provider: KnownProvider, given: { idToken: string; after: string }): Promise<string | undefined>;
  /** Tests the settings without side effects. */
  attempt(provider: KnownProvider, given: { back: string }): Promise<TestResult>;
}

/** Why a provider failed or is not trusted; `detail` is for the log. */
export class ProviderFault extends Error {
  readonly why: 'away' | 'refused' | 'cancelled' | 'setup' | 'number' | 'outsider';
  constructor(why: ProviderFault['why'], detail: string, cause?: unknown) {
    super(detail, { cause });
    this.why = why;
  }
}

const ofEnvironment: Partial<Record<ProviderKind, () => string>> = {
  oidc: () => setting('OIDC_CLIENT_SECRET'),
  wecom: () => setting('WECOM_SECRET'),
  dingtalk: () => setting('DINGTALK_SECRET'),
  feishu: () => setting('FEISHU_SECRET'),
};

/** Secret from the environment; empty: none. */
export const environmentSecret = (kind: ProviderKind): string => ofEnvironment[kind]?.() ?? '';

/** Scope of subjects: another server, corporation or application has other subjects. */
export const realmOf = ({ kind, address, clientId }: KnownProvider): string => (isOwnServer(kind) ? address : clientId);

/** All configured providers, in display order. */
export async function knownProviders(db: Database): Promise<KnownProvider[]> {
  const rows = await db.selectFrom('identity_provider').selectAll().orderBy('id').execute();
  return rows
    .filter(({ kind }) => isProviderKind(kind))
    .map((row) => ({
      kind: row.kind,
      name: row.name,
      isOn: row.is_on === 1,
      address: row.address,
      clientId: row.client_id,
      secret: environmentSecret(row.kind) || row.secret,
      organization: row.organization,
      scope: row.scope,
      claim: row.claim,
      asksCode: row.asks_code === 1,
    }));
}

export const providerOrder = (kind: ProviderKind): number => providerKinds.indexOf(kind) + 1;
