/** A provider as its protocol is given it, and what a protocol does. */
import { setting } from '#server/platform/configuration/setting.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tried } from '#server/settings/contract.ts';
import { isOwnServer, isProviderKind, type ProviderKind, providerKinds } from './rules.ts';

export interface KnownProvider {
  kind: ProviderKind;
  /** On its button. */
  name: string;
  isOn: boolean;
  /** Of the server, without a slash at its end; of those that are one for all, empty. */
  address: string;
  clientId: string;
  secret: string;
  organization: string;
  scope: string;
  claim: string;
  /** Our second factor is asked for all the same. */
  asksCode: boolean;
}

/** Who somebody is there. `session`: by which the provider says later that it ended. */
export interface Person {
  subject: string;
  number: string;
  name: string;
  session?: string;
  idToken?: string;
}

/** On the way to a provider, and back: `back` is where it sends people to. */
export interface Way {
  state: string;
  nonce: string;
  verifier: string;
  back: string;
}

export interface Protocol {
  /** Where to send the browser. `device`: what it says of itself. */
  begin(provider: KnownProvider, way: Way & { device: string }): Promise<string>;
  /** Who came back with what the provider sent along. */
  complete(provider: KnownProvider, way: Way & { sent: URLSearchParams }): Promise<Person>;
  /** Where it ends its own session and then leads to `after`; undefined where it has no such place. */
  leave?(provider: KnownProvider, given: { idToken: string; after: string }): Promise<string | undefined>;
  /** What it answers to a question that changes nothing. */
  attempt(provider: KnownProvider, given: { back: string }): Promise<Tried>;
}

/** Why a provider's word cannot be had, or is not taken; `detail` is for the log. */
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

/** The secret that the server's environment has; empty: none. */
export const givenSecret = (kind: ProviderKind): string => ofEnvironment[kind]?.() ?? '';

/** Whose subjects they are: those of another server, corporation or application are others. */
export const realmOf = ({ kind, address, clientId }: KnownProvider): string => (isOwnServer(kind) ? address : clientId);

/** All that are set, in the order in which they are offered. */
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
      secret: givenSecret(row.kind) || row.secret,
      organization: row.organization,
      scope: row.scope,
      claim: row.claim,
      asksCode: row.asks_code === 1,
    }));
}

export const placeOf = (kind: ProviderKind): number => providerKinds.indexOf(kind) + 1;
