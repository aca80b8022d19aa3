/** Schools whose students an application may access: all schools, or the schools that its token is bound to. */
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Application } from '#server/platform/auth/service-token.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';

/** SQL condition: the token in the query is valid for a school, which is given by id or by column. */
export function isForSchool(school: number | Expression<number>): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'service_token'>();
  return eb.or([
    eb('service_token.every_school', '=', 1),
    eb.exists(
      eb
        .selectFrom('service_token_school')
        .select('service_token_school.token_id')
        .whereRef('service_token_school.token_id', '=', 'service_token.id')
        .where('service_token_school.school_id', '=', school),
    ),
  ]);
}

/** Selects the schools that an application is bound to. Do not use it for a token of all schools. */
export const schoolsBoundTo = (db: Database, { id }: Pick<Application, 'id'>) =>
  db
    .selectFrom('service_token_school')
    .select('service_token_school.school_id')
    .where('service_token_school.token_id', '=', id);

/** Loads the schools of several tokens. Returns a function that tells whether a token is valid for a school. */
export async function schoolsOfTokens(
  db: Database,
  tokens: readonly { id: number; every_school: 0 | 1 }[],
): Promise<(tokenId: number, schoolId: number) => boolean> {
  const bound = tokens.filter(({ every_school }) => every_school === 0).map(({ id }) => id);
  const free = new Set(tokens.filter(({ every_school }) => every_school === 1).map(({ id }) => id));
  const rows =
    bound.length === 0
      ? []
      : await db.selectFrom('service_token_school').selectAll().where('token_id', 'in', bound).execute();
  const pairs = new Set(rows.map(({ token_id, school_id }) => `${token_id} ${school_id}`));
  return (tokenId, schoolId) => free.has(tokenId) || pairs.has(`${tokenId} ${schoolId}`);
}
