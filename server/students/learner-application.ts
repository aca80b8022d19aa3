/** Call of a learner for their own data: `GET /api/app/me`. */
import * as v from 'valibot';
import { handleApplication, QueryUid, withLearner } from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { IdAndName, Seconds } from '#server/platform/calls/fields.ts';
import type { Database } from '#server/platform/db/engine.ts';

const Me = v.object({
  uid: v.number(),
  nickname: v.string(),
  number: v.string(),
  avatar: v.string(),
  school: IdAndName,
  /** Classes that the student is in at present. */
  classes: v.array(
    v.object({
      id: v.number(),
      name: v.string(),
      /** Type of the class: 0 state school, 1 one-to-one, 3 group. */
      class_type: v.number(),
      courses: v.array(v.object({ id: v.number(), title: v.string(), course_type: v.number() })),
    }),
  ),
  /** The server's clock in unix seconds; `timezone` is the school's time zone. */
  now: Seconds,
  timezone: v.string(),
});

const showMe = call({
  method: 'GET',
  path: '/api/app/me',
  title: '学员、学校与班级',
  query: v.object({ uid: QueryUid }),
  answer: Me,
  example: {
    query: { uid: 12 },
    answer: {
      uid: 12,
      nickname: '林小满',
      number: '20260012',
      avatar: '',
      school: { id: 1, name: '实验中学' },
      classes: [{ id: 3, name: '高一(2)班', class_type: 0, courses: [{ id: 8, title: '高一数学', course_type: 1 }] }],
      now: 1795147200,
      timezone: 'Asia/Shanghai',
    },
  },
});

export const learnerStudentCalls = [
  handleApplication(showMe, ({ query, ...context }) =>
    withLearner(context, query.uid, ({ db, uid, now, settings }) => me(db, { uid, now, timezone: settings.timezone })),
  ),
];

async function me(
  db: Database,
  { uid, now, timezone }: { uid: number; now: number; timezone: string },
): Promise<v.InferOutput<typeof Me>> {
  const student = await db
    .selectFrom('student')
    .innerJoin('school', 'school.id', 'student.school_id')
    .select(['student.nickname', 'student.number', 'student.avatar', 'school.id', 'school.org_name'])
    .where('student.id', '=', uid)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('class_student')
    .innerJoin('class', 'class.id', 'class_student.class_id')
    .leftJoin('class_course', 'class_course.class_id', 'class.id')
    .leftJoin('course', 'course.id', 'class_course.course_id')
    .select([
      'class.id',
      'class.name',
      'class.class_type',
      'course.id as course_id',
      'course.title',
      'course.course_type',
    ])
    .where('class_student.student_id', '=', uid)
    .where('class_student.left_at', 'is', null)
    .orderBy('class.id')
    .orderBy('course.id')
    .execute();
  const classes = new Map<number, v.InferOutput<typeof Me>['classes'][number]>();
  for (const { id, name, class_type, course_id, title, course_type } of rows) {
    const one = classes.get(id) ?? { id, name, class_type, courses: [] };
    classes.set(id, one);
    if (course_id !== null) one.courses.push({ id: course_id, title: title ?? '', course_type: course_type ?? 1 });
  }
  const { nickname, number, avatar, id, org_name } = student;
  const school = { id, name: org_name };
  return { uid, nickname, number, avatar, school, classes: [...classes.values()], now, timezone };
}
