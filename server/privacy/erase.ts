/** Erases a student's data: texts by the student, contacts, and texts about the student. Scores and counts stay. */
import { missingStudent } from '#server/classes/rules.ts';
import { endStays, presentStays } from '#server/enrolment/leaving.ts';
import { examUnderWay } from '#server/exams/privacy.ts';
import { importUnderWay } from '#server/import/privacy.ts';
import { emitErasureEvent } from '#server/learners/events.ts';
import { conflict, invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Person } from '#server/platform/db/privacy.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import type { RuleContext } from '#server/school/context.ts';
import { logView } from '#server/school/view-log.ts';
import { disablingEffect } from '#server/students/record.ts';
import type { ErasurePreview } from './contract.ts';
import { queueFilesForRemoval } from './removal.ts';
import { eraseFault, erasureConfirmation, personalMessages, personalTableNames } from './rules.ts';
import { personalTables } from './tables.ts';

/** The administrator who erases, or null on the command line, which sees all schools. */
export type Eraser = Pick<RuleContext<'actor' | 'now'>, 'db' | 'now'> & {
  actor: Pick<RuleContext<'actor'>['actor'], 'id' | 'everySchool'> | null;
};

interface StoredStudent {
  id: number;
  school_id: number;
  nickname: string;
  number: string;
  mobile: string;
  guardian_mobile: string;
  erased_at: number | null;
}

/** Returns a student. 404: not a student of the administrator's schools. */
export async function findStudent({ db, actor }: Eraser, id: number): Promise<StoredStudent | Refusal> {
  const students = actor ? adminStudents(db, actor) : db.selectFrom('student').where('student.deleted_at', 'is', null);
  const found = await students
    .select(['student.id', 'student.nickname', 'student.number', 'student.mobile', 'student.guardian_mobile'])
    .select(['student.erased_at', 'student.school_id'])
    .where('student.id', '=', id)
    .executeTakeFirst();
  return found ?? missing(missingStudent);
}

/** Returns the name and numbers of a student, by which rows without the student's id are found. */
export const personToErase = ({ actor, now }: Eraser, student: StoredStudent): Person => ({
  id: student.id,
  actor,
  now,
  texts:
    student.erased_at === null
      ? [student.nickname, student.mobile, student.guardian_mobile].filter((text) => text !== '')
      : [],
});

async function faultOf({ db, now }: Eraser, { id, erased_at }: StoredStudent): Promise<string | undefined> {
  const exam = await examUnderWay(db, id);
  const isImporting = await importUnderWay(db);
  return eraseFault({ is_erased: erased_at === null ? 0 : 1 }, { exam, isImporting, now });
}

/** Lists by table which rows an erasure would remove. 404: not a student of the administrator's schools. */
export async function previewErasure(context: Eraser, id: number): Promise<ErasurePreview | Refusal> {
  const { db, now } = context;
  const student = await findStudent(context, id);
  if (isRefusal(student)) return student;
  if (context.actor) await logView({ db, actor: context.actor, now }, id);
  const who = personToErase(context, student);
  const counts: ErasurePreview['counts'] = [];
  for (const { table, becomes, rows } of personalTables) {
    const { length } = await rows(db, who).selectAll().execute();
    if (length > 0) counts.push({ table, name: personalTableNames[table] ?? table, becomes, count: length });
  }
  return {
    nickname: student.nickname,
    confirmation: erasureConfirmation(student),
    fault: (await faultOf(context, student)) ?? '',
    leaving: (await disablingEffect(db, await presentStays(db, id), now)) ?? '',
    counts,
  };
}

/**
 * Erases a student in the transaction `context.db`; `deleteErasedFiles` deletes the files after its commit. 404: no such
 * student. 409: the student is erased already or is taking an exam, or an import runs. 422: the confirmation does not
 * match.
 */
export async function erase(context: Eraser, id: number, confirmation: string | undefined): Promise<null | Refusal> {
  const { db, actor, now } = context;
  await forUpdate(db)(db.selectFrom('student').select('id').where('id', '=', id)).execute();
  const student = await findStudent(context, id);
  if (isRefusal(student)) return student;
  const fault = await faultOf(context, student);
  if (fault) return conflict(fault);
  if (confirmation !== undefined && confirmation.trim() !== erasureConfirmation(student))
    return invalid({ confirmation: [personalMessages.confirmation] });
  await endStays(context, await presentStays(db, id), { leftAt: now, reason: '' });
  await eraseData(db, personToErase(context, student));
  await emitErasureEvent(db, student, now);
  await recordHistory(db, {
    actor,
    now,
    record: 'student',
    recordId: id,
    action: 'erase',
    before: null,
    after: null,
  });
  return null;
}

async function eraseData(db: Database, who: Person): Promise<void> {
  const files: string[] = [];
  for (const { erase: take } of personalTables) files.push(...((await take?.(db, who)) ?? []));
  await queueFilesForRemoval(db, files, who.now);
}

/** Seconds after an erasure within which it is repeated. */
const repeatWindow = 3 * 24 * 60 * 60;

/**
 * Repeats the erasure of students who were erased in the last days: a request that ran during the erasure may have
 * written data after it. Returns the number of students.
 */
export async function repeatErasures(db: Database, now: number): Promise<number> {
  const students = await db
    .selectFrom('student')
    .select('id')
    .where('erased_at', '>=', now - repeatWindow)
    .execute();
  for (const { id } of students)
    await db.transaction().execute((trx) => eraseData(trx, { id, texts: [], actor: null, now }));
  return students.length;
}
