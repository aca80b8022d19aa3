/** Class notices. All staff of the class read them; its head teachers write them. */

import { sql } from 'kysely';
import { refuseClass } from '#server/classes/visible.ts';
import { emitLearnerEvent } from '#server/learners/events.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import { invalid, isRefusal, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { htmlExcerpt } from '#server/platform/text/plain-text.ts';
import { prepareFormulas, renderMath } from '#server/platform/text/render-math.ts';
import { complexityFault } from '#server/platform/text/rich-text-limits.ts';
import { droppedContentFault, sanitizeRichText } from '#server/platform/text/sanitize.ts';
import type { RuleContext } from '#server/school/context.ts';
import { classesHeadedBy, isHeadTeacher } from '#server/school/staff-duties.ts';
import { CompleteNotice, type Notice, type NoticeRow, type WrittenNotice } from './contract.ts';
import { noticeMessages, schoolFault, writeFault } from './rules.ts';
import { noticeNotFound, visibleNotices } from './visible.ts';

type NoticeContext = RuleContext<'actor' | 'now'>;

/** Maximum characters of a summary. */
const summaryLength = 120;

/** Lists notices of one class or of all visible classes. 404: no such class. */
export async function noticePage(
  db: Database,
  actor: Actor,
  { class_id, page, limit }: { class_id?: number | undefined; page: number; limit: number },
) {
  const refusal = class_id === undefined ? undefined : await refuseClass(db, actor, class_id);
  if (refusal) return refusal;
  let notices = visibleNotices(db, actor);
  if (class_id !== undefined) notices = notices.where('class_notice.class_id', '=', class_id);
  const { list: rows, ...range } = await pageOf(
    notices,
    { page, limit },
    noticeRows(db, actor, notices).orderBy('class_notice.created_at', 'desc').orderBy('class_notice.id', 'desc'),
  );
  const beginnings = rows.map(({ content }) => htmlExcerpt(content, summaryLength));
  await prepareFormulas(beginnings);
  const list = rows.map((row, place): NoticeRow => {
    return { ...noticeOf(row), summary: renderMath(beginnings[place] ?? '') };
  });
  return { list, ...range };
}

export async function noticeById(db: Database, actor: Actor, id: number) {
  const row = await noticeRows(db, actor, visibleNotices(db, actor))
    .where('class_notice.id', '=', id)
    .executeTakeFirst();
  if (!row) return noticeNotFound();
  await prepareFormulas([row.content]);
  return { ...noticeOf(row), shown: renderMath(row.content) };
}

const noticeRows = (db: Database, actor: Viewer, notices: ReturnType<typeof visibleNotices>) =>
  notices
    .innerJoin('class', 'class.id', 'class_notice.class_id')
    .innerJoin('school', 'school.id', 'class.school_id')
    .leftJoin('staff', 'staff.id', 'class_notice.staff_id')
    .select([
      'class_notice.id',
      'class_notice.title',
      'class_notice.content',
      'class_notice.class_id',
      'class_notice.created_at',
      'class_notice.updated_at',
      'class_notice.staff_id',
      'staff.real_name',
      'school.org_name',
    ])
    .select((eb) =>
      eb
        .case()
        .when('class_notice.class_id', 'in', classesHeadedBy(db, actor))
        .then(eb.lit(1))
        .else(eb.lit(0))
        .end()
        .as('is_headed'),
    );
type Row = Awaited<ReturnType<ReturnType<typeof noticeRows>['executeTakeFirstOrThrow']>>;

function noticeOf({ staff_id, real_name, org_name, is_headed, ...notice }: Row): Notice {
  const isSchools = staff_id === null;
  return { ...notice, nickname: real_name ?? org_name, is_can_delete: is_headed === 1 && !isSchools ? 1 : 0 };
}

// ---- writing ----------------------------------------------------------------------------------------

/** Validates and sanitizes a notice. 422: errors by field. */
function checkNotice(written: WrittenNotice): WrittenNotice | Refusal {
  const fault = complexityFault([written.content]) ?? droppedContentFault(written.content);
  if (fault) return invalid({ content: [fault] });
  const content = sanitizeRichText(written.content);
  const { output: notice, errors } = validateComplete(CompleteNotice, { title: written.title, content });
  return notice ?? invalid(errors);
}

