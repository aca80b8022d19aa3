/** Gives homework to students whom an import adds to a class, and moves their reports along. */
import { assignHomework, lockOpenHomeworkOfClasses } from '#server/homework/assign.ts';
import { moveReportsWithStudents } from '#server/homework/report-transfer.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { groupRows, historyOf, type ImportContext, membershipId, recordImport } from '#server/school/importer.ts';

/** Moves the reports of imported students to their new class. Returns them by membership id (`membershipId`). */
export async function moveReportsAlong(
  context: ImportContext,
  stays: readonly { classId: number; studentId: number }[],
  end: 'from' | 'to',
) {
  const ends = stays.map(({ classId, studentId }) => ({ class_id: classId, student_id: studentId }));
  const moved = await moveReportsWithStudents(context.db, recordImport(context), ends, end);
  return groupRows(moved, (report) => membershipId(report[end], report.student_id));
}

/**
 * Gives new members the open homework of their class. Returns the ids of the homework by membership id
 * (`membershipId`).
 */
export async function assignOpenHomework(
  context: ImportContext,
  stays: readonly { classId: number; studentId: number }[],
) {
  const { db, now } = context;
  const classIds = [...new Set(stays.map(({ classId }) => classId))];
  const homework = await lockOpenHomeworkOfClasses(db, classIds, now);
  const had = new Map<string, number[]>();
  for (const { id, class_id } of homework) {
    const studentIds = stays.filter(({ classId }) => classId === class_id).map(({ studentId }) => studentId);
    const received = await assignHomework(db, { homeworkId: id, classId: class_id, studentIds, now });
    for (const studentId of received) {
      const key = membershipId(class_id, studentId);
      getOrAdd(had, key, () => []).push(id);
    }
    if (received.length > 0)
      await historyOf(context, 'homework')('join', [
        { recordId: id, before: null, after: { class_id, student_ids: received } },
      ]);
  }
  return had;
}
