/**
 * Sign-in of learners by number and password. Wrong passwords are limited per learner. A device on which the learner
 * has signed in before has a count of its own, so that somebody who guesses on another device does not lock the learner
 * out.
 */
import { hash } from 'node:crypto';
import { countAttempt, type Limit, resetAttempts, undoAttempt } from '#server/platform/auth/attempts.ts';
import { logFailedSignIn } from '#server/platform/auth/failed-sign-in.ts';
import { dummyPasswordHash, passwordMatches } from '#server/platform/auth/password.ts';
import { invalid, Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { schoolPolicy } from '#server/school/settings.ts';
import { passwordMessages, passwordWait, plainNumber, wrongPasswords } from './rules.ts';
import { type NumberAsked, studentsOfNumber } from './students-of-number.ts';

const { window } = wrongPasswords;
const ofDevice: Limit = { kind: 'learner-password-device', max: wrongPasswords.ofDevice, window };
const ofAddress: Limit = { kind: 'learner-password-address', max: wrongPasswords.ofAddress, window };

/** Maximum characters of a password. A longer one cannot be right, so it is not hashed. */
const maxLength = 200;

export interface PasswordAsked extends NumberAsked {
  password: string;
  /** Random identifier that the application keeps in the learner's browser; '' if it keeps none. */
  device: string;
  /** Network address of the learner's browser; '' if the application does not send it. */
  address: string;
}

/** Hashes the identifier of a device; only the hash is stored. */
export const deviceHashOf = (device: string): string => (device === '' ? '' : hash('sha256', device, 'base64url'));

/**
 * Returns the student who has the number and the password. `isFirst`: the password must be changed. 422: the password
 * is wrong, or several learners with this number have it. 429: too many wrong passwords.
 */
export async function studentOfPassword(
  db: Database,
  log: Log,
  asked: PasswordAsked,
): Promise<{ studentId: number; isFirst: boolean } | Refusal> {
  const { password, device, address, now } = asked;
  const ofLearner: Limit = { kind: 'learner-password', max: (await schoolPolicy(db, now)).sign_in_tries, window };
  const students = await studentsOfNumber(db, asked)
    .leftJoin('learner_password', 'learner_password.student_id', 'student.id')
    .select(['student.id', 'learner_password.password_hash', 'learner_password.is_first', 'learner_password.set_at'])
    .execute();
  const knowing = await knownOn(
    db,
    students.map(({ id }) => id),
    deviceHashOf(device),
  );
  // The key contains the time of the password: a new password starts a new count, so that a locked-out learner can use
  // it at once.
  const keyOf = ({ id, set_at }: { id: number; set_at: number | null }) =>
    `${id} ${set_at ?? 0} ${knowing.has(id) ? device : ''}`;
  const keys = students.length > 0 ? students.map(keyOf) : [`number ${plainNumber(asked.number)}`];

  // Counts the attempt before checking the password, so that parallel guesses count too.
  const waits = await db.transaction().execute(async (trx) => {
    const every = [
      device === '' ? undefined : await countAttempt(trx, ofDevice, device, now),
      address === '' || knowing.size > 0 ? undefined : await countAttempt(trx, ofAddress, address, now),
    ].find((wait) => wait !== undefined);
    if (every !== undefined) return keys.map(() => every);
    const each: (number | undefined)[] = [];
    for (const key of keys) each.push(await countAttempt(trx, ofLearner, key, now));
    return each;
  });
  if (!waits.includes(undefined)) {
    const wait = Math.min(...waits.map((seconds) => seconds ?? 0));
    logFailedSignIn(log, { identity: 'learner', reason: 'too many' });
    return new Refusal('too-many', passwordWait(wait), { retryAfter: wait });
  }
  const uncount = async () => {
    for (const [place, key] of keys.entries()) if (waits[place] === undefined) await undoAttempt(db, ofLearner, key);
    if (device !== '') await undoAttempt(db, ofDevice, device);
    if (address !== '' && knowing.size === 0) await undoAttempt(db, ofAddress, address);
  };
  const allowed = students.filter((_, place) => waits[place] === undefined);
  const matching = await matchingOf(password, allowed).catch(async (error) => {
    // If the check itself fails, the attempt does not count as wrong.
    await uncount();
    throw error;
  });
  const [student, other] = matching;
  if (!student) {
    logFailedSignIn(log, { identity: 'learner', reason: 'wrong' });
    return invalid({ password: [passwordMessages.wrong] });
  }
  await uncount();
  if (other) return invalid({ number: [passwordMessages.several] });
  await resetAttempts(db, ofLearner, keyOf(student));
  return { studentId: student.id, isFirst: student.is_first === 1 };
}

/** Returns the students who have this password. Takes as long if no student has a password (timing attack). */
async function matchingOf<Student extends { password_hash: string | null }>(
  password: string,
  students: readonly Student[],
): Promise<Student[]> {
  if (password.length > maxLength) return [];
  const matching: Student[] = [];
  const withPassword = students.filter(({ password_hash }) => password_hash !== null);
  if (withPassword.length === 0) await passwordMatches(password, await dummyPasswordHash());
  for (const student of withPassword)
    if (await passwordMatches(password, student.password_hash ?? '')) matching.push(student);
  return matching;
}

/** Returns the ids of the students who have signed in on this device before. */
async function knownOn(db: Database, ids: readonly number[], deviceHash: string): Promise<Set<number>> {
  if (ids.length === 0 || deviceHash === '') return new Set();
  const rows = await db
    .selectFrom('learner_session')
    .select('student_id')
    .distinct()
    .where('student_id', 'in', ids)
    .where('device_hash', '=', deviceHash)
    .execute();
  return new Set(rows.map(({ student_id }) => student_id));
}