/** Posts a notice. 404: no such class. 403: the actor is not its head teacher. 422: errors by field. */
export async function addNotice(
  { db, actor, now }: NoticeContext,
  { class_id, ...written }: WrittenNotice & { class_id?: number | undefined },
): Promise<{ id: number } | Refusal> {
  if (class_id === undefined) return invalid({ class_id: [noticeMessages.class] });
  const refusal =
    (await refuseClass(db, actor, class_id)) ??
    refuseFor('forbidden', writeFault(await isHeadTeacher(db, actor, class_id), '发布'));
  if (refusal) return refusal;
  const notice = checkNotice(written);
  if (isRefusal(notice)) return notice;
  const posted = await db
    .insertInto('class_notice')
    .values({ ...notice, class_id, staff_id: actor.id, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const members = await db
    .selectFrom('class_student')
    .select('student_id')
    .where('class_id', '=', class_id)
    .where('left_at', 'is', null)
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'class_notice',
    recordId: posted.id,
    action: 'publish',
    before: null,
    after: { class_id, ...notice },
  });
  const about = members.map(({ student_id }) => ({ studentId: student_id, recordId: posted.id }));
  await emitLearnerEvent(db, { kind: 'notice.posted', about, details: { title: notice.title, class_id } }, now);
  return posted;
}

/** Edits a notice. 404: no such notice. 403: the actor is not the head teacher. 422: errors by field. */
export async function updateNotice(
  context: NoticeContext,
  id: number,
  written: WrittenNotice,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const before = await changeable(context, id, '编辑');
  if (isRefusal(before)) return before;
  const notice = checkNotice(written);
  if (isRefusal(notice)) return notice;
  await db
    .updateTable('class_notice')
    // `updated_at` rises with every edit, so that clients that poll notice two edits within one second.
    .set({ ...notice, updated_at: sql<number>`case when updated_at >= ${now} then updated_at + 1 else ${now} end` })
    .where('id', '=', id)
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'class_notice',
    recordId: id,
    action: 'edit',
    before,
    after: notice,
  });
  return null;
}

/** Deletes a notice. 404: no such notice. 403: the actor is not the head teacher. */
export async function removeNotice(context: NoticeContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const before = await changeable(context, id, '删除');
  if (isRefusal(before)) return before;
  const { class_id, created_at } = await db
    .deleteFrom('class_notice')
    .where('id', '=', id)
    .returning(['class_id', 'created_at'])
    .executeTakeFirstOrThrow();
  await db.insertInto('removed_notice').values({ notice_id: id, class_id, created_at, removed_at: now }).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'class_notice',
    recordId: id,
    action: 'delete',
    before,
    after: null,
  });
  return null;
}

/**
 * Reads a notice that the actor may change, and locks it until the transaction ends. Notices that the school posted
 * cannot be changed.
 */
async function changeable(
  { db, actor }: NoticeContext,
  id: number,
  deed: '编辑' | '删除',
): Promise<WrittenNotice | Refusal> {
  const notice = await forUpdate(db)(
    visibleNotices(db, actor)
      .select(['class_notice.title', 'class_notice.content', 'class_notice.class_id', 'class_notice.staff_id'])
      .where('class_notice.id', '=', id),
  ).executeTakeFirst();
  if (!notice) return noticeNotFound();
  const fault =
    writeFault(await isHeadTeacher(db, actor, notice.class_id), deed) ?? schoolFault(notice.staff_id === null, deed);
  return refuseFor('forbidden', fault) ?? { title: notice.title, content: notice.content };
}

/**
 * Purges at most `most` records of notices that were deleted before `removedBefore` (unix seconds). Clients have seen
 * them by then.
 */
export async function purgeRemovedNotices(
  db: Database,
  { removedBefore, most }: { removedBefore: number; most: number },
): Promise<number> {
  const old = db.selectFrom('removed_notice').select('id').where('removed_at', '<', removedBefore).limit(most);
  const { numDeletedRows } = await db.deleteFrom('removed_notice').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
