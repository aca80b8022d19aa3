/** OAuth 2 access tokens (client credentials grant), valid for an hour. */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { withDeadline } from '#server/platform/db/deadline.ts';
import { type Database, isDatabaseAway } from '#server/platform/db/engine.ts';
import { hashOf } from './clients.ts';
import { type ClientPermission, tokenLifetime } from './rules.ts';

const scopeStart = 'https://purl.imsglobal.org/spec/or/v1p2/scope/';

/** Names of the standard's scopes, each with the permission that a client needs for it. */
export const scopes = {
  'roster-core.readonly': 'roster',
  'roster.readonly': 'roster',
  'roster-demographics.readonly': 'roster',
  'gradebook-core.readonly': 'gradebook',
  'gradebook.readonly': 'gradebook',
} as const satisfies Record<string, ClientPermission>;
export type Scope = keyof typeof scopes;
const scopeNames = Object.keys(scopes) as Scope[];

export const scopeUri = (scope: Scope): string => `${scopeStart}${scope}`;

export interface RosterClient {
  id: number;
  everySchool: boolean;
  scopes: readonly Scope[];
}

export interface TokenRequest {
  authorization: string | undefined;
  form: URLSearchParams;
}

/** Answer of the token endpoint (RFC 6749): a token, or an `error` code. */
export type TokenAnswer =
  | { access_token: string; token_type: 'Bearer'; expires_in: number; scope: string }
  | { error: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope' };

/** Issues a token for those requested scopes that the client may have; `invalid_scope` if there are none. */
export async function answerToken(
  db: Database,
  { authorization, form }: TokenRequest,
  now: number,
): Promise<TokenAnswer> {
  const credentials = credentialsOf(authorization, form);
  if (credentials === 'both') return { error: 'invalid_request' };
  const client =
    credentials &&
    (await db
      .selectFrom('roster_client')
      .select(['id', 'secret_hash', 'reads_roster', 'reads_gradebook'])
      .where('client_id', '=', credentials.id)
      .where('ended_at', 'is', null)
      .executeTakeFirst());
  if (!client || !isSame(client.secret_hash, hashOf(credentials.secret))) return { error: 'invalid_client' };
  const [grant, ...more] = form.getAll('grant_type');
  if (!grant || more.length > 0) return { error: 'invalid_request' };
  if (grant !== 'client_credentials') return { error: 'unsupported_grant_type' };
  const requestedScopes = (form.get('scope') ?? '').split(/\s+/).filter((one) => one !== '');
  const granted = scopeNames.filter(
    (scope) =>
      (scopes[scope] === 'roster' ? client.reads_roster : client.reads_gradebook) === 1 &&
      // Some clients still write the standard's scopes with `http:`.
      (requestedScopes.length === 0 ||
        requestedScopes.some((one) => one.replace(/^http:/, 'https:') === scopeUri(scope))),
  );
  if (granted.length === 0) return { error: 'invalid_scope' };
  const token = `or_${randomBytes(32).toString('base64url')}`;
  await db
    .insertInto('roster_access')
    .values({
      token_hash: hashOf(token),
      client_id: client.id,
      scopes: granted.join(' '),
      ends_at: now + tokenLifetime,
    })
    .execute();
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: tokenLifetime,
    scope: granted.map(scopeUri).join(' '),
  };
}

/**
 * Reads id and secret of the client from the Basic header (where each part is form-encoded) or from the body. `both`:
 * given in both places, which is an error.
 */
function credentialsOf(
  authorization: string | undefined,
  form: URLSearchParams,
): { id: string; secret: string } | 'both' | undefined {
  const basic = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(authorization ?? '')?.[1];
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  if (basic === undefined) return id && secret ? { id, secret } : undefined;
  if (secret !== null) return 'both';
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString('utf8')) ?? [];
  return user === undefined || password === undefined
    ? undefined
    : { id: decodeFormPart(user), secret: decodeFormPart(password) };
}

function decodeFormPart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Seconds between two updates of `used_at`. */
const lastUseInterval = 60;
/** Milliseconds after which such an update is abandoned. */
const lastUseTimeout = 2_000;

/** Finds the client whose token is in the header `Authorization: Bearer or_…`. */
export async function authenticateClient(
  db: Database,
  authorization: string | undefined,
  now: number,
): Promise<RosterClient | undefined> {
  const token = /^Bearer\s+(or_[\w-]{20,100})$/i.exec(authorization ?? '')?.[1];
  if (!token) return undefined;
  const row = await db
    .selectFrom('roster_access')
    .innerJoin('roster_client', 'roster_client.id', 'roster_access.client_id')
    .select(['roster_client.id', 'roster_client.every_school', 'roster_client.used_at', 'roster_access.scopes'])
    .where('roster_access.token_hash', '=', hashOf(token))
    .where('roster_access.ends_at', '>', now)
    .where('roster_client.ended_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  if (now - (row.used_at ?? 0) >= lastUseInterval) await noteUse(db, row.id, now);
  const clientScopes = row.scopes.split(' ');
  return {
    id: row.id,
    everySchool: row.every_school === 1,
    scopes: scopeNames.filter((one) => clientScopes.includes(one)),
  };
}

/** Failures are ignored, so that clients can go on reading while the database is read-only or locked. */
async function noteUse(db: Database, id: number, now: number): Promise<void> {
  const note = () => db.updateTable('roster_client').set({ used_at: now }).where('id', '=', id).execute();
  await withDeadline(lastUseTimeout, note).catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
  });
}

/** Deletes a batch of tokens that expired before `endedBefore` (unix seconds); returns how many. */
export async function purgeAccess(
  db: Database,
  { endedBefore, most }: { endedBefore: number; most: number },
): Promise<number> {
  const old = db
    .selectFrom('roster_access')
    .select('token_hash')
    .where('ends_at', '<', endedBefore)
    .orderBy('ends_at')
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('roster_access').where('token_hash', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
