/** A learner's own links to identity providers. */
import { conflict, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { deliversTextMessages } from '#server/school/settings.ts';
import type { OwnLink } from './learner-application.ts';
import { endLearnerProviderSessions } from './learner-links.ts';
import { knownProviders, realmOf } from './provider.ts';
import { lastLearnerMethodFault, learnerIdentityMessages } from './rules.ts';

interface Asking {
  db: Database;
  /** Unix seconds. */
  now: number;
}
interface LearnerSession {
  sessionId: number;
  studentId: number;
}

/** Returns the learner's links to providers that are in use for learners. */
async function linksOf(db: Database, studentId: number) {
  const providers = (await knownProviders(db)).filter(({ forLearners }) => forLearners);
  const links = await db
    .selectFrom('learner_link')
    .select(['id', 'provider', 'realm', 'subject', 'number', 'name', 'used_at'])
    .where('student_id', '=', studentId)
    .where('state', '=', 'linked')
    .orderBy('id')
    .execute();
  return links.flatMap((link) => {
    const provider = providers.find((one) => one.kind === link.provider && realmOf(one) === link.realm);
    return provider ? [{ ...link, provider_name: provider.name }] : [];
  });
}

/** True if the learner has a password of their own, or gets codes by text message. */
async function hasOtherWay({ db, now }: Asking, studentId: number): Promise<boolean> {
  const password = await db
    .selectFrom('learner_password')
    .select('is_first')
    .where('student_id', '=', studentId)
    .executeTakeFirst();
  // A printed password may be lost, so it does not count.
  if (password?.is_first === 0) return true;
  const { mobile, guardian_mobile } = await db
    .selectFrom('student')
    .select(['mobile', 'guardian_mobile'])
    .where('id', '=', studentId)
    .executeTakeFirstOrThrow();
  return (mobile || guardian_mobile) !== '' && (await deliversTextMessages(db, now));
}

export async function ownLinks(asking: Asking, { studentId }: LearnerSession): Promise<OwnLink[]> {
  const links = await linksOf(asking.db, studentId);
  if (links.length === 0) return [];
  const fault = lastLearnerMethodFault(links.length > 1 || (await hasOtherWay(asking, studentId))) ?? '';
  return links.map(({ provider, provider_name, number, name, used_at }) => ({
    provider,
    provider_name,
    number,
    name,
    used_at,
    fault,
  }));
}

/**
 * Removes the learner's link to a provider; this sign-in stays valid, others by it end. 404: not linked. 409: the
 * learner could no longer sign in.
 */
export async function removeOwnLink(
  asking: Asking,
  { sessionId, studentId }: LearnerSession,
  kind: string,
): Promise<null | Refusal> {
  const { db, now } = asking;
  await forUpdate(db)(db.selectFrom('student').select('id').where('id', '=', studentId)).execute();
  const links = await linksOf(db, studentId);
  const found = links.find(({ provider }) => provider === kind);
  if (!found) return missing(learnerIdentityMessages.notLinked);
  const fault = lastLearnerMethodFault(links.length > 1 || (await hasOtherWay(asking, studentId)));
  if (fault) return conflict(fault);
  const { id, provider, realm, subject, number } = found;
  await db.deleteFrom('learner_link').where('id', '=', id).execute();
  await endLearnerProviderSessions(db, { provider, realm, subject }, { now, except: sessionId });
  await recordHistory(db, {
    actor: null,
    now,
    record: 'learner_link',
    recordId: id,
    action: 'remove',
    before: { student_id: studentId },
    after: { provider, number, student_id: null },
  });
  return null;
}
