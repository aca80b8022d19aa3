import { sql } from 'kysely';
import * as v from 'valibot';
import { batchedVersions, handleApplication, QueryUid, withLearner } from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { Id, IdAndName, Seconds } from '#server/platform/calls/fields.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { htmlExcerpt } from '#server/platform/text/plain-text.ts';
import { prepareFormulas, renderMath } from '#server/platform/text/render-math.ts';
import {
  ChangeFilter,
  changedRows,
  changesOf,
  isRemovedSince,
  laterOf,
  type Position,
  removedIdsField,
} from '#server/school/change-feed.ts';
import { missingNotice } from './rules.ts';

/** Maximum characters of a summary. */
const summaryLength = 120;

const LearnerNotice = v.object({
  id: v.number(),
  title: v.string(),
  class: IdAndName,
  /** Name of the author. */
  nickname: v.string(),
  created_at: Seconds,
  updated_at: Seconds,
  /** When the learner read the notice; null if unread. */
  read_at: v.nullable(Seconds),
  /** Beginning of the content, as HTML. */
  summary: v.string(),
});

const exampleNotice: v.InferOutput<typeof LearnerNotice> = {
  id: 7,
  title: '期中考试安排',
  class: { id: 3, name: '高一(2)班' },
  nickname: '李老师',
  created_at: 1795060800,
  updated_at: 1795060800,
  read_at: null,
  summary: '考试从周一开始',
};

const listNotices = call({
  method: 'GET',
  path: '/api/app/notices',
  title: '学员的公告',
  description: '带 since 时，removed 为此后删除、或因离开班级不再可见的公告 id（可能重复）。',
  query: v.object({ uid: QueryUid, ...ChangeFilter }),
  answer: v.object({ ...changesOf(LearnerNotice).entries, ...removedIdsField }),
  example: { query: { uid: 12 }, answer: { list: [exampleNotice], since: '1795060800-7', more: 0, removed: [] } },
});

const readNotice = call({
  method: 'GET',
  marksRead: true,
  path: '/api/app/notices/:noticeId',
  title: '学员阅读公告',
  description: '首次读取记为已读。',
  params: { noticeId: Id },
  query: v.object({ uid: QueryUid }),
  answer: v.object({ ...LearnerNotice.entries, content: v.string() }),
  example: {
    params: { noticeId: 7 },
    query: { uid: 12 },
    answer: { ...exampleNotice, read_at: 1795147200, content: '<p>考试从周一开始</p>' },
  },
});

export const learnerNoticeCalls = [
  handleApplication(listNotices, {
    version: ({ query, ...context }) =>
      withLearner(context, query.uid, ({ db, uid, now }) => noticesVersion(db, uid, now)),
    answer: ({ query, ...context }) =>
      withLearner(context, query.uid, async ({ db, uid, now }) => {
        const { rows, ...position } = await changedRows<Row>(
          readRowsById(db, uid),
          {
            changed: changeOf(db),
            id: sql<number>`class_notice.id`,
            of: ({ moved_at, id }) => ({ at: moved_at, id }),
          },
          { ...query, now },
        );
        const beginnings = rows.map(({ content }) => htmlExcerpt(content, summaryLength));
        await prepareFormulas(beginnings);
        const removed = await removedNotices(db, uid, query.since);
        return { list: rows.map((row, place) => noticeOf(row, beginnings[place])), ...position, removed };
      }),
  }),
  handleApplication(readNotice, ({ params, query, ...context }) =>
    withLearner(context, query.uid, ({ db, uid, now }) => read(db, { uid, id: params.noticeId, now })),
  ),
];

/** Selects the notices of the student's present classes. */
const noticesOf = (db: Database, uid: number) =>
  db
    .selectFrom('class_notice')
    .innerJoin('class_student', 'class_student.class_id', 'class_notice.class_id')
    .where('class_student.student_id', '=', uid)
    .where('class_student.left_at', 'is', null);

/** A notice is new to a student who joined its class after it was written. */
const changeOf = (db: Database) => laterOf(db, 'class_notice.updated_at', 'class_student.changed_at');

/**
 * Returns the ids of notices that were deleted since the cursor, and of notices of classes that the student has left
 * since. A first request has no cursor and needs none.
 */
