/** Calls of learners for courseware: material of the learner's classes, and material of a lesson with its handout. */
import * as v from 'valibot';
import { handleApplication, QueryUid, withLearner } from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { Id, SearchFlag, SearchId, Seconds } from '#server/platform/calls/fields.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { missingSession } from '#server/sessions/rules.ts';
import { sendReferencedFile } from './file.ts';
import { missingMaterialFile } from './rules.ts';

const LearnerMaterial = v.object({
  file_id: v.number(),
  name: v.string(),
  /** Origin of the material: a class, a lesson, or a handout. */
  of: v.picklist(['class', 'lesson', 'handout']),
  class_id: v.number(),
  times_id: v.nullable(v.number()),
  file_name: v.string(),
  file_size: v.number(),
  created_at: Seconds,
});

const MaterialList = v.object({ list: v.array(LearnerMaterial), since: v.number(), more: v.picklist([0, 1]) });
type MaterialList = v.InferOutput<typeof MaterialList>;

const listMaterials = call({
  method: 'GET',
  path: '/api/app/courseware',
  title: '学员的课件',
  description:
    'lesson 为课次，返回该课次的课件与审核通过的讲义；不带时为所在班级的课件。按时间先后，since 为上一页的最后一条。',
  query: v.object({ uid: QueryUid, lesson: SearchId, since: SearchId }),
  answer: MaterialList,
  example: {
    query: { uid: 12 },
    answer: {
      list: [
        {
          file_id: 21,
          name: '集合（课件）',
          of: 'class',
          class_id: 3,
          times_id: null,
          file_name: '集合.pdf',
          file_size: 482133,
          created_at: 1795060800,
        },
      ],
      since: 14,
      more: 0,
    },
  },
});

const readMaterial = call({
  method: 'GET',
  path: '/api/app/courseware/:fileId',
  title: '学员读取课件文件',
  description: '可分段读取（Range）。download=1 时作为附件。',
  params: { fileId: Id },
  query: v.object({ uid: QueryUid, download: SearchFlag }),
  file: true,
  answer: v.null(),
  example: { params: { fileId: 21 }, query: { uid: 12 } },
});

export const learnerCoursewareCalls = [
  handleApplication(listMaterials, ({ query, ...context }) =>
    withLearner(context, query.uid, ({ db, uid }) =>
      query.lesson === undefined ? classMaterials(db, uid, query.since ?? 0) : lessonMaterials(db, uid, query.lesson),
    ),
  ),
  handleApplication(readMaterial, ({ params, query, request, ...context }) =>
    withLearner(context, query.uid, async ({ db, storage, uid }) =>
      (await seesFile(db, uid, params.fileId))
        ? sendReferencedFile({ db, storage }, params.fileId, { request, download: query.download === 1 })
        : missing(missingMaterialFile),
    ),
  ),
];

const pageSize = 100;

const classesOf = (db: Database, uid: number) =>
  db
    .selectFrom('class_student')
    .select('class_student.class_id')
    .where('class_student.student_id', '=', uid)
    .where('class_student.left_at', 'is', null);

async function classMaterials(db: Database, uid: number, since: number): Promise<MaterialList> {
  const rows = await db
    .selectFrom('class_ware')
    .innerJoin('ware_file', 'ware_file.id', 'class_ware.file_id')
    .select(['class_ware.id', 'class_ware.file_id', 'class_ware.ware_name', 'class_ware.class_id'])
    .select(['class_ware.created_at', 'ware_file.name', 'ware_file.size'])
    .where('class_ware.class_id', 'in', classesOf(db, uid))
    .where('class_ware.id', '>', since)
    .orderBy('class_ware.id')
    .limit(pageSize + 1)
    .execute();
  const shown = rows.slice(0, pageSize);
  return {
    list: shown.map(({ id: _, ware_name, name, size, ...material }) => ({
      ...material,
      name: ware_name,
      of: 'class' as const,
      times_id: null,
      file_name: name,
      file_size: size,
    })),
    since: shown.at(-1)?.id ?? since,
    more: rows.length > pageSize ? (1 as const) : (0 as const),
  };
}

/** Selects the ids of the lessons of the student's classes. */
const lessonsOf = (db: Database, uid: number) =>
  db.selectFrom('class_session').select('class_session.id').where('class_session.class_id', 'in', classesOf(db, uid));

async function lessonMaterials(db: Database, uid: number, lesson: number): Promise<MaterialList | Refusal> {
  const seen = await lessonsOf(db, uid).where('class_session.id', '=', lesson).executeTakeFirst();
  if (!seen) return missing(missingSession);
  const materials = await db
    .selectFrom('lesson_ware')
    .innerJoin('class_session', 'class_session.id', 'lesson_ware.session_id')
    .innerJoin('ware_file', 'ware_file.id', 'lesson_ware.file_id')
    .select(['lesson_ware.file_id', 'lesson_ware.ware_name as name', 'class_session.class_id'])
    .select(['lesson_ware.created_at', 'ware_file.name as file_name', 'ware_file.size as file_size'])
    .where('lesson_ware.session_id', '=', lesson)
    .orderBy('lesson_ware.id')
    .execute();
  const handouts = await db
    .selectFrom('session_handout')
    .innerJoin('class_session', 'class_session.id', 'session_handout.session_id')
    .innerJoin('ware_file', 'ware_file.id', 'session_handout.file_id')
    .select(['session_handout.file_id', 'session_handout.file_name as name', 'class_session.class_id'])
    .select(['session_handout.uploaded_at as created_at', 'ware_file.name as file_name', 'ware_file.size as file_size'])
    .where('session_handout.session_id', '=', lesson)
    .where('session_handout.status', '=', 1)
    .execute();
  return {
    list: [
      ...materials.map((material) => ({ ...material, of: 'lesson' as const, times_id: lesson })),
      ...handouts.map((material) => ({ ...material, of: 'handout' as const, times_id: lesson })),
    ],
    since: 0,
    more: 0 as const,
  };
}

async function seesFile(db: Database, uid: number, fileId: number): Promise<boolean> {
  const file = await db
    .selectFrom('ware_file')
    .select('ware_file.id')
    .where('ware_file.id', '=', fileId)
    .where((eb) =>
      eb.or([
        eb(
          'ware_file.id',
          'in',
          db
            .selectFrom('class_ware')
            .select('class_ware.file_id')
            .where('class_ware.class_id', 'in', classesOf(db, uid)),
        ),
        eb(
          'ware_file.id',
          'in',
          db
            .selectFrom('lesson_ware')
            .select('lesson_ware.file_id')
            .where('lesson_ware.session_id', 'in', lessonsOf(db, uid)),
        ),
        eb(
          'ware_file.id',
          'in',
          db
            .selectFrom('session_handout')
            .select('session_handout.file_id')
            .where('session_handout.status', '=', 1)
            .where('session_handout.session_id', 'in', lessonsOf(db, uid)),
        ),
      ]),
    )
    .executeTakeFirst();
  return file !== undefined;
}
