/** The header above every tab of a homework's analysis. */

import { pointsOf } from '#server/grading/rules.ts';
import { wholePercent } from '#server/grading/scoring.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { HomeworkHeader } from './contract.ts';
import { answeredQuestions, type NumberedQuestion, questionsOf, totalsOf } from './questions.ts';
import { type ReportCounts, reportCounts, type Scope, scopeOf } from './scope.ts';

const nobody: ReportCounts = { expected: 0, submitted: 0, graded: 0 };

/** Returns the header. Recalled homework has no figures. 404: the actor does not see the homework. */
export async function headerOf(
  db: Database,
  actor: Actor,
  request: { homeworkId: number; classId?: number | undefined },
): Promise<HomeworkHeader | Refusal> {
  const scope = await scopeOf(db, actor, request);
  if (isRefusal(scope)) return scope;
  const { homework, mode } = scope;
  const [people] = await peopleOf(db, { id: homework.id });
  const questions = await questionsOf(db, homework.id);
  const { all } = totalsOf(answeredQuestions(questions));
  const recalled = homework.status === 2;
  const counts = recalled ? nobody : await reportCounts(db, scope);
  return {
    id: homework.id,
    homework_name: homework.name,
    status: homework.status,
    ending_time: homework.ending_time,
    publish_time: homework.publish_time,
    creator: people?.real_name ?? '',
    creator_type: people?.identity === 'teacher' ? 1 : 2,
    is_owner: homework.creator_id === actor.id ? 1 : 0,
    type: homework.type,
    course: people?.course ?? '',
    period: people?.period ?? '',
    remark: homework.remark,
    class_name: scope.classes.map(({ name }) => name).join('、'),
    class: scope.classes,
    total: counts.expected,
    submit: counts.submitted,
    revise: counts.graded,
    submit_rate: wholePercent(counts.submitted, counts.expected),
    revise_rate: wholePercent(counts.graded, counts.submitted),
    is_set_score: mode,
    question_num: all.count,
    score: pointsOf(mode, all.score),
    scores: typeSummaries(questions, scope),
  };
}

const peopleOf = (db: Database, { id }: { id: number }) =>
  db
    .selectFrom('homework')
    .innerJoin('staff as creator', 'creator.id', 'homework.creator_id')
    .innerJoin('course', 'course.id', 'homework.course_id')
    .leftJoin('period', 'period.id', 'homework.period_id')
    .select(['creator.real_name', 'creator.identity', 'course.title as course', 'period.title as period'])
    .where('homework.id', '=', id)
    .execute();

/** Sums up the questions by type (1 to 7). A material question counts once, with the sum of its parts. */
function typeSummaries(questions: readonly NumberedQuestion[], { mode }: Scope): HomeworkHeader['scores'] {
  return Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7].map((type) => {
      const ofType = questions.filter(({ row }) => row.ques_type === type);
      const parts = ofType.flatMap((question) => question.parts);
      const score = parts.reduce((sum, part) => sum + part.score, 0);
      return [type, { count: ofType.length, score: pointsOf(mode, score), item_count: parts.length }];
    }),
  );
}
