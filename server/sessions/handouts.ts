import { type SelectQueryBuilder, sql } from 'kysely';
import { sendReferencedFile } from '#server/courseware/file.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { conflict, invalid, missing, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countedPage, countOf, emptyPage, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { dayRange } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { decisionText } from '#server/school/decision-text.ts';
import { decisionUndoLimit, undoRefusedMessage } from '#server/school/rules.ts';
import type { decideHandouts, HandoutFilter, HandoutRow, Undoable } from './handouts.contract.ts';
import {
  handoutCountFault,
  handoutDecisionFault,
  handoutMessages,
  handoutReasonLimit,
  missingHandout,
  replacedHandoutMessage,
} from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Selects the handouts of lessons in the actor's schools. */
const adminHandouts = ({ db, actor }: Pick<RequestContext, 'db' | 'actor'>) =>
  db
    .selectFrom('session_handout')
    .innerJoin('class_session', 'class_session.id', 'session_handout.session_id')
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .where('class.school_id', 'in', schoolsOf(db, actor));

/**
 * Like `adminHandouts`, for filtering, counting and sorting. It uses left joins, because the engines skip
 * left-joined tables that a query does not use; each handout has a lesson, a class and a lecturer anyway.
 */
function handoutQuery({ db, actor }: Pick<RequestContext, 'db' | 'actor'>) {
  const handouts = db
    .selectFrom('session_handout')
    .leftJoin('class_session', 'class_session.id', 'session_handout.session_id')
    .leftJoin('class', 'class.id', 'class_session.class_id')
    .leftJoin('staff as lecturer', 'lecturer.id', 'class_session.lecturer_id');
  return actor.everySchool ? handouts : handouts.where('class.school_id', 'in', schoolsOf(db, actor));
}

/** Selects handouts that wait for a decision. Handouts of cancelled lessons do not wait any more. */
const pendingQuery = (context: Pick<RequestContext, 'db' | 'actor'>) =>
  handoutQuery(context).where('session_handout.status', '=', 3).where('class_session.cancelled_at', 'is', null);

export const pendingHandouts = (context: Pick<RequestContext, 'db' | 'actor'>): Promise<number> =>
  countOf(pendingQuery(context));

/** Lists one page of handouts: pending ones by the start of their lesson, others by decision, latest first. */
export async function handoutPage(context: RequestContext, filter: HandoutFilter): Promise<Page<HandoutRow>> {
  const { state = 'waiting', name, school_id, start, end, ids: chosen } = filter;
  const days = dayRange(start, end, context.settings.timezone);
  let matching = state === 'waiting' ? pendingQuery(context) : handoutQuery(context);
  if (state === 'approved' || state === 'rejected')
    matching = matching.where('session_handout.status', '=', state === 'approved' ? 1 : 4);
  if (school_id !== undefined) matching = matching.where('class.school_id', '=', school_id);
  if (days.from !== undefined) matching = matching.where('class_session.start_time', '>=', days.from);
  if (days.until !== undefined) matching = matching.where('class_session.start_time', '<', days.until);
  if (chosen.length > 0) matching = matching.where('session_handout.session_id', 'in', chosen);
  if (name !== undefined) {
    matching = matching.where((eb) =>
      eb.or([
        nameContains('session_handout.file_name', name),
        nameContains('class.name', name),
        nameContains('lecturer.real_name', name),
      ]),
    );
  }
  // Sorts only ids and then reads the other columns for the page. In one statement PostgreSQL would join all rows
  // first.
  const found = ({ limit, offset }: RowRange) =>
    orderHandouts(matching, state).select('session_handout.session_id as id').limit(limit).offset(offset);
  const total = sql<number>`count(*) over ()`.as('total');
  const { list: sessions, ...range } = await (name === undefined
    ? pageOf(matching, filter, (rows) => found(rows).execute())
    : countedPage(filter, (rows) => found(rows).select(total).execute()));
  if (sessions.length === 0) return emptyPage(filter);
  const ids = sessions.map(({ id }) => id);
  const shown = adminHandouts(context).where('session_handout.session_id', 'in', ids);
  const list = await orderHandouts(selectHandouts(shown), state).execute();
  return {
    list: list.map((row) => ({ ...row, decided_by: row.decided_by ?? '', seen: `${row.id}:${row.uploaded_at}` })),
    ...range,
  };
}

const orderHandouts = <DB, TB extends keyof DB, Row>(handouts: SelectQueryBuilder<DB, TB, Row>, state: string) =>
  (state === 'waiting'
    ? handouts.orderBy(sql.ref('class_session.start_time'))
    : handouts.orderBy(sql.ref('session_handout.decided_at'), (order) => order.desc().nullsLast())
  ).orderBy(sql.ref('session_handout.session_id'));

const selectHandouts = (handouts: ReturnType<typeof adminHandouts>) =>
  handouts
    .innerJoin('staff as lecturer', 'lecturer.id', 'class_session.lecturer_id')
    .innerJoin('school', 'school.id', 'class.school_id')
    .innerJoin('course', 'course.id', 'class_session.course_id')
    .innerJoin('staff as uploader', 'uploader.id', 'session_handout.uploaded_by')
    .leftJoin('staff as decider', 'decider.id', 'session_handout.decided_by')
    .select([
      'session_handout.session_id as id',
      'school.org_name as school_name',
      'class.name as class_name',
      'course.title as course_title',
      'lecturer.real_name as lecturer',
      'class_session.start_time',
      'session_handout.file_name',
      'session_handout.status',
      'session_handout.file_remark',
      'uploader.real_name as uploaded_by',
      'session_handout.uploaded_at',
      'decider.real_name as decided_by',
      'session_handout.decided_at',
    ]);

