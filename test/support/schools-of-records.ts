/** Checks that each row of the large tables has the same school as its parent row. */
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '#server/platform/db/engine.ts';

/** Join of a table to its parent. Undefined if the parent is a student, who may have changed school. */
const hangOn = {
  report: 'join class as owner on owner.id = report.class_id',
  answer: 'join report as owner on owner.id = answer.report_id',
  answer_draft: 'join report as owner on owner.id = answer_draft.report_id',
  attendance: 'join class as owner on owner.id = attendance.class_id',
  session_student:
    'join class_session on class_session.id = session_student.session_id join class as owner on owner.id = class_session.class_id',
  class_meeting_attendance:
    'join class_meeting on class_meeting.id = class_meeting_attendance.meeting_id join class as owner on owner.id = class_meeting.class_id',
  notice_read:
    'join class_notice on class_notice.id = notice_read.notice_id join class as owner on owner.id = class_notice.class_id',
  exam_answer: 'join exam_report as owner on owner.id = exam_answer.report_id',
  exam_attempt: undefined,
  study_record: undefined,
};

const countOf = async (db: Database, text: string) =>
  Number((await sql<{ n: number }>`${sql.raw(text)}`.execute(db)).rows[0]?.n);

/** Makes the check. Returns the number of rows of each table. */
export async function expectSchoolsOfRecords(db: Database): Promise<Record<string, number>> {
  const wrong: string[] = [];
  const rows: Record<string, number> = {};
  for (const [table, owner] of Object.entries(hangOn)) {
    rows[table] = await countOf(db, `select count(*) as n from ${table}`);
    const schoolless = await countOf(
      db,
      `select count(*) as n from ${table} where school_id is null or school_id not in (select id from school)`,
    );
    const others = owner
      ? await countOf(db, `select count(*) as n from ${table} ${owner} where owner.school_id <> ${table}.school_id`)
      : 0;
    if (schoolless + others > 0) wrong.push(`${table}: ${schoolless} of no school, ${others} of another`);
  }
  const unnamed = await countOf(
    db,
    `select count(*) as n from history where school_id is null and record in ('report', 'answer', 'exam_answer', 'attendance', 'class', 'student')
      and staff_id is not null`,
  );
  if (unnamed > 0) wrong.push(`history: ${unnamed} of no school`);
  expect(wrong).toEqual([]);
  return rows;
}
