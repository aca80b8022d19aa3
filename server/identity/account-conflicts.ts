/**
 * Prevents one provider account from being linked automatically to both a member of staff and a learner. An account that
 * is linked to the other kind of user, or whose number matches one, waits for an administrator.
 */
import { expressionBuilder } from 'kysely';
import { studentsWithNumber } from '#server/learners/students-of-number.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { isNumberShared, type KnownProvider, type ProviderPerson, realmOf } from './provider.ts';

/** True if the account is linked to a learner, or has a learner's number. */
export async function mayBeLearners(db: Database, provider: KnownProvider, person: ProviderPerson): Promise<boolean> {
  if (!provider.forLearners) return false;
  if (await hasRow(db.selectFrom('learner_link').select('id').where(isLinked(provider, person)))) return true;
  if (!isNumberShared(provider) || person.number === '') return false;
  return hasRow(studentsWithNumber(db, person.number).select('student.id').limit(1));
}

/** True if the account is linked to a member of staff, or has the user name of one. */
export async function mayBeStaff(db: Database, provider: KnownProvider, person: ProviderPerson): Promise<boolean> {
  if (await hasRow(db.selectFrom('identity_link').select('id').where(isLinked(provider, person)))) return true;
  if (!isNumberShared(provider) || person.number === '') return false;
  return hasRow(db.selectFrom('staff').select('id').where('username', '=', person.number.trim().toLowerCase()));
}

/** Condition: the row links this account. Both tables of links have the same columns. */
const isLinked = (provider: KnownProvider, { subject }: ProviderPerson) => {
  const eb = expressionBuilder<Tables, 'identity_link' | 'learner_link'>();
  return eb.and({ provider: provider.kind, realm: realmOf(provider), subject, state: 'linked' });
};

const hasRow = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;
