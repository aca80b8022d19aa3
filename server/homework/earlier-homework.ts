/** Reuses earlier homework: copies its questions, or a whole homework of the actor. */

import { inClassOrder } from '#server/classes/rules.ts';
import { gradePlace } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { AnswerOf } from '#server/platform/calls/call.ts';
import { missing, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import type { Homework } from '#server/schema/database.ts';
import type {
  copyHomework,
  EarlierHomework,
  EarlierHomeworkFilter,
  HomeworkQuestion,
  HomeworkSettings,
} from './copies.contract.ts';
import { questionsOf } from './questions.ts';
import { earlierHomeworkFault, missingHomework, ownerFault } from './rules.ts';
import { isVisibleHomework, visibleHomeworkIds } from './visible.ts';

export async function earlierHomeworkPage(db: Database, actor: Actor, { name, page, limit }: EarlierHomeworkFilter) {
  let matching = db.selectFrom('homework').where('homework.id', 'in', visibleHomeworkIds(db, actor));
  if (name) matching = matching.where(nameContains('homework.name', name));
  const { list: rows, ...range } = await pageOf(
    matching,
    { page, limit },
    matching
      .innerJoin('course', 'course.id', 'homework.course_id')
      .innerJoin('staff', 'staff.id', 'homework.creator_id')
      .leftJoin('period', 'period.id', 'homework.period_id')
      .select(['homework.id', 'homework.name', 'homework.type', 'homework.status', 'homework.publish_time'])
      .select(['course.title as course_title', 'period.title as periods_title', 'staff.real_name as publisher_name'])
      .select((eb) =>
        eb
          .selectFrom('homework_question')
          .whereRef('homework_question.homework_id', '=', 'homework.id')
          .where('homework_question.parent_id', 'is', null)
          .select((count) => count.fn.countAll<number>().as('n'))
          .as('question_count'),
      )
      .orderBy('homework.publish_time', 'desc')
      .orderBy('homework.id', 'desc'),
  );
  const list: EarlierHomework[] = rows.map((row) => ({
    ...row,
    type: row.type,
    status: row.status,
    periods_title: row.periods_title ?? '',
    question_count: row.question_count ?? 0,
  }));
  return { list, ...range };
}

/** Returns the questions of several homework in the order of `ids`. 404: the actor does not see one of them. */
export async function earlierHomeworkQuestions(
  db: Database,
  actor: Actor,
  ids: readonly number[],
): Promise<HomeworkQuestion[] | Refusal> {
  const refusal = refuseField('ids', earlierHomeworkFault(ids.length));
  if (refusal) return refusal;
  const visible = await db
    .selectFrom('homework')
    .select('id')
    .where('id', 'in', ids)
    .where(isVisibleHomework(db, actor))
    .execute();
  return visible.length === ids.length ? questionsOf(db, ids) : missing(missingHomework);
}

/** Returns the settings, questions and classes of a homework, to publish it again. 403: somebody else published it. */
export async function homeworkCopy(
  db: Database,
  actor: Actor,
  id: number,
): Promise<AnswerOf<typeof copyHomework> | Refusal> {
  const homework = await db
    .selectFrom('homework')
    .innerJoin('course', 'course.id', 'homework.course_id')
    .selectAll('homework')
    .select('course.title as course_title')
    .where('homework.id', '=', id)
    .where(isVisibleHomework(db, actor))
    .executeTakeFirst();
  if (!homework) return missing(missingHomework);
  const refusal = refuseFor('forbidden', ownerFault(homework.creator_id === actor.id));
  if (refusal) return refusal;
  const classes = await db
    .selectFrom('homework_class')
    .innerJoin('class', 'class.id', 'homework_class.class_id')
    .select(['class.id', 'class.name', gradePlace])
    .where('homework_class.homework_id', '=', id)
    .where('homework_class.published_at', 'is not', null)
    .execute();
  const question = await questionsOf(db, [id]);
  return { hw_info: await settingsOf(db, homework), question, classes: inClassOrder(classes) };
}

/** Returns the settings of a homework in the form that the publish form has them. */
export async function settingsOf(
  db: Database,
  homework: Homework & { course_title: string },
): Promise<HomeworkSettings> {
  const { id, name, remark, ending_time, arrange_id, arrange_type, course_title } = homework;
  const scope = await db.selectFrom('homework_scope').select('course_id').where('homework_id', '=', id).execute();
  return {
    name,
    remark,
    ending_time,
    arrange_id,
    arrange_type,
    course_title,
    course_basis_id: homework.course_id,
    type: homework.type,
    course_periods_id: homework.period_id,
    publish_scope: homework.publish_scope,
    child_course_basis_ids: homework.publish_scope === 2 ? scope.map(({ course_id }) => course_id) : [],
    is_set_score: homework.is_set_score,
    right_answers: homework.right_answers,
  };
}
