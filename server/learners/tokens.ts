import { issueServiceToken, revokeServiceToken } from '#server/platform/auth/service-token.ts';
import { invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import { missingToken, tokenEndFault, tokenMessages } from './rules.ts';
import { type AccessFilter, CompleteToken, type MadeToken, type NewToken, type TokenRow } from './tokens.contract.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Selects the tokens that are valid only for schools of the administrator. */
function adminTokens(db: Database, actor: RequestContext['actor']) {
  const tokens = db.selectFrom('service_token');
  if (actor.everySchool) return tokens;
  const beyond = db
    .selectFrom('service_token_school')
    .select('token_id')
    .where('school_id', 'not in', schoolsOf(db, actor));
  return tokens.where('service_token.every_school', '=', 0).where('service_token.id', 'not in', beyond);
}

const columns = [
  'service_token.id',
  'service_token.name',
  'service_token.every_school',
  'service_token.created_at',
  'service_token.used_at',
  'service_token.revoked_at as ended_at',
] as const;

export async function tokenPage(
  { db, actor }: RequestContext,
  { name, state, ...paging }: AccessFilter,
): Promise<Page<TokenRow>> {
  let query = adminTokens(db, actor);
  if (name !== undefined) query = query.where(nameContains('service_token.name', name));
  if (state !== undefined) query = query.where('service_token.revoked_at', state === 'ended' ? 'is not' : 'is', null);
  const found = await pageOf(query, paging, query.select(columns).orderBy('service_token.id', 'desc'));
  return { ...found, list: await withSchools(db, found.list) };
}

async function withSchools<Row extends { id: number }>(db: Database, rows: readonly Row[]) {
  const bound =
    rows.length === 0
      ? []
      : await db
          .selectFrom('service_token_school')
          .innerJoin('school', 'school.id', 'service_token_school.school_id')
          .select(['service_token_school.token_id', 'school.id', 'school.org_name as name'])
          .where(
            'service_token_school.token_id',
            'in',
            rows.map(({ id }) => id),
          )
          .orderBy('school.id')
          .execute();
  return rows.map((row) => ({
    ...row,
    schools: bound.filter(({ token_id }) => token_id === row.id).map(({ id, name }) => ({ id, name })),
  }));
}

/** Returns a token. 404: not a token of the administrator's schools. */
export async function tokenOf({ db, actor }: RequestContext, id: number): Promise<TokenRow | Refusal> {
  const found = await adminTokens(db, actor).select(columns).where('service_token.id', '=', id).executeTakeFirst();
  const [token] = found ? await withSchools(db, [found]) : [];
  return token ?? missing(missingToken);
}

/**
 * Validates the schools of an access. 422: none of the administrator's schools is chosen, or an administrator of some
 * schools chose all.
 */
export async function validateAccessSchools(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  { every_school, school_ids }: { every_school: 0 | 1; school_ids: readonly number[] },
  messages: { noSchools: string; everySchool: string },
): Promise<number[] | Refusal> {
  const schools = await schoolsOf(db, actor)
    .where('school.id', 'in', [0, ...school_ids])
    .orderBy('school.id')
    .execute();
  if (every_school === 1 && !actor.everySchool) return invalid({ every_school: [messages.everySchool] });
  if (every_school === 0 && schools.length === 0) return invalid({ school_ids: [messages.noSchools] });
  return schools.map(({ id }) => id);
}

/** Creates a token. 422: the name or the schools are not valid. */
export async function createToken({ db, actor, now }: RequestContext, written: NewToken): Promise<MadeToken | Refusal> {
  const { output, errors } = validateComplete(CompleteToken, written);
  if (!output) return invalid(errors);
  const { name, every_school } = output;
  const ids = await validateAccessSchools({ db, actor }, output, tokenMessages);
  if (isRefusal(ids)) return ids;
  const { id, token } = await issueServiceToken(db, { name, now, ...(every_school === 0 && { schools: ids }) });
  const after = { name, every_school, school_ids: every_school === 1 ? [] : ids };
  await recordHistory(db, { actor, now, record: 'service_token', recordId: id, action: 'add', before: null, after });
  return { id, name, token };
}

/** Revokes a token. 404: not a token of the administrator's schools. 409: revoked already. */
export async function endAccess(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const token = await tokenOf(context, id);
  if (!('ended_at' in token)) return token;
  const refusal = refuseFor('conflict', tokenEndFault(token));
  if (refusal) return refusal;
  await revokeServiceToken(db, id, now);
  await recordHistory(db, {
    actor,
    now,
    record: 'service_token',
    recordId: id,
    action: 'end',
    before: { is_ended: 0 },
    after: { is_ended: 1 },
  });
  return null;
}
