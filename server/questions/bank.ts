/** Questions of the administrator's schools: their owner, whether they are public, and their knowledge point. */

import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { BodyOf, QueryOf } from '#server/platform/calls/call.ts';
import { requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf, emptyPage } from '#server/platform/db/page.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import type {
  BankFilter,
  BankQuestion,
  BankQuestionDetail,
  moveQuestions,
  PointWithDepth,
  shareQuestions,
  sharingEffect,
} from './bank.contract.ts';
import { alreadySharedMessage, chosenCountFault, sharingMessages, withdrawalEffect } from './bank.rules.ts';
import type { KnowledgePoint } from './contract.ts';
import { questionDetails } from './detail.ts';
import { pointTree, pointWithChildren } from './points.ts';
import { missingQuestion, type QuestionType } from './rules.ts';
import { searchBank } from './search.ts';
import { adminQuestions } from './visible.ts';

/** Lists a bank, last edited first. */
export async function bankPage(db: Database, actor: Actor, filter: BankFilter): Promise<Page<BankQuestion>> {
  const owners = await ownersOf(db, actor, filter.owner);
  const points = filter.point_id === undefined ? undefined : await pointWithChildren(db, filter.point_id);
  if (owners?.length === 0 || points?.length === 0) return emptyPage(filter);
  const { list: ids, ...range } = await searchBank(
    db,
    {
      ownerId: undefined,
      among: { isPublic: filter.bank === 'own' ? 0 : 1, owners },
      ques_type: filter.ques_type,
      facility_value: filter.facility_value,
      forPicker: false,
      points,
      stem: filter.ques_stem,
    },
    filter,
  );
  if (ids.length === 0) return { list: [], ...range };
  const rows = await adminQuestions(db, actor)
    .innerJoin('staff', 'staff.id', 'question.owner_id')
    .innerJoin('school', 'school.id', 'staff.school_id')
    .leftJoin('knowledge_point', 'knowledge_point.id', 'question.point_id')
    .select([
      'question.id',
      'question.stem_text',
      'question.ques_type',
      'question.facility_value',
      'question.updated_at',
      'question.is_public',
      'question.point_id',
      'staff.real_name as owner',
      'school.org_name as school_name',
      'knowledge_point.name as point_name',
    ])
    .where('question.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const list = ids.flatMap((id): BankQuestion[] => {
    const row = byId.get(id);
    if (!row) return [];
    const ques_type = row.ques_type as QuestionType;
    const facility_value = row.facility_value as BankQuestion['facility_value'];
    return [{ ...row, ques_type, facility_value, point_name: row.point_name ?? '' }];
  });
  return { list, ...range };
}

/** Returns the ids of matching owners; undefined if every owner matches. */
async function ownersOf(db: Database, actor: Actor, owner: string | undefined): Promise<number[] | undefined> {
  if (actor.everySchool && owner === undefined) return undefined;
  const rows = await db
    .selectFrom('staff')
    .select('id')
    .where('school_id', 'in', schoolsOf(db, actor))
    .$if(owner !== undefined, (query) =>
      query.where((eb) => eb.or([nameContains('real_name', owner ?? ''), containsText('username', owner ?? '')])),
    )
    .execute();
  return rows.map(({ id }) => id);
}

export async function pointsWithDepth(db: Database): Promise<PointWithDepth[]> {
  const placed = (points: KnowledgePoint[], depth: number): PointWithDepth[] =>
    points.flatMap(({ id, name, children }) => [{ id, name, depth }, ...placed(children, depth + 1)]);
  return placed(await pointTree(db), 0);
}

/** Returns one question. 404: it does not belong to the administrator's schools. */
export async function bankQuestion(db: Database, actor: Actor, id: number): Promise<BankQuestionDetail | Refusal> {
  const details = await questionDetails(db, actor, adminQuestions(db, actor), [id]);
  if (isRefusal(details)) return details;
  const [question] = details;
  const kept = await adminQuestions(db, actor)
    .innerJoin('staff', 'staff.id', 'question.owner_id')
    .innerJoin('school', 'school.id', 'staff.school_id')
    .select(['staff.real_name as owner', 'school.org_name as school_name', 'question.remark'])
    .where('question.id', '=', id)
    .executeTakeFirst();
  if (!question || !kept) return missing(missingQuestion);
  return { ...question, ...kept, collected: await collections(db, [id]) };
}

const collections = (db: Database, ids: readonly number[]) =>
  countOf(db.selectFrom('question_collect').where('question_id', 'in', [...ids]));

