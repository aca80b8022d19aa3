/** Adds the demo school's administrators, and work that waits for them. */
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistoryOfMany } from '#server/platform/db/history.ts';
import { dayOf } from '#server/school/calendar.ts';
import { nationalDays } from '#server/settings/national-holidays.ts';

const hour = 60 * 60;
const day = 24 * hour;

/** Called last, so that the ids of all other demo rows stay the same. */
export async function addAdministration(
  db: Database,
  { passwordHash, now, timezone }: { passwordHash: string; now: number; timezone: string },
): Promise<void> {
  const administrator = await addAdministrator(db, { passwordHash, now });
  await addClosedDays(db, { now, timezone });
  await addErrorReport(db, now);
  await addExamDraft(db, administrator, now);
  await addHandoutDecisions(db, administrator, now);
}

/** Adds an administrator of all schools with every permission. */
async function addAdministrator(
  db: Database,
  { passwordHash, now }: { passwordHash: string; now: number },
): Promise<{ id: number; school_id: number }> {
  const { id } = await db.selectFrom('school').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
  const staff = await db
    .insertInto('staff')
    .values({
      identity: 'admin',
      username: 'admin',
      password_hash: passwordHash,
      real_name: '沈静怡',
      mobile: '13800002026',
      introduction: '教务处，负责人员、课程与排课。',
      school_id: id,
      every_school: 1,
      can_people: 1,
      can_teaching: 1,
      can_exams: 1,
      can_settings: 1,
      can_audit: 1,
      disabled_at: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id: staff.id, school_id: id };
}

/** Adds this year's national holidays; next year's holidays wait to be adopted. */
async function addClosedDays(db: Database, { now, timezone }: { now: number; timezone: string }) {
  const { days } = nationalDays(Number(dayOf(now, timezone).slice(0, 4)));
  await db.insertInto('holiday').values(days).execute();
}

/** Adds an undecided report of a fault in a public question, by somebody else than the question's owner. */
async function addErrorReport(db: Database, now: number): Promise<void> {
  const question = await publicQuestions(db).where('question.ques_type', '=', 1).executeTakeFirst();
  if (!question) return;
  const reporter = await db
    .selectFrom('staff')
    .select('id')
    .where('identity', '=', 'teacher')
    .where('id', '!=', question.owner_id)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('question_correction')
    .values({
      question_id: question.id,
      stem_text: question.stem_text,
      staff_id: reporter.id,
      type: 4,
      error_msg: '解析只写了结论，缺少中间一步，学生看不懂，请补充。',
      created_at: now - day,
    })
    .execute();
}

/** Adds a half-finished exam: one section has scored questions, the other has none. */
async function addExamDraft(
  db: Database,
  { id: creator_id, school_id }: { id: number; school_id: number },
  now: number,
): Promise<void> {
  const chosen = await publicQuestions(db).where('question.ques_type', 'in', [1, 2, 3]).limit(6).execute();
  // Score of each question in tenths of a point.
  const each = 50;
  const exam = await db
    .insertInto('exam')
    .values({
      name: '期末模拟考试（草稿）',
      introduce: '请独立完成，交卷前检查一遍。',
      category_id: null,
      limit_time: 90 * 60,
      score: each * chosen.length,
      pass_score: (each * chosen.length * 6) / 10,
      ques_num: chosen.length,
      status: 2,
      creator_id,
      school_id,
      created_at: now - day,
      start_at: now + 7 * day,
      end_at: now + 8 * day,
      attempts: 1,
      published_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const sections = await db
    .insertInto('exam_section')
    .values([
      { exam_id: exam.id, name: '一、选择题', introduce: '每题5分。', sort: 1 },
      { exam_id: exam.id, name: '二、解答题', introduce: '', sort: 2 },
    ])
    .returning('id')
    .execute();
  const [first] = sections.map(({ id }) => id).sort((one, other) => one - other);
  if (first === undefined || chosen.length === 0) return;
  await db
    .insertInto('exam_question')
    .values(
      chosen.map(({ id, owner_id: _, stem_text: __, ...question }, index) => ({
        ...question,
        exam_id: exam.id,
        section_id: first,
        source_id: id,
        parent_id: null,
        sort: index + 1,
        score: each,
      })),
    )
    .execute();
}

const publicQuestions = (db: Database) =>
  db
    .selectFrom('question')
    .select(['question.id', 'question.owner_id', 'question.stem_text', 'question.ques_type', 'question.ques_stem'])
    .select(['question.ques_option', 'question.right_answer', 'question.ques_analysis', 'question.facility_value'])
    .where('question.is_public', '=', 1)
    .where('question.parent_id', 'is', null)
    .orderBy('question.id');

/** Adds decisions on yesterday's handouts, in two batches. */
async function addHandoutDecisions(db: Database, administrator: { id: number }, now: number): Promise<void> {
  const decisions = [
    { status: 1, action: 'handout-approve', at: now - 22 * hour },
    { status: 4, action: 'handout-reject', at: now - 21 * hour },
  ] as const;
  for (const { status, action, at } of decisions) {
    const handouts = await db
      .updateTable('session_handout')
      .set({ decided_at: at, decided_by: administrator.id })
      .where('status', '=', status)
      .returning(['session_id', 'file_name', 'file_remark'])
      .execute();
    await recordHistoryOfMany(db, {
      actor: administrator,
      now: at,
      record: 'class_session',
      action,
      changes: handouts.map(({ session_id, file_name, file_remark }) => ({
        recordId: session_id,
        before: { file_name, handout_status: 3 },
        after: { file_name, handout_status: status, ...(status === 4 && { file_remark }) },
      })),
    });
  }
}
