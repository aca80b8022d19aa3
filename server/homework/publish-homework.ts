/** Publishes a homework: resolves its scope and copies its questions, all or nothing. */
import { missingClass, missingCourse, missingPeriod } from '#server/classes/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, isRefusal, missing, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { QuestionItem } from '#server/questions/contract.ts';
import { questionDetails } from '#server/questions/detail.ts';
import { survivingIds, visibleQuestions } from '#server/questions/visible.ts';
import type { SchoolSettings } from '#server/school/settings.ts';
import { coursesOf } from '#server/school/staff-duties.ts';
import { findOwnSession } from '#server/sessions/list.ts';
import { publishToClasses } from './assign.ts';
import { deleteForms } from './drafts.ts';
import {
  type BankQuestions,
  bankQuestionId,
  type Publication,
  parsePublication,
  parseQuestions,
} from './parse-publication.ts';
import type { PublishBody, ScopeClass, SentQuestion } from './publication.contract.ts';
import { type ScoredQuestion, storeQuestions } from './questions.ts';
import { lessonFault, noQuestionFault, pastDeadlineFault, publicationMessages, sourceClass } from './rules.ts';
import { type Scope, scopeOf } from './scope.ts';
import { refuseLessonHomework } from './session-homework.ts';

interface PublishContext {
  /** Unix seconds. */
  now: number;
  settings: SchoolSettings;
}

/** Publishes a homework. Call it inside a transaction, because a refusal must roll back. */
export async function publishNewHomework(
  db: Database,
  actor: Actor,
  body: PublishBody,
  { now, settings }: PublishContext,
): Promise<{ id: number } | Refusal> {
  const { timezone } = settings;
  const { publication, errors } = parsePublication(body, { now, timezone });
  if (errors.question) return invalid(errors, publicationMessages.incomplete);
  const sent = await withKeptQuestions(db, body.question);
  const bank = await bankQuestions(db, actor, sent, settings);
  if (isRefusal(bank)) return bank;
  const read = await parseQuestions(sent, body.is_set_score, bank);
  Object.assign(errors, read.errors);
  const fieldsFail = Object.keys(errors).length > 0;
  const noQuestion = noQuestionFault(body.question.length);
  if (noQuestion) errors.question = [noQuestion];
  const scope = await resolveScope(db, actor, body, { now, timezone });
  if (isRefusal(scope)) for (const [field, messages] of Object.entries(scope.errors ?? {})) errors[field] ??= messages;
  if (fieldsFail) return invalid(errors, publicationMessages.incomplete);
  if (!publication || noQuestion) return invalid(errors);

  if (publication.sessionId !== undefined) {
    const refusal = await refuseSession(db, actor, publication.sessionId, { now, settings });
    if (refusal) return refusal;
  }
  if (isRefusal(scope)) return scope;
  const period = await refusePeriod(db, actor, publication, scope);
  if (period) return period;
  const chosen = chosenClasses(publication.classIds, scope.classes);
  if (isRefusal(chosen)) return chosen;

  const pastRefusal = refuseField(
    'confirm_past',
    pastDeadlineFault(publication.endingTime, now, body.confirm_past === 1),
  );
  if (pastRefusal) return pastRefusal;

  const id = await insertHomework(db, actor, { publication, scope, chosen, questions: read.questions, now });
  if (body.draft_key !== undefined) await deleteForms(db, actor, body.draft_key);
  await storeQuestions(db, id, read.questions);
  await publishToClasses(db, { homeworkId: id, classIds: chosen, now });
  await recordHistory(db, {
    actor,
    now,
    record: 'homework',
    recordId: id,
    action: 'publish',
    before: null,
    after: { class_ids: chosen },
  });
  return { id };
}

/** Resolves the scope of the publication. The caller merges the errors with the other fields' errors. */
function resolveScope(
  db: Database,
  actor: Actor,
  { course_basis_id, publish_scope, child_course_basis_ids, arrange_id }: PublishBody,
  clock: { now: number; timezone: string },
): Promise<Scope | Refusal> | Refusal {
  if (course_basis_id === undefined || publish_scope === undefined) return missing(missingCourse);
  const requested = { courseId: course_basis_id, scope: publish_scope, childIds: child_course_basis_ids };
  return scopeOf(db, actor, { ...requested, sessionId: arrange_id }, clock);
}

/** A question of a draft that was merged since refers to the one that was kept. */
async function withKeptQuestions(db: Database, questions: readonly SentQuestion[]): Promise<readonly SentQuestion[]> {
  const kept = await survivingIds(
    db,
    questions.flatMap((sent) => [bankQuestionId(sent), sent.source_id].filter((id) => typeof id === 'number')),
  );
  const current = (id: number) => kept.get(id) ?? id;
  return questions.map((sent) => {
    const named = bankQuestionId(sent);
    return {
      ...sent,
      ...(named !== undefined && { id: current(named) }),
      ...(typeof sent.source_id === 'number' && { source_id: current(sent.source_id) }),
    };
  });
}

