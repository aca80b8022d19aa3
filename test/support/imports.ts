/** Uploads for tests, and checksums of the tables, to compare before and after an import. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RecordKind, SourceRecord } from '#server/import/source-record.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { tableOwners } from '#server/schema/table-owners.ts';

/** Tables that any import may change: its own tables, the history, and the accepted requests. */
const own = ['import_source', 'import', 'import_row', 'import_remark', 'external_id', 'history', 'accepted_request'];

/** Returns a checksum of all rows, by table. */
export async function fingerprints(db: Database, more: readonly string[] = []): Promise<Record<string, string>> {
  const marks: Record<string, string> = {};
  for (const table of Object.keys(tableOwners).filter((one) => !own.includes(one) || more.includes(one))) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
    // An undo writes the enrolment again, so its time of writing differs.
    if (table === 'class_student') for (const row of rows) delete row.changed_at;
    const texts = rows.map((row) => JSON.stringify(row)).sort();
    marks[table] = `${texts.length} ${createHash('sha1').update(texts.join('\n')).digest('base64url')}`;
  }
  return marks;
}

type Written = { kind: RecordKind; sourceId: string; fields: SourceRecord['fields']; state?: 'active' | 'gone' };

export const ref = (kind: RecordKind, sourceId: string) => ({ kind, sourceId });

export const record = (kind: RecordKind, sourceId: string, fields: SourceRecord['fields']): Written => ({
  kind,
  sourceId,
  fields,
});

/**
 * Builds records of a school: classes, `students` in each, a head teacher and a course. `tag` distinguishes schools.
 */
export function smallUpload({
  tag = '',
  classes = 2,
  students = 3,
}: {
  tag?: string | number;
  classes?: number;
  students?: number;
} = {}): Written[] {
  const all = Array.from({ length: classes }, (_, at) => at + 1);
  return [
    record('school', 'S1', { name: `导入校${tag}` }),
    record('grade', 'G1', { name: '导入年级' }),
    record('category', 'K1', { name: '导入分类' }),
    record('category', 'K2', { name: '导入子类', parent_id: ref('category', 'K1') }),
    record('subject', 'F1', { name: '导入科目' }),
    record('room', 'R1', { name: '101', school_id: ref('school', 'S1'), seats: 40 }),
    ...all.map((at) =>
      record('staff', `T${at}`, {
        username: `import${tag}-t${at}`,
        real_name: `导入老师${at}`,
        identity: 'teacher',
        school_id: ref('school', 'S1'),
      }),
    ),
    record('staff', 'A1', {
      username: `import${tag}-a1`,
      real_name: '导入助教',
      identity: 'assist',
      school_id: ref('school', 'S1'),
    }),
    record('course', 'C1', {
      title: '导入数学',
      school_id: ref('school', 'S1'),
      grade_id: ref('grade', 'G1'),
      subject_id: ref('subject', 'F1'),
      classify_id: ref('category', 'K2'),
    }),
    ...all.flatMap((at) => [
      record('class', `B${at}`, { name: `导入${at}班`, school_id: ref('school', 'S1'), grade_id: ref('grade', 'G1') }),
      record('class_course', `B${at}-C1`, { class_id: ref('class', `B${at}`), course_id: ref('course', 'C1') }),
      record('class_staff', `B${at}-T${at}`, { class_id: ref('class', `B${at}`), staff_id: ref('staff', `T${at}`) }),
      record('class_staff', `B${at}-A1`, { class_id: ref('class', `B${at}`), staff_id: ref('staff', 'A1') }),
      ...Array.from({ length: students }, (_, place) => `${at}${String(place + 1).padStart(3, '0')}`).flatMap(
        (number) => [
          record('student', `P${number}`, {
            nickname: `导入学员${number}`,
            number,
            mobile: `139${`${tag}${number}`.padStart(8, '0')}`,
            school_id: ref('school', 'S1'),
          }),
          record('membership', `B${at}-P${number}`, {
            class_id: ref('class', `B${at}`),
            student_id: ref('student', `P${number}`),
          }),
        ],
      ),
    ]),
  ];
}

/** Returns terms, groups and lessons that belong to a small upload with the same tag. */
export function teamUpload(): Written[] {
  const inClass = (of: 'class' | 'group_class', theClass: string, student: string, more: SourceRecord['fields'] = {}) =>
    record('membership', `${theClass}-${student}`, {
      class_id: ref(of, theClass),
      student_id: ref('student', student),
      ...more,
    });
  return [
    record('term', 'Y1', { name: '2026学年', type: 'schoolYear', first_day: '2026-09-01', last_day: '2027-07-15' }),
    record('term', 'Y1a', {
      name: '上学期',
      type: 'term',
      first_day: '2026-09-01',
      last_day: '2027-01-20',
      parent_id: ref('term', 'Y1'),
    }),
    record('class', 'B9', {
      name: '导入9班',
      school_id: ref('school', 'S1'),
      large_class_name: '导入大班',
      term_ids: [ref('term', 'Y1a'), ref('term', 'Y1')],
    }),
    record('class_course', 'B9-C1', { class_id: ref('class', 'B9'), course_id: ref('course', 'C1') }),
    record('class_staff', 'B9-A1', { class_id: ref('class', 'B9'), staff_id: ref('staff', 'A1') }),
    inClass('class', 'B9', 'P1001', { joined_at: 1_756_656_000 }),
    inClass('class', 'B9', 'P1002'),
    record('group', 'Z1', {
      class_id: ref('class', 'B9'),
      course_id: ref('course', 'C1'),
      group_name: '第一组',
      staff_ids: [ref('staff', 'A1')],
    }),
    record('group', 'Z2', { class_id: ref('class', 'B9'), course_id: ref('course', 'C1'), group_name: '第二组' }),
    record('group_member', 'Z-P1001', { group_id: ref('group', 'Z1'), student_id: ref('student', 'P1001') }),
    record('group_class', 'U1', {
      name: '导入团课',
      class_type: 3,
      school_id: ref('school', 'S1'),
      grade_id: ref('grade', 'G1'),
      lecturer_id: ref('staff', 'T1'),
      subject_id: ref('subject', 'F1'),
      room_id: ref('room', 'R1'),
      teaching_mode: 2,
      sign_type: 1,
      schedule: '每周六上午',
      start_day: '2026-09-05',
    }),
    record('group_class', 'U2', {
      name: '导入一对一',
      class_type: 1,
      school_id: ref('school', 'S1'),
      start_day: '2026-09-06',
    }),
    record('class_course', 'U1-C1', { class_id: ref('group_class', 'U1'), course_id: ref('course', 'C1') }),
    record('class_staff', 'U1-A1', { class_id: ref('group_class', 'U1'), staff_id: ref('staff', 'A1') }),
    inClass('group_class', 'U1', 'P1001', {
      contracts_number: 'HT-1',
      sign_type: 1,
      remaining_lessons: 20,
      periods_price: 120.5,
      lesson_minutes: 45,
    }),
    inClass('group_class', 'U1', 'P1002'),
    inClass('group_class', 'U2', 'P1003'),
  ];
}

export const allKinds: RecordKind[] = [
  'school',
  'term',
  'category',
  'grade',
  'subject',
  'room',
  'staff',
  'student',
  'course',
  'class',
  'group_class',
  'class_course',
  'class_staff',
  'membership',
  'group',
  'group_member',
];
