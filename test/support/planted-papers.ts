/** Homework and exams of a planted student. */

import { addExam, submitExamReport as handInExam, review } from './exams.ts';
import { addPaper, essayOf, submitHomeworkReport } from './paper.ts';
import { studentMarks } from './planted-marks.ts';
import { noon, type TestSchool } from './school.ts';

const { text } = studentMarks;

/** A graded report, and another one with a draft. `inAnswer`: a picture in an answer; `drawn`: the drawing on it. */
export async function plantHomework(
  school: TestSchool,
  id: number,
  { inAnswer, drawn }: { inAnswer: string; drawn: string },
) {
  const { db } = school.database;
  const { people, classes } = school;
  const paper = await addPaper(school, { creator: 'teacher', classes: [classes.k1], name: '植入作业' });
  const reportId = await submitHomeworkReport(school, paper, id, { essay: essayOf(`${text}答案`, [inAnswer]) });
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
    .values({
      owner_id: people.teacher.id,
      form: `给${studentMarks.name}的作业`,
      saved_at: noon,
      key: 'k',
      name: '草稿',
    })
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
  return { homeworkId: paper.homeworkId, reportId, essay: paper.questions.essay };
}

/** A reviewed exam, and an attempt at another one. */
export async function plantExam(school: TestSchool, id: number, school_id: number) {
  const { db } = school.database;
  const { people } = school;
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
  return { examId: exam.id, examReportId };
}
