/** Creates a student with rows in every table about students; all of them hold recognisable marks. */
import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import { ownerOf } from '#server/schema/table-owners.ts';
import { addExam, handIn as handInExam, review } from './exams.ts';
import { record } from './imports.ts';
import { learnerOf } from './learner.ts';
import { addPaper, essayOf, handIn } from './paper.ts';
import { noon, type TestSchool } from './school.ts';
import { insertSession } from './sessions.ts';

export const planted = {
  name: '苗青葵',
  mobile: '13812340001',
  guardian: '13812340002',
  /** In every text written by or about the student. */
  text: '密语七',
} as const;

const hour = 3600;

/** Lists the tables with rows that hold one of the marks. */
export async function tablesWithMarks(db: Database, marks: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of Object.keys(ownerOf)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
    for (const row of rows) {
      const mark = marks.find((one) => JSON.stringify(row).includes(one));
      if (mark !== undefined) found.push(`${table}: ${mark}`);
    }
  }
  return [...new Set(found)].sort();
}

/** Lists the keys of the files in the school's storage. */
export async function filesKept(school: TestSchool): Promise<string[]> {
  const files = await readdir(school.filesFolder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && !file.parentPath.includes('.receiving'))
    .map((file) => `${file.parentPath}/${file.name}`.slice(school.filesFolder.length + 1))
    .sort();
}

export interface PlantedStudent {
  id: number;
  homeworkId: number;
  reportId: number;
  essay: number;
  examId: number;
  examReportId: number;
  groupId: number;
  /** Addresses of the student's uploads, and of drawings on them. */
  pictures: string[];
  import: { source: string; id: number };
}

