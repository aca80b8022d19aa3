/**
 * Links accounts of an identity provider to learners: by student number at the first sign-in if it fits exactly one
 * learner, otherwise after an administrator approves. Apart from the links of staff, so that neither opens the other's
 * door.
 */
import { usernameLimit } from '#server/account/rules.ts';
import { endLearnerSessionsById } from '#server/learners/sessions.ts';
import { studentsWithNumber } from '#server/learners/students-of-number.ts';
import { conflict, Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf } from '#server/platform/db/page.ts';
import { mayBeStaff } from './account-conflicts.ts';
import { type KnownProvider, ProviderError, type ProviderPerson, realmOf } from './provider.ts';
import { learnerIdentityMessages, maxPendingLinks, type ProviderKind, pendingLearnerMessage } from './rules.ts';

/**
 * Returns the student id of a provider's account; call inside a transaction. An existing link wins, even if the number
 * has changed. Without a link or a decision the number is matched. 403: the account waits or was rejected. 409: another
 * window signed in at the same time.
 */
export async function matchingLearner(
  db: Database,
  provider: KnownProvider,
  { person, now }: { person: ProviderPerson; now: number },
): Promise<number | Refusal> {
  const realm = realmOf(provider);
  const number = person.number.slice(0, usernameLimit);
  const name = person.name.slice(0, 100);
  const known = await forUpdate(db)(
    db
      .selectFrom('learner_link')
      .select(['id', 'student_id', 'state', 'is_undecided'])
      .where('provider', '=', provider.kind)
      .where('realm', '=', realm)
      .where('subject', '=', person.subject),
  ).executeTakeFirst();
  if (known?.state === 'linked' && known.student_id !== null && (await isStudent(db, known.student_id))) {
    await db.updateTable('learner_link').set({ used_at: now }).where('id', '=', known.id).execute();
    return known.student_id;
  }
  if (known?.state === 'rejected') return new Refusal('forbidden', learnerIdentityMessages.rejected);
  if (!known && number === '') throw new ProviderError('number', 'no number was said');
  const mayMatch = known === undefined || known.is_undecided === 1;
  const meant = mayMatch ? await learnerOfNumber(db, provider, person) : undefined;
  const state = meant === undefined ? 'waiting' : 'linked';
  const student_id = meant ?? null;
  if (known) {
    const written = { used_at: now, name, state, student_id, ...(number && { number }) } as const;
    await db.updateTable('learner_link').set(written).where('id', '=', known.id).execute();
  } else if (meant === undefined && (await pendingLearnerLinks(db)) >= maxPendingLinks) {
    return new Refusal('forbidden', learnerIdentityMessages.crowded);
  }
  const link =
    known ??
    (await db
      .insertInto('learner_link')
      .values({
        provider: provider.kind,
        realm,
        subject: person.subject,
        number,
        name,
        student_id,
        state,
        created_at: now,
        used_at: now,
      })
      .onConflict((taken) => taken.columns(['provider', 'realm', 'subject']).doNothing())
      .returning('id')
      .executeTakeFirst());
  // Two windows signed in at the same time, and the other one was first.
  if (!link) return conflict(learnerIdentityMessages.expired);
  if (!known || meant !== undefined) {
    await recordHistory(db, {
      actor: null,
      now,
      record: 'learner_link',
      recordId: link.id,
      action: meant === undefined ? 'request' : 'add',
      before: null,
      // Without the name: the history of somebody unknown cannot be erased with a student.
      after: { provider: provider.kind, number, ...(meant !== undefined && { student_id: meant }) },
    });
  }
  return meant ?? new Refusal('forbidden', pendingLearnerMessage(number || person.subject));
}

/** False for a deleted student. */
const isStudent = async (db: Database, id: number): Promise<boolean> =>
  (await countOf(db.selectFrom('student').where('id', '=', id).where('deleted_at', 'is', null))) > 0;

/**
 * Returns the only learner of all schools with this number. Learners who left count too: numbers are given again, and
 * the account may be of either.
 */
async function learnerOfNumber(
  db: Database,
  provider: KnownProvider,
  person: ProviderPerson,
): Promise<number | undefined> {
  if (person.number === '' || (await mayBeStaff(db, provider, person))) return undefined;
  const [found, another] = await studentsWithNumber(db, person.number)
    .select(['student.id', 'student.erased_at'])
    .limit(2)
    .execute();
  if (!found || another || found.erased_at !== null) return undefined;
  // Two accounts with one number sign in one after the other, so that the second one waits.
  await forUpdate(db)(db.selectFrom('student').select('id').where('id', '=', found.id)).execute();
  const isTaken = await isLinkedLearner(db, { kind: provider.kind, realm: realmOf(provider) }, found.id);
  return isTaken ? undefined : found.id;
}

/** True if the learner already has a link to this provider. */
export const isLinkedLearner = async (
  db: Database,
  { kind, realm }: { kind: ProviderKind; realm: string },
  studentId: number,
): Promise<boolean> =>
  (await countOf(
    db
      .selectFrom('learner_link')
      .where('student_id', '=', studentId)
      .where('provider', '=', kind)
      .where('realm', '=', realm),
  )) > 0;

/** Counts the requests of learners that wait for an administrator. */
export const pendingLearnerLinks = (db: Database): Promise<number> =>
  countOf(db.selectFrom('learner_link').where('state', '=', 'waiting'));

/** Ends sign-ins of learners that a provider reports as over, or whose link ended, if they began by `begunBefore`. */
export async function endLearnerProviderSessions(
  db: Database,
  by: { provider: ProviderKind; realm: string; subject?: string; session?: string },
  { now, begunBefore = now, except = 0 }: { now: number; begunBefore?: number; except?: number },
): Promise<void> {
  let sessions = db
    .selectFrom('learner_link_session')
    .select('session_id')
    .where('provider', '=', by.provider)
    .where('realm', '=', by.realm);
  if (by.subject) sessions = sessions.where('subject', '=', by.subject);
  if (by.session) sessions = sessions.where('session_key', '=', by.session);
  const ids = (await sessions.execute()).map(({ session_id }) => session_id).filter((id) => id !== except);
  await endLearnerSessionsById(db, ids, { now, begunBefore });
}