/** Loads the bank questions that the sent questions refer to. 404: the actor may not use one of them. */
async function bankQuestions(
  db: Database,
  actor: Actor,
  question: readonly SentQuestion[],
  settings: SchoolSettings,
): Promise<BankQuestions | Refusal> {
  const ids = (list: (number | null | undefined)[]) => [...new Set(list.filter((id) => typeof id === 'number'))];
  const named = ids(question.map(bankQuestionId));
  const mentioned = ids(question.map(({ source_id }) => source_id));
  const usable = visibleQuestions(db, actor, settings);
  const details = named.length === 0 ? [] : await questionDetails(db, actor, usable, named);
  if (isRefusal(details)) return details;
  const sources =
    mentioned.length === 0 ? [] : await usable.select('question.id').where('question.id', 'in', mentioned).execute();
  const content = ({
    ques_type,
    ques_stem,
    ques_option,
    right_answer,
    ignore_case,
    ques_analysis,
    facility_value,
  }: QuestionItem) => ({
    ques_type,
    ques_stem,
    ques_option,
    right_answer,
    ignore_case,
    ques_analysis,
    facility_value,
    remark: '',
  });
  return {
    drafts: new Map(
      details.map(({ ques_item, ...detail }) => [
        detail.id,
        { ...content(detail), ques_item: ques_item.map((part) => ({ ...content(part), ques_item: [] })) },
      ]),
    ),
    sources: new Set(sources.map(({ id }) => id)),
  };
}

async function refuseSession(db: Database, actor: Actor, id: number, { now, settings }: PublishContext) {
  const switchRefusal = refuseLessonHomework(settings);
  if (switchRefusal) return switchRefusal;
  const session = await findOwnSession(db, actor, id, { now, timezone: settings.timezone });
  if (isRefusal(session)) return session;
  return refuseFor('conflict', lessonFault(session));
}

/**
 * Refuses a period outside the scope. 404: the actor does not see the period. 422: the actor sees it, but its course is
 * outside the scope.
 */
async function refusePeriod(
  db: Database,
  actor: Actor,
  { periodId }: Publication,
  { courseId, courseIds }: Scope,
): Promise<Refusal | undefined> {
  if (periodId === null) return undefined;
  const period = await db
    .selectFrom('period')
    .select('course_id')
    .where('id', '=', periodId)
    .where((eb) => eb.or([eb('course_id', 'in', coursesOf(db, actor)), eb('course_id', '=', courseId)]))
    .executeTakeFirst();
  if (!period) return missing(missingPeriod);
  if (period.course_id === courseId || courseIds.includes(period.course_id)) return undefined;
  return invalid({ course_periods_id: [publicationMessages.periodOfScope] });
}

function chosenClasses(classIds: number[] | undefined, classes: readonly ScopeClass[]): number[] | Refusal {
  const scopeIds = classes.map(({ id }) => id);
  if (classIds === undefined) return scopeIds;
  return classIds.every((id) => scopeIds.includes(id)) ? classIds : missing(missingClass);
}

interface NewHomework {
  publication: Publication;
  scope: Scope;
  /** Ids of the classes of the scope to publish to now. */
  chosen: readonly number[];
  questions: readonly ScoredQuestion[];
  now: number;
}

async function insertHomework(db: Database, actor: Actor, { publication, scope, chosen, ...rest }: NewHomework) {
  const { questions, now } = rest;
  const { id } = await db
    .insertInto('homework')
    .values({
      name: publication.name,
      type: publication.type,
      course_id: publication.courseId,
      period_id: publication.periodId,
      creator_id: actor.id,
      remark: publication.remark,
      publish_time: now,
      ending_time: publication.endingTime,
      is_set_score: publication.isSetScore,
      right_answers: publication.rightAnswers,
      publish_scope: publication.scope,
      publish_type: chosen.length < scope.classes.length ? 2 : 1,
      source: publication.sessionId === undefined ? publication.source : sourceClass,
      arrange_id: publication.sessionId ?? null,
      arrange_type: publication.arrangeType,
      total_score: questions.reduce((sum, { score }) => sum + score, 0),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('homework_class')
    .values(scope.classes.map((one) => ({ homework_id: id, class_id: one.id, published_at: null })))
    .execute();
  await db
    .insertInto('homework_scope')
    .values(scope.courseIds.map((course_id) => ({ homework_id: id, course_id })))
    .execute();
  return id;
}