/** Answers the file of a handout. 404: no such handout. */
export async function sendHandout(
  { db, actor, storage }: RuleContext<'actor' | 'storage'>,
  id: number,
  sending: { request: Request; download: boolean },
): Promise<Response | Refusal> {
  const handout = await adminHandouts({ db, actor })
    .select('session_handout.file_id')
    .where('session_handout.session_id', '=', id)
    .executeTakeFirst();
  return handout ? sendReferencedFile({ db, storage }, handout.file_id, sending) : missing(missingHandout);
}

/**
 * Approves or rejects several handouts, all or none. 422: nothing is chosen, or the reason is missing. 404: a handout
 * is not in the actor's schools. 409: a handout was decided before (the message says by whom and when), or was replaced
 * since it was shown.
 */
export async function decideOnHandouts(
  context: RequestContext,
  { ids, status, reason: written, seen }: BodyOf<typeof decideHandouts>,
): Promise<{ at: number; count: number } | Refusal> {
  const { db, actor, now, settings } = context;
  const reason = status === 4 ? written.replace(/\s+/g, ' ').trim() : '';
  const refusal =
    refuseField('ids', handoutCountFault(ids.length)) ??
    refuseField('status', status === undefined ? handoutMessages.decision : undefined) ??
    refuseField('reason', status === 4 && reason === '' ? handoutMessages.reason : undefined) ??
    refuseField('reason', lengthOf(reason) > handoutReasonLimit ? handoutMessages.reasonLength : undefined);
  if (refusal || status === undefined) return refusal ?? invalid({ status: [handoutMessages.decision] });
  const handouts = await forUpdate(db)(
    adminHandouts(context)
      .innerJoin('staff as uploader', 'uploader.id', 'session_handout.uploaded_by')
      .leftJoin('staff as decider', 'decider.id', 'session_handout.decided_by')
      .select([
        'session_handout.session_id as id',
        'session_handout.file_name',
        'session_handout.status',
        'session_handout.uploaded_at',
        'session_handout.decided_at',
        'class_session.cancelled_at',
        'uploader.real_name as uploaded_by',
        'decider.real_name as decided_by',
      ])
      .where('session_handout.session_id', 'in', ids)
      .orderBy('session_handout.session_id'),
    ['session_handout'],
  ).execute();
  if (handouts.length < ids.length) return missing(missingHandout);
  const shown = new Map(seen.split(' ').map((part) => part.split(':') as [string, string]));
  for (const handout of handouts) {
    const decided = decisionText(
      { by: handout.decided_by, at: handout.decided_at },
      { now, timezone: settings.timezone },
    );
    const fault = handoutDecisionFault({ ...handout, decided, isCancelled: handout.cancelled_at !== null });
    if (fault) return conflict(fault, { id: handout.id, status: handout.status });
    const uploaded = shown.get(String(handout.id));
    if (uploaded !== undefined && uploaded !== String(handout.uploaded_at))
      return conflict(replacedHandoutMessage({ file_name: handout.file_name, by: handout.uploaded_by }));
  }
  const after = { status, file_remark: reason };
  await db
    .updateTable('session_handout')
    .set({ ...after, decided_by: actor.id, decided_at: now })
    .where('session_id', 'in', ids)
    .execute();
  for (const { id, file_name } of handouts) {
    await recordHistory(db, {
      actor,
      now,
      record: 'class_session',
      recordId: id,
      action: status === 1 ? 'handout-approve' : 'handout-reject',
      before: { file_name, handout_status: 3 },
      after: { file_name, handout_status: status, ...(status === 4 && { file_remark: reason }) },
    });
  }
  return { at: now, count: handouts.length };
}

/** Selects the handouts that the actor decided in the last ten minutes. Leaves out handouts that changed since. */
const undoableBy = (context: RequestContext) =>
  adminHandouts(context)
    .where('session_handout.decided_by', '=', context.actor.id)
    .where('session_handout.decided_at', '>=', context.now - decisionUndoLimit)
    .where('session_handout.status', 'in', [1, 4]);

/** Lists the actor's decisions that can still be undone, latest first. */
export async function undoableDecisions(context: RequestContext): Promise<Undoable[]> {
  const batches = await undoableBy(context)
    .select(['session_handout.decided_at', 'session_handout.status'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('session_handout.file_name').as('name')])
    .groupBy(['session_handout.decided_at', 'session_handout.status'])
    .orderBy('session_handout.decided_at', 'desc')
    .execute();
  return batches.flatMap(({ decided_at: at, status, count, name }) =>
    at === null || status === 3 ? [] : [{ at, status, count, name, until: at + decisionUndoLimit }],
  );
}

/**
 * Undoes the decision made at `at`: its handouts are pending again. 409: it is too late, or all handouts were replaced.
 */
export async function undoHandoutDecision(context: RequestContext, at: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const handouts = await forUpdate(db)(
    undoableBy(context)
      .select(['session_handout.session_id as id', 'session_handout.file_name', 'session_handout.status'])
      .where('session_handout.decided_at', '=', at)
      .orderBy('session_handout.session_id'),
    ['session_handout'],
  ).execute();
  if (handouts.length === 0) return conflict(undoRefusedMessage);
  await db
    .updateTable('session_handout')
    .set({ status: 3, file_remark: '', decided_by: null, decided_at: null })
    .where(
      'session_id',
      'in',
      handouts.map(({ id }) => id),
    )
    .execute();
  for (const { id, file_name, status } of handouts) {
    await recordHistory(db, {
      actor,
      now,
      record: 'class_session',
      recordId: id,
      action: 'handout-undo',
      before: { file_name, handout_status: status },
      after: { file_name, handout_status: 3 },
    });
  }
  return null;
}
