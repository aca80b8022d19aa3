/**
 * Sign-in of learners by number and password. Wrong passwords are limited per number and address, and per number with a
 * higher limit. A device on which the learner has signed in before has a count of its own. So somebody who guesses
 * elsewhere does not lock the learner out.
 */
import { hash } from 'node:crypto';
import { countAttempt, type Limit, resetAttempts, undoAttempt } from '#server/platform/auth/attempts.ts';
import { logFailedSignIn } from '#server/platform/auth/failed-sign-in.ts';
import { dummyPasswordHash, passwordMatches } from '#server/platform/auth/password.ts';
import { invalid, Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { schoolPolicy } from '#server/school/settings.ts';
import { foldLatin, passwordMessages, passwordWaitMessage, plainMobile, wrongPasswordLimits } from './rules.ts';
import { type NumberRequest, studentsOfNumber } from './students-of-number.ts';

const { window } = wrongPasswordLimits;
const ofDevice: Limit = { kind: 'learner-password-device', max: wrongPasswordLimits.ofDevice, window };
const ofAddress: Limit = { kind: 'learner-password-address', max: wrongPasswordLimits.ofAddress, window };

/** Maximum characters of a password. A longer one cannot be right, so it is not hashed. */
const maxLength = 200;

export interface PasswordRequest extends NumberRequest {
  password: string;
  /** Random identifier that the application keeps in the learner's browser; '' if it keeps none. */
  device: string;
  /** Network address of the learner's browser; '' if the application does not send it. */
  address: string;
}

/** Hashes the identifier of a device; only the hash is stored. */
export const deviceHashOf = (device: string): string => (device === '' ? '' : hash('sha256', device, 'base64url'));

interface Count {
  limit: Limit;
  key: string;
}

/** Students with common counts: one learner on a known device, or all others with the number. */
interface Counted<Student> {
  students: Student[];
  /** When the newest password of these students was set; 0 if nobody has the number. */
  setAt: number;
  counts: Count[];
}

/**
 * Returns the student who has the number and the password. `isFirst`: the password must be changed. 422: the password
 * is wrong, or several learners with this number have it. 429: too many wrong passwords.
 */
export async function studentOfPassword(
  db: Database,
  log: Log,
  asked: PasswordRequest,
): Promise<{ studentId: number; isFirst: boolean; passwordHash: string } | Refusal> {
  const { password, device, address, now } = asked;
  const students = await studentsOfNumber(db, asked)
    .innerJoin('learner_password', 'learner_password.student_id', 'student.id')
    .select(['student.id', 'learner_password.password_hash', 'learner_password.is_first', 'learner_password.set_at'])
    .execute();
  const knowing = await studentsKnownOnDevice(
    db,
    students.map(({ id }) => id),
    deviceHashOf(device),
  );
  const groups = countedGroups(asked, students, { knowing, tries: (await schoolPolicy(db, now)).sign_in_tries });
  const ofEveryone: Count[] = [
    ...(device === '' ? [] : [{ limit: ofDevice, key: device }]),
    ...(address === '' || knowing.size > 0 ? [] : [{ limit: ofAddress, key: address }]),
  ];

  // Counts the attempt before checking the password, so that parallel guesses count too.
  const waits = await db.transaction().execute(async (trx) => {
    const wait = await countAll(trx, ofEveryone, now);
    if (wait !== undefined) return groups.map(() => wait);
    const each: (number | undefined)[] = [];
    for (const group of groups) each.push(await countGroup(trx, group, now));
    return each;
  });
  const allowed = groups.filter((_, place) => waits[place] === undefined);
  if (allowed.length === 0) {
    const wait = Math.min(...waits.map((seconds) => seconds ?? 0));
    logFailedSignIn(log, { identity: 'learner', reason: 'too many' });
    return new Refusal('too-many', passwordWaitMessage(wait), { retryAfter: wait });
  }
  const uncount = async () => {
    for (const { limit, key } of [...allowed.flatMap(({ counts }) => counts), ...ofEveryone])
      await undoAttempt(db, limit, key);
  };
  const matching = await matchingOf(
    password,
    allowed.flatMap((group) => group.students),
  ).catch(async (error) => {
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
  // A count of siblings stays: one of them must not reset the guesses at another.
  const own = allowed.find((group) => group.students.length === 1 && group.students[0] === student);
  for (const { limit, key } of own?.counts ?? []) await resetAttempts(db, limit, key);
  return { studentId: student.id, isFirst: student.is_first === 1, passwordHash: student.password_hash };
}

/**
 * Groups the students by what counts for them. Elsewhere than on known devices the typed number counts, whether a
 * student has it or not, so that the limit does not reveal which numbers exist.
 */
function countedGroups<Student extends { id: number; set_at: number }>(
  { number, device, address }: PasswordRequest,
  students: readonly Student[],
  { knowing, tries }: { knowing: ReadonlySet<number>; tries: number },
): Counted<Student>[] {
  const ofLearner: Limit = { kind: 'learner-password', max: tries, window };
  const ofNumber: Limit = { kind: 'learner-password-number', max: tries * wrongPasswordLimits.addresses, window };
  const groups = students
    .filter(({ id }) => knowing.has(id))
    .map((one) => ({
      students: [one],
      setAt: one.set_at,
      counts: [{ limit: ofLearner, key: `device ${one.id} ${device}` }],
    }));
  const others = students.filter(({ id }) => !knowing.has(id));
  if (others.length === 0 && groups.length > 0) return groups;
  const key = foldLatin(plainMobile(number));
  const counts = [
    { limit: ofLearner, key: `number ${key} ${address}` },
    { limit: ofNumber, key },
  ];
  return [...groups, { students: others, setAt: Math.max(0, ...others.map(({ set_at }) => set_at)), counts }];
}

/**
 * Counts an attempt at a group; returns the seconds to wait if it is refused. A password that was set after the first
 * wrong attempt gets new counts, so that a locked-out learner can use it at once.
 */
async function countGroup(db: Database, group: Counted<unknown>, now: number): Promise<number | undefined> {
  const wait = await countAll(db, group.counts, now);
  if (wait === undefined || group.setAt <= now + wait - window) return wait;
  group.counts = group.counts.map(({ limit, key }) => ({ limit, key: `${key} set ${group.setAt}` }));
  return countAll(db, group.counts, now);
}

/** Counts an attempt under all keys, until one refuses; returns the seconds to wait then. */
async function countAll(db: Database, counts: readonly Count[], now: number): Promise<number | undefined> {
  for (const { limit, key } of counts) {
    const wait = await countAttempt(db, limit, key, now);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

/** Returns the students who have this password. Takes as long if nobody has the number (timing attack). */
async function matchingOf<Student extends { password_hash: string }>(
  password: string,
  students: readonly Student[],
): Promise<Student[]> {
  if (password.length > maxLength) return [];
  const matching: Student[] = [];
  if (students.length === 0) await passwordMatches(password, await dummyPasswordHash());
  for (const student of students) if (await passwordMatches(password, student.password_hash)) matching.push(student);
  return matching;
}

/** Returns the ids of the students who have signed in on this device before. */
async function studentsKnownOnDevice(db: Database, ids: readonly number[], deviceHash: string): Promise<Set<number>> {
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
