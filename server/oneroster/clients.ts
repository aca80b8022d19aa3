import { createHash, randomBytes } from 'node:crypto';
import type { AccessFilter } from '#server/learners/tokens.contract.ts';
import { validateAccessSchools } from '#server/learners/tokens.ts';
import { invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import { type ClientRow, CompleteClient, type MadeClient, type NewClient } from './contract.ts';
import {
  type ClientPermission,
  clientEndFault,
  clientMessages,
  clientPermissionNames,
  clientPermissions,
  missingClient,
} from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Hashes a secret or token. A plain SHA-256 is enough, because these are 32 random bytes. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Selects the clients that reach no school outside the administrator's own. */
function adminClients(db: Database, actor: RequestContext['actor']) {
  const clients = db.selectFrom('roster_client');
  if (actor.everySchool) return clients;
  const beyond = db
    .selectFrom('roster_client_school')
    .select('roster_client_school.client_id')
    .where('school_id', 'not in', schoolsOf(db, actor));
  return clients.where('roster_client.every_school', '=', 0).where('roster_client.id', 'not in', beyond);
}

const columns = [
  'roster_client.id',
  'roster_client.name',
  'roster_client.client_id',
  'roster_client.every_school',
  'roster_client.reads_roster',
  'roster_client.reads_gradebook',
  'roster_client.created_at',
  'roster_client.used_at',
  'roster_client.ended_at',
] as const;

export async function clientPage(
  { db, actor }: RequestContext,
  { name, state, ...paging }: AccessFilter,
): Promise<Page<ClientRow>> {
  let query = adminClients(db, actor);
  if (name !== undefined) query = query.where(nameContains('roster_client.name', name));
  if (state !== undefined) query = query.where('roster_client.ended_at', state === 'ended' ? 'is not' : 'is', null);
  const found = await pageOf(query, paging, query.select(columns).orderBy('roster_client.id', 'desc'));
  return { ...found, list: await withSchools(db, found.list) };
}

type StoredClient = Omit<ClientRow, 'schools' | 'reads'> & Record<`reads_${(typeof clientPermissions)[number]}`, 0 | 1>;

async function withSchools(db: Database, rows: readonly StoredClient[]): Promise<ClientRow[]> {
  const ids = rows.map(({ id }) => id);
  const bound = await db
    .selectFrom('roster_client_school')
    .innerJoin('school', 'school.id', 'roster_client_school.school_id')
    .select(['roster_client_school.client_id', 'school.id', 'school.org_name as name'])
    .where('roster_client_school.client_id', 'in', [0, ...ids])
    .orderBy('school.id')
    .execute();
  return rows.map(({ reads_roster, reads_gradebook, ...row }) => ({
    ...row,
    schools: bound.filter(({ client_id }) => client_id === row.id).map(({ id, name }) => ({ id, name })),
    reads: clientPermissions.filter((one) => (one === 'roster' ? reads_roster : reads_gradebook) === 1),
  }));
}

/** Returns one client. 404: no such client. */
export async function clientOf({ db, actor }: RequestContext, id: number): Promise<ClientRow | Refusal> {
  const found = await adminClients(db, actor).select(columns).where('roster_client.id', '=', id).executeTakeFirst();
  const [client] = found ? await withSchools(db, [found]) : [];
  return client ?? missing(missingClient);
}

/** Creates a client for an administrator. 422: errors by field. */
export async function createClient(
  { db, actor, now }: RequestContext,
  written: NewClient,
): Promise<MadeClient | Refusal> {
  const { output, errors } = validateComplete(CompleteClient, written);
  if (!output) return invalid(errors);
  const { name, every_school, reads } = output;
  const ids = await validateAccessSchools({ db, actor }, output, clientMessages);
  if (isRefusal(ids)) return ids;
  const made = await issueClient(db, { name, reads, now, ...(every_school === 0 && { schools: ids }) });
  const after = {
    name,
    every_school,
    school_ids: every_school === 1 ? [] : ids,
    reads: reads.map((one) => clientPermissionNames[one]).join('、'),
  };
  await recordHistory(db, {
    actor,
    now,
    record: 'roster_client',
    recordId: made.id,
    action: 'add',
    before: null,
    after,
  });
  return { ...made, name };
}

/** Creates a client for all schools, or for the given ones. Its secret is returned only here. */
export async function issueClient(
  db: Database,
  {
    name,
    reads,
    schools,
    now,
  }: { name: string; reads: readonly ClientPermission[]; schools?: readonly number[]; now: number },
): Promise<{ id: number; client_id: string; client_secret: string }> {
  const client_id = `or_${randomBytes(12).toString('base64url')}`;
  const client_secret = randomBytes(32).toString('base64url');
  const { id } = await db
    .insertInto('roster_client')
    .values({
      name,
      client_id,
      secret_hash: hashOf(client_secret),
      every_school: schools ? 0 : 1,
      reads_roster: reads.includes('roster') ? 1 : 0,
      reads_gradebook: reads.includes('gradebook') ? 1 : 0,
      created_at: now,
      used_at: null,
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (schools && schools.length > 0) {
    await db
      .insertInto('roster_client_school')
      .values(schools.map((school_id) => ({ client_id: id, school_id })))
      .execute();
  }
  return { id, client_id, client_secret };
}

/** Ends a client, and all of its tokens. 404: no such client. 409: already ended. */
export async function endClientOf(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const client = await clientOf(context, id);
  if (!('ended_at' in client)) return client;
  const refusal = refuseFor('conflict', clientEndFault(client));
  if (refusal) return refusal;
  await db.updateTable('roster_client').set({ ended_at: now }).where('id', '=', id).execute();
  await db.deleteFrom('roster_access').where('client_id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'roster_client',
    recordId: id,
    action: 'end',
    before: { is_ended: 0 },
    after: { is_ended: 1 },
  });
  return null;
}
