/** First passwords of learners. They are shown once, stored as hashes, and must be changed at the first sign-in. */
import { generatedPassword } from '#server/account/generated-password.ts';
import { missingClass, missingStudent } from '#server/classes/rules.ts';
import { adminClasses } from '#server/classes/visible.ts';
import { hashPassword } from '#server/platform/auth/password.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import { requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { recordHistoryOfMany } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { GivenLearnerPassword, LearnerPasswordRow } from './passwords.contract.ts';
import {
  endedPasswordsSentence,
  learnerPasswordFault,
  learnerPasswordLength,
  learnerPasswordsLimit,
  type PasswordState,
  passwordMessages,
  signInNumber,
} from './rules.ts';
import { endLearnerSessionsOf } from './sessions.ts';
import { countSharers } from './students-of-number.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Lists the students of a class, or one student, with the state of their passwords. 404: no such class or student. */
export async function learnerPasswords(
  context: Pick<RequestContext, 'db' | 'actor'>,
  { class_id, student_id }: { class_id?: number | undefined; student_id?: number | undefined },
): Promise<{ title: string; list: LearnerPasswordRow[] } | Refusal> {
  const { db, actor } = context;
  if (class_id === undefined) {
    const [student] = student_id === undefined ? [] : await rowsOf(context, [student_id]);
    return student ? { title: student.nickname, list: [student] } : missing(missingStudent);
  }
  const theClass = await adminClasses(db, actor)
    .select('class.name')
    .where('class.id', '=', class_id)
    .executeTakeFirst();
  if (!theClass) return missing(missingClass);
  const members = await db
    .selectFrom('class_student')
    .select('student_id')
    .where('class_id', '=', class_id)
    .where('left_at', 'is', null)
    .execute();
  return {
    title: theClass.name,
    list: await rowsOf(
      context,
      members.map(({ student_id: id }) => id),
    ),
  };
}

/** Reads students of the administrator's schools, sorted by number and name. */
async function rowsOf(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  ids: readonly number[],
): Promise<LearnerPasswordRow[]> {
  if (ids.length === 0) return [];
  const rows = await adminStudents(db, actor)
    .leftJoin('learner_password', 'learner_password.student_id', 'student.id')
    .select(['student.id', 'student.nickname', 'student.number', 'student.mobile', 'student.disabled_at'])
    .select(['learner_password.is_first', 'learner_password.set_at'])
    .where('student.id', 'in', [...ids])
    .orderBy('student.number')
    .orderBy('student.pinyin')
    .orderBy('student.id')
    .execute();
  const sharersOf = await countSharers(db, rows.map(signInNumber));
  return rows.map(({ id, nickname, disabled_at, is_first, set_at, ...numbers }) => {
    const number = signInNumber(numbers);
    const is_disabled = disabled_at === null ? 0 : 1;
    const fault = learnerPasswordFault({ ...numbers, is_disabled, sharers: sharersOf(number) }) ?? '';
    return { id, nickname, number, state: stateOf(is_first), set_at, fault };
  });
}

const stateOf = (isFirst: 0 | 1 | null): PasswordState => (isFirst === null ? 'none' : isFirst === 1 ? 'first' : 'own');

/**
 * Gives first passwords to several students. 422: nobody is chosen, or too many. 404: the actor does not see a student.
 * 409: a student cannot sign in, or the user has not confirmed that earlier passwords end.
 */
export async function giveFirstPasswords(
  context: RequestContext,
  { ids, acknowledged }: { ids: readonly number[]; acknowledged: string },
): Promise<TransactionWork<GivenLearnerPassword[] | Refusal> | Refusal> {
  if (ids.length === 0) return invalid({ ids: [passwordMessages.nobodyChosen] });
  if (ids.length > learnerPasswordsLimit) return invalid({ ids: [passwordMessages.tooManyChosen] });
  const request = { ids, acknowledged };
  const refusal = refusalOf(await rowsOf(context, ids), request);
  if (refusal) return refusal;
  const passwords: { password: string; hash: string }[] = [];
  // Hashes one password after the other, so that others can sign in meanwhile.
  for (const _ of ids) {
    const password = generatedPassword(learnerPasswordLength);
    passwords.push({ password, hash: await hashPassword(password) });
  }
  const { actor, now } = context;
  return new TransactionWork(async (db) => {
    await forUpdate(db)(
      db
        .selectFrom('student')
        .select('id')
        .where('id', 'in', [...ids])
        .orderBy('id'),
    ).execute();
    const students = await rowsOf({ db, actor }, ids);
    // Checks again: somebody else may have given passwords meanwhile.
    const late = refusalOf(students, request);
    if (late) return late;
    const written = students.map(({ id }, place) => ({
      student_id: id,
      password_hash: passwords[place]?.hash ?? '',
      is_first: 1 as const,
      set_at: now,
    }));
    await db
      .insertInto('learner_password')
      // Sorted by id, as sign-ins lock these rows, so that the two cannot deadlock.
      .values(written.sort((one, other) => one.student_id - other.student_id))
      .onConflict((known) =>
        known.column('student_id').doUpdateSet((eb) => ({
          password_hash: eb.ref('excluded.password_hash'),
          is_first: eb.ref('excluded.is_first'),
          set_at: eb.ref('excluded.set_at'),
        })),
      )
      .execute();
    // Ends the sign-ins of students whose password is replaced. A student without a password signed in by text message,
    // and stays signed in.
    const replaced = students.filter(({ state }) => state !== 'none').map(({ id }) => id);
    if (replaced.length > 0) await endLearnerSessionsOf(db, replaced, { now });
    await recordHistoryOfMany(db, {
      actor,
      now,
      record: 'student',
      action: 'password',
      changes: students.map(({ id, state }) => ({
        recordId: id,
        before: { login_password: state },
        after: { login_password: 'first' satisfies PasswordState },
      })),
    });
    return students.map(({ id, nickname, number }, place) => ({
      id,
      nickname,
      number,
      password: passwords[place]?.password ?? '',
    }));
  });
}

function refusalOf(
  students: readonly LearnerPasswordRow[],
  { ids, acknowledged }: { ids: readonly number[]; acknowledged: string },
): Refusal | undefined {
  if (students.length < ids.length) return missing(missingStudent);
  const faulty = students.find(({ fault }) => fault !== '');
  if (faulty) return conflict(`${faulty.nickname}：${faulty.fault}`);
  return requireConfirmation(endedPasswordsSentence(students), acknowledged);
}