export async function plantStudent(school: TestSchool, { number = '20260777' } = {}): Promise<PlantedStudent> {
  const { db } = school.database;
  const { people, classes, periods } = school;
  const { text } = planted;
  const admin = school.as('admin');
  const source = `学籍${number}`;
  const school_id = (await db.selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow()).id;

  // ---- they come by an import, and are known to it
  const records = [
    record('student', 'E-77', {
      nickname: planted.name,
      number,
      mobile: planted.mobile,
      guardian_mobile: planted.guardian,
    }),
    record('student', '', { nickname: planted.name, number: '1 2', mobile: planted.mobile }),
  ];
  const sent = await admin.post('import', { source, mode: 'delta', kinds: ['student'], records });
  const importId = sent.body.data.id as number;
  const applied = await admin.post(`import/${importId}/apply`, {});
  if (applied.status !== 200) throw new Error(JSON.stringify(applied.body));
  const { id } = await db
    .selectFrom('student')
    .select('id')
    .where('nickname', '=', planted.name)
    .executeTakeFirstOrThrow();

  await db
    .insertInto('import_remark')
    .values({
      import_id: importId,
      tone: 'refused',
      file: '名单',
      place: 9,
      field: 'number',
      message: `${planted.name}的学号不能有空格`,
    })
    .execute();

  // ---- in classes
  await admin.post(`classes/${classes.k1}/members`, { ids: [id], acknowledged: '' });
  const joined = await db.selectFrom('class_student').select('id').where('student_id', '=', id).execute();
  if (joined.length !== 1) throw new Error(`in ${joined.length} classes`);
  await db
    .insertInto('class_earlier_stay')
    .values({
      class_id: classes.k1,
      student_id: id,
      joined_at: noon - 99,
      left_at: noon - 9,
      left_reason: `${text}离开`,
    })
    .execute();

  // ---- homework
  const pictures = [await school.keepPicture(), await school.keepPicture(), await school.keepPicture()];
  const [inAnswer, drawn, ofPost] = pictures as [string, string, string];
  const paper = await addPaper(school, { creator: 'teacher', classes: [classes.k1], name: '植入作业' });
  const reportId = await handIn(school, paper, id, { essay: essayOf(`${text}答案`, [inAnswer]) });
  await school.as('teacher').post('hw/review/storeQuestion', {
    report_id: reportId,
    question_id: paper.questions.essay,
    type: 2,
    version: 0,
    user_score: 7,
    comment: `${text}评语`,
    image: [{ draw: '', path: drawn }],
  });
  await db
    .updateTable('report')
    .set({ comment: `${text}总评` })
    .where('id', '=', reportId)
    .execute();
  const draftHomework = await addPaper(school, { creator: 'teacher', classes: [classes.k1], name: '未交作业' });
  const unsent = await db
    .selectFrom('report')
    .select('id')
    .where('homework_id', '=', draftHomework.homeworkId)
    .where('student_id', '=', id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('answer_draft')
    .values({
      report_id: unsent.id,
      version: 1,
      answers: JSON.stringify([{ ques_id: 1, user_answer: `${text}草稿` }]),
      answer_time: 1,
      saved_at: noon,
    })
    .execute();
  await db
    .insertInto('homework_draft')
    .values({ owner_id: people.teacher.id, form: `给${planted.name}的作业`, saved_at: noon, key: 'k', name: '草稿' })
    .execute();
  await db
    .insertInto('homework_reminder')
    .values({ homework_id: draftHomework.homeworkId, student_id: id, staff_id: people.teacher.id, sent_at: noon })
    .execute();
  const batch = await db
    .insertInto('grading_batch')
    .values({ staff_id: people.teacher.id, record: 'answer', at: noon, undone_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const answer = await db
    .selectFrom('answer')
    .select('id')
    .where('report_id', '=', reportId)
    .where('question_id', '=', paper.questions.essay)
    .executeTakeFirstOrThrow();
  const before = JSON.stringify({ review_comment: `${text}先前` });
  await db
    .insertInto('grading_batch_answer')
    .values({ batch_id: batch.id, answer_id: answer.id, report_id: reportId, version: 1, before })
    .execute();

  // ---- an exam
  const exam = await addExam(db, { creator: people.teacher.id, school: school_id, name: '植入考试' });
  const examReportId = await handInExam(db, exam, id, [
    '2',
    '1',
    '1,3',
    '1-3,2-4',
    `${text}@@5`,
    essayOf(`${text}作文`),
    '1',
    essayOf(`${text}材料`),
  ]);
  await review(db, examReportId, [150, 150]);
  await db
    .updateTable('exam_report')
    .set({ comment: `${text}试评` })
    .where('id', '=', examReportId)
    .execute();
  await db
    .updateTable('exam_answer')
    .set({ review_comment: `${text}改` })
    .where('report_id', '=', examReportId)
    .execute();
  // An exam attempt without a time limit.
  const practice = await addExam(db, { creator: people.teacher.id, school: school_id, name: '练习', limit: 0 });
  const attempt = await db
    .insertInto('exam_attempt')
    .values({
      exam_id: practice.id,
      student_id: id,
      started_at: noon,
      limit_at: null,
      handed_in_at: null,
      report_id: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('exam_attempt_answer')
    .values({
      attempt_id: attempt.id,
      question_id: practice.questions[0] as number,
      user_answer: `${text}未交`,
      is_sign: 0,
      serial: 1,
      saved_at: noon,
    })
    .execute();

  // ---- attendance, lessons, talks
  const mark = await db
    .insertInto('attendance')
    .values({
      class_id: classes.k1,
      student_id: id,
      period_id: periods.mine,
      op_status: 1,
      leave_cause: `${text}请假`,
      requested_at: noon,
      requested_by: null,
      decided_at: null,
      decided_by: null,
      changed_at: noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('study_record').values({ student_id: id, period_id: periods.mine, live_seconds: 60 }).execute();
  const roll = await db
    .insertInto('roll_call')
    .values({
      staff_id: people.teacher.id,
      class_id: classes.k1,
      period_id: periods.mine,
      session_id: null,
      at: noon,
      undone_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('roll_call_mark')
    .values({ roll_call_id: roll.id, record_id: mark.id, before: `{"remark":"${text}"}`, after: '{}' })
    .execute();
  const course = await db
    .selectFrom('period')
    .select('course_id')
    .where('id', '=', periods.mine)
    .executeTakeFirstOrThrow();
  const lesson = await insertSession(school, {
    course_id: course.course_id,
    start_time: noon - 2 * hour,
    created_at: noon - 9 * hour,
  });
  await db
    .insertInto('session_student')
    .values({
      session_id: lesson,
      student_id: id,
      status: 1,
      remark: `${text}备注`,
      set_by: people.teacher.id,
      set_at: noon,
      teacher_remark: `${text}评价`,
      teacher_remark_by: people.teacher.id,
      teacher_remark_at: noon,
      student_remark: `${text}感想`,
    })
    .execute();
  await db
    .insertInto('communication_record')
    .values({
      session_id: lesson,
      student_id: id,
      staff_id: people.teacher.id,
      content: `${text}沟通`,
      created_at: noon,
    })
    .execute();

  // ---- the circle of the class
  const circle = await db
    .insertInto('community_group')
    .values({
      group_type: 1,
      class_id: classes.k1,
      school_id,
      name: '一班圈',
      created_at: noon,
      put_away_at: null,
      post_num: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const post = await db
    .insertInto('community_post')
    .values({
      group_id: circle.id,
      user_type: 1,
      staff_id: null,
      student_id: id,
      content: `${text}帖子`,
      images: JSON.stringify([ofPost]),
      created_at: noon,
      deleted_at: null,
      deleted_by: null,
      comment_num: 1,
      like_num: 1,
      report_num: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('community_comment')
    .values({
      post_id: post.id,
      user_type: 1,
      staff_id: null,
      student_id: id,
      content: `${text}评论`,
      created_at: noon,
    })
    .execute();
  await db
    .insertInto('community_like')
    .values({ post_id: post.id, staff_id: null, student_id: id, created_at: noon })
    .execute();
  await db
    .insertInto('community_report')
    .values({ post_id: post.id, staff_id: people.teacher.id, type: 1, content: `${text}举报`, created_at: noon })
    .execute();
  await db
    .insertInto('history')
    .values({
      at: noon,
      staff_id: people.teacher.id,
      record: 'community_comment',
      record_id: 99_999,
      action: 'delete',
      before: JSON.stringify({ post_id: post.id, content: `${text}删掉的评论`, staff_id: null, student_id: id }),
      after: null,
    })
    .execute();

  // ---- notices, meetings
  const notice = await db
    .insertInto('class_notice')
    .values({
      class_id: classes.k1,
      title: '春游',
      content: '<p>带伞</p>',
      staff_id: people.teacher.id,
      created_at: noon,
      updated_at: noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('notice_read').values({ notice_id: notice.id, student_id: id, read_at: noon }).execute();

  // ---- signed in, told, sent
  await learnerOf(school, id);
  await db
    .insertInto('learner_code')
    .values({ student_id: id, code_hash: 'x', sent_at: noon, first_sent_at: noon, sent: 1 })
    .execute();
  await db
    .insertInto('learner_password')
    .values({ student_id: id, password_hash: 'x', is_first: 1, set_at: noon })
    .execute();
  await db
    .insertInto('learner_event')
    .values({
      at: noon,
      kind: 'leave.decided',
      student_id: id,
      school_id,
      record_id: mark.id,
      details: JSON.stringify({ cause: `${text}请假` }),
    })
    .execute();
  const message = { created_at: noon, next_try_at: noon, delivered_at: null, session_id: null, lane: '' };
  await db
    .insertInto('sms_outbox')
    .values([
      {
        ...message,
        message_id: `a${number}`,
        mobile: planted.mobile,
        content: `${planted.name}的验证码`,
        student_id: id,
      },
      { ...message, message_id: `b${number}`, mobile: planted.guardian, content: '家长您好', student_id: null },
      {
        ...message,
        message_id: `c${number}`,
        mobile: '',
        content: `{"uid":${id},"cause":"${text}"}`,
        student_id: null,
        lane: `1 ${id}`,
      },
    ])
    .execute();
  await db
    .insertInto('accepted_request')
    .values({
      staff_id: people.teacher.id,
      idempotency_key: `p${number}`,
      request: 'POST x',
      content_hash: null,
      answer: JSON.stringify({ msg: `${planted.name}已添加` }),
      accepted_at: noon,
    })
    .execute();
  // An export that includes the student, and one named after the student.
  await admin.post('history/export', { student: planted.name });
  await db
    .insertInto('history')
    .values({
      at: noon,
      staff_id: people.admin.id,
      record: 'export_file',
      record_id: 99_998,
      action: 'export',
      before: null,
      after: JSON.stringify({ name: `${planted.name}的成绩.xlsx` }),
    })
    .execute();
  await admin.get(`students/${id}`);
  return {
    id,
    homeworkId: paper.homeworkId,
    reportId,
    essay: paper.questions.essay,
    examId: exam.id,
    examReportId,
    groupId: circle.id,
    pictures,
    import: { source, id: importId },
  };
}