async function removedNotices(db: Database, uid: number, since: Position | undefined): Promise<number[]> {
  if (!since) return [];
  const ofClassesLeft = await db
    .selectFrom('class_notice')
    .innerJoin('class_student', 'class_student.class_id', 'class_notice.class_id')
    .select('class_notice.id')
    .where('class_student.student_id', '=', uid)
    .where('class_student.left_at', 'is not', null)
    .where(isRemovedSince(since, { created: 'class_notice.created_at', removed: 'class_student.changed_at' }))
    .orderBy('class_notice.id')
    .execute();
  const rows = await db
    .selectFrom('removed_notice')
    .innerJoin('class_student', 'class_student.class_id', 'removed_notice.class_id')
    .select('removed_notice.notice_id')
    .where('class_student.student_id', '=', uid)
    .where('class_student.left_at', 'is', null)
    .where(isRemovedSince(since, { created: 'removed_notice.created_at', removed: 'removed_notice.removed_at' }))
    .orderBy('removed_notice.id')
    .execute();
  return [...ofClassesLeft.map(({ id }) => id), ...rows.map(({ notice_id }) => notice_id)];
}

const readRowsById = (db: Database, uid: number) =>
  noticesOf(db, uid)
    .innerJoin('class', 'class.id', 'class_notice.class_id')
    .innerJoin('school', 'school.id', 'class.school_id')
    .leftJoin('staff', 'staff.id', 'class_notice.staff_id')
    .leftJoin('notice_read', (join) =>
      join.onRef('notice_read.notice_id', '=', 'class_notice.id').on('notice_read.student_id', '=', uid),
    )
    .select([
      'class_notice.id',
      'class_notice.title',
      'class_notice.content',
      'class_notice.class_id',
      'class_notice.created_at',
      'class_notice.updated_at',
      'class.name as class_name',
      'staff.real_name',
      'school.org_name',
      'notice_read.read_at',
      changeOf(db).as('moved_at'),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof readRowsById>['executeTakeFirstOrThrow']>>;

const noticeOf = (row: Row, beginning = ''): v.InferOutput<typeof LearnerNotice> => ({
  id: row.id,
  title: row.title,
  class: { id: row.class_id, name: row.class_name },
  nickname: row.real_name ?? row.org_name,
  created_at: row.created_at,
  updated_at: row.updated_at,
  read_at: row.read_at,
  summary: renderMath(beginning),
});

/** Prepared statement, because thousands of clients poll it every few seconds. */
const noticeSums = prepared((db, { uids }: Placeholders<{ uids: string }>) =>
  db
    .selectFrom('class_student')
    .innerJoin('class_notice', 'class_notice.class_id', 'class_student.class_id')
    .leftJoin('notice_read', (join) =>
      join
        .onRef('notice_read.notice_id', '=', 'class_notice.id')
        .onRef('notice_read.student_id', '=', 'class_student.student_id'),
    )
    .where('class_student.student_id', 'in', inJsonIds(db, uids))
    .where('class_student.left_at', 'is', null)
    .select('class_student.student_id')
    .select((eb) => [
      eb.fn.countAll<number>().as('notices'),
      sql<number>`coalesce(sum(class_notice.updated_at), 0)`.as('changes'),
      sql<number>`coalesce(sum(class_notice.id), 0)`.as('ids'),
      sql<number>`coalesce(sum(notice_read.read_at), 0)`.as('reads'),
    ])
    .groupBy('class_student.student_id'),
);

/**
 * Version of a learner's notices. Posting, editing, deleting or reading a notice changes these sums, and so the
 * version.
 */
const noticesVersion = batchedVersions(async (db, uids) =>
  (await noticeSums(db, { uids: JSON.stringify(uids) })).map(({ student_id, notices, changes, ids, reads }) => ({
    uid: student_id,
    facts: [notices, changes, ids, reads],
  })),
);

async function read(db: Database, { uid, id, now }: { uid: number; id: number; now: number }) {
  const row = await readRowsById(db, uid).where('class_notice.id', '=', id).executeTakeFirst();
  if (!row) return missing(missingNotice) satisfies Refusal;
  if (row.read_at === null) {
    await db
      .insertInto('notice_read')
      .values({ notice_id: id, student_id: uid, read_at: now })
      .onConflict((known) => known.columns(['notice_id', 'student_id']).doNothing())
      .execute();
  }
  await prepareFormulas([row.content]);
  const notice = noticeOf({ ...row, read_at: row.read_at ?? now }, htmlExcerpt(row.content, summaryLength));
  return { ...notice, content: renderMath(row.content) };
}
