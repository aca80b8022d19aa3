/**
 * Remedial homework: gives questions that were answered wrong again, to the classes of the students who answered them
 * wrong.
 */

import { inClassOrder } from '#server/classes/rules.ts';
import { gradePlace } from '#server/classes/visible.ts';
import { answerStatus, reportStatus } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';
import type { HomeworkSettings, RemedialHomework } from './copies.contract.ts';
import { settingsOf } from './earlier-homework.ts';
import { questionsOf } from './questions.ts';
import { missingHomework, noWrongAnswers, recordsFault, remedialName } from './rules.ts';
import { visibleHomeworkIds } from './visible.ts';

interface Request {
  homeworkId: number;
  /** Limits the homework to one class; undefined for all classes that the actor sees. */
  classId: number | undefined;
  /** Questions to give again; empty for all questions that some student answered wrong. */
  questionIds: readonly number[];
}

/**
 * Prepares a remedial homework. 404: the actor does not see the homework, or a question belongs to another homework.
 * 409: the homework is recalled, or all submitted answers were right.
 */
export async function prepareRemedialHomework(
  db: Database,
  actor: Actor,
  { homeworkId, classId, questionIds }: Request,
): Promise<RemedialHomework | Refusal> {
  const homework = await db
    .selectFrom('homework')
    .innerJoin('course', 'course.id', 'homework.course_id')
    .selectAll('homework')
    .select('course.title as course_title')
    .where('homework.id', '=', homeworkId)
    .where('homework.id', 'in', visibleHomeworkIds(db, actor))
    .executeTakeFirst();
  if (!homework) return missing(missingHomework);
  const refusal = refuseFor('conflict', recordsFault(homework));
  if (refusal) return refusal;
  const questions = await questionsOf(db, [homeworkId]);
  const answerableIds = questions.flatMap(({ id, ques_item }) =>
    ques_item.length > 0 ? ques_item.map((part) => part.id) : id,
  );
  if (!questionIds.every((id) => answerableIds.includes(id))) return missing(missingQuestion);

  let reports = db
    .selectFrom('report')
    .where('report.homework_id', '=', homeworkId)
    .where('report.status', '!=', reportStatus.notSubmitted);
  if (actor.identity === 'assist') reports = reports.where('report.class_id', 'in', classesAssistedBy(db, actor));
  if (classId !== undefined) reports = reports.where('report.class_id', '=', classId);
  // Ungraded answers do not count as wrong.
  const notWrong = [answerStatus.right, answerStatus.waiting];
  const selectedIds = questionIds.length > 0 ? questionIds : await notAllRight();
  if (selectedIds.length === 0) return conflict(noWrongAnswers);
  const classes = await reports
    .innerJoin('class', 'class.id', 'report.class_id')
    .select(['class.id', 'class.name', gradePlace])
    .select((eb) => eb.fn.countAll<number>().as('students'))
    .where((eb) =>
      eb(
        eb
          .selectFrom('answer')
          .whereRef('answer.report_id', '=', 'report.id')
          .where('answer.question_id', 'in', selectedIds)
          .where('answer.status', 'in', notWrong)
          .select((count) => count.fn.countAll<number>().as('n')),
        '<',
        selectedIds.length,
      ),
    )
    .groupBy(['class.id', 'class.name'])
    .execute();
  if (classes.length === 0) return conflict(noWrongAnswers);
  const settings: HomeworkSettings = await settingsOf(db, homework);
  return {
    hw_info: { ...settings, name: remedialName(homework.name), remark: `订正“${homework.name}”` },
    question: questions.filter(({ id, ques_item }) =>
      [id, ...ques_item.map((part) => part.id)].some((one) => selectedIds.includes(one)),
    ),
    classes: inClassOrder(classes),
  };

  async function notAllRight(): Promise<number[]> {
    const [{ submitted }, rights] = await Promise.all([
      reports.select((eb) => eb.fn.countAll<number>().as('submitted')).executeTakeFirstOrThrow(),
      reports
        .innerJoin('answer', 'answer.report_id', 'report.id')
        .where('answer.status', 'in', notWrong)
        .groupBy('answer.question_id')
        .select((eb) => ['answer.question_id', eb.fn.countAll<number>().as('n')])
        .execute(),
    ]);
    const right = new Map(rights.map(({ question_id, n }) => [question_id, n]));
    return answerableIds.filter((id) => (right.get(id) ?? 0) < submitted);
  }
}