export async function sharingEffectOf(
  db: Database,
  actor: Actor,
  { ids, is_public = 1 }: QueryOf<typeof sharingEffect>,
) {
  if (ids.length === 0) return { effect: '', questions: [] };
  const questions = await adminQuestions(db, actor)
    .select(['question.id', 'question.stem_text', 'question.is_public'])
    .where('question.id', 'in', ids)
    .orderBy('question.id')
    .execute();
  if (questions.length < ids.length) return missing(missingQuestion);
  const changed = questions.filter((question) => question.is_public !== is_public).map(({ id }) => id);
  return {
    effect: is_public === 1 || changed.length === 0 ? '' : withdrawalEffect(await collections(db, changed)),
    questions: questions.map(({ id, stem_text }) => ({ id, stem_text })),
  };
}

type RequestContext = RuleContext<'actor' | 'now'>;

/** Loads questions and locks them. 404: one does not belong to the administrator's schools. 422: none or too many. */
async function heldQuestions({ db, actor }: RequestContext, ids: readonly number[]) {
  const refusal = refuseField('ids', chosenCountFault(ids.length));
  if (refusal) return refusal;
  const questions = await forUpdate(db)(
    adminQuestions(db, actor)
      .select(['question.id', 'question.is_public', 'question.point_id'])
      .where('question.id', 'in', [...ids])
      .orderBy('question.id'),
  ).execute();
  return questions.length < ids.length ? missing(missingQuestion) : questions;
}

async function refusePoint(db: Database, id: number | undefined): Promise<Refusal | undefined> {
  if (id === undefined) return undefined;
  const point = await db.selectFrom('knowledge_point').select('id').where('id', '=', id).executeTakeFirst();
  return point ? undefined : invalid({ point_id: [sharingMessages.point] });
}

/**
 * Publishes or withdraws questions; those that are so already stay unchanged. 422: none or too many. 404: one does not
 * belong to the administrator's schools. 409: all of them are so already (the message names who did it), or the effect
 * was not acknowledged.
 */
export async function setShared(
  context: RequestContext,
  { ids, is_public, point_id, acknowledged }: BodyOf<typeof shareQuestions>,
): Promise<{ count: number } | Refusal> {
  const { db, actor, now } = context;
  if (is_public === undefined) return invalid({ is_public: [sharingMessages.choice] });
  const refusedPoint = await refusePoint(db, point_id);
  if (refusedPoint) return refusedPoint;
  const questions = await heldQuestions(context, ids);
  if (isRefusal(questions)) return questions;
  const changed = questions.filter((question) => question.is_public !== is_public);
  const [first] = changed;
  if (!first)
    return conflict(alreadySharedMessage(is_public, await lastChangedBy(db, 'question', ids[0] ?? 0, ['is_public'])));
  const changedIds = changed.map(({ id }) => id);
  const effect = is_public === 1 ? '' : withdrawalEffect(await collections(db, changedIds));
  const unsaid = requireConfirmation(effect || undefined, acknowledged);
  if (unsaid) return unsaid;
  await db
    .updateTable('question')
    .set({ is_public, ...(point_id !== undefined && { point_id }) })
    .where('id', 'in', changedIds)
    .execute();
  // The parts of a material question become public or private together with it.
  await db.updateTable('question').set({ is_public }).where('parent_id', 'in', changedIds).execute();
  for (const { id, ...before } of changed) {
    const moves = point_id !== undefined && point_id !== before.point_id;
    await recordHistory(db, {
      actor,
      now,
      record: 'question',
      recordId: id,
      action: is_public === 1 ? 'share' : 'withdraw',
      before: moves ? before : { is_public: before.is_public },
      after: moves ? { is_public, point_id } : { is_public },
    });
  }
  return { count: changed.length };
}

/**
 * Moves questions to a knowledge point. 404: one does not belong to the administrator's schools. 422: none or too many.
 */
export async function moveToPoint(
  context: RequestContext,
  { ids, point_id }: BodyOf<typeof moveQuestions>,
): Promise<{ count: number } | Refusal> {
  const { db, actor, now } = context;
  const refusedPoint = await refusePoint(db, point_id);
  if (refusedPoint) return refusedPoint;
  const questions = await heldQuestions(context, ids);
  if (isRefusal(questions)) return questions;
  const to = point_id ?? null;
  const moved = questions.filter((question) => question.point_id !== to);
  if (moved.length === 0) return { count: 0 };
  await db
    .updateTable('question')
    .set({ point_id: to })
    .where(
      'id',
      'in',
      moved.map(({ id }) => id),
    )
    .execute();
  for (const { id, point_id: from } of moved) {
    await recordHistory(db, {
      actor,
      now,
      record: 'question',
      recordId: id,
      action: 'move',
      before: { point_id: from },
      after: { point_id: to },
    });
  }
  return { count: moved.length };
}
