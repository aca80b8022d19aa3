/** Exports study and attendance of a class, a student, or a class's course as spreadsheets. */
import { missingClass, missingCourse, missingPeriod } from '#server/classes/rules.ts';
import { refuseClass } from '#server/classes/visible.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { SpreadsheetRow } from '#server/platform/export/spreadsheet.ts';
import {
  cellsOf,
  columnForms,
  type ExportColumn,
  type ExportContext,
  type ExportSheet,
  makeSpreadsheet,
} from '#server/platform/export/spreadsheet-file.ts';
import { countMembers, type StudentFilter, studyRows } from './class-study.ts';
import type {
  ClassMember,
  CourseLesson,
  exportCourseStudy as exportCall,
  LessonStudent,
  StudyCourse,
  StudyFigures,
  StudyPeriod,
  StudyRow,
} from './contract.ts';
import { countLessons, filterLessonStudents, lessonStudents, listLessons, refuseClassCourse } from './lesson.ts';
import { categoryNames, hasStudyTime, statusName } from './rules.ts';
import { classMember, studyCourses, studyPeriods } from './student.ts';

/** Rows that are read at a time: some milliseconds of work. */
const chunk = 50;

const minutes = (seconds: number) => Math.floor(seconds / 60);

function figureColumns<Row extends StudyFigures>(hasTime: (row: Row) => boolean): ExportColumn<Row>[] {
  return [
    {
      header: '学习时长（分钟）',
      type: 'number',
      width: 18,
      cell: (row) => (hasTime(row) ? minutes(row.study_length) : '-'),
    },
    { header: '学习进度', type: 'percent', width: 12, cell: (row) => (hasTime(row) ? row.progress_rate / 100 : '-') },
    { header: '出勤次数', type: 'number', width: 12, cell: (row) => row.attend_times },
    { header: '请假次数', type: 'number', width: 12, cell: (row) => row.leave_times },
    { header: '旷课次数', type: 'number', width: 12, cell: (row) => row.truant_times },
    { header: '未点名次数', type: 'number', width: 12, cell: (row) => row.uncalled_times },
    { header: '作业提交次数', type: 'number', width: 14, cell: (row) => row.hw_submit_times },
    { header: '作业布置次数', type: 'number', width: 14, cell: (row) => row.hw_assign_times },
  ];
}

const studentColumns: ExportColumn<StudyRow>[] = [
  { header: '学员', type: 'text', width: 20, cell: (row) => row.nickname },
  { header: '手机号', type: 'text', width: 16, cell: (row) => row.mobile },
  { header: '校区', type: 'text', width: 24, cell: (row) => row.org_name },
  ...figureColumns<StudyRow>(() => true),
];

/** Columns that name the student in every row, because people sort, filter and copy the rows. */
const memberColumns = ({ nickname, mobile, class_name }: ClassMember): ExportColumn<unknown>[] => [
  { header: '学员', type: 'text', width: 20, cell: () => nickname },
  { header: '手机号', type: 'text', width: 16, cell: () => mobile },
  { header: '班级', type: 'text', width: 24, cell: () => class_name },
];

const courseColumns: ExportColumn<StudyCourse>[] = [
  { header: '课程', type: 'text', width: 30, cell: (row) => row.title },
  { header: '课时数', type: 'number', width: 10, cell: (row) => row.section_num },
  ...figureColumns<StudyCourse>((row) => hasStudyTime(row.course_type)),
];

const periodColumns: ExportColumn<StudyPeriod & { course: string }>[] = [
  { header: '课程', type: 'text', width: 30, cell: (row) => row.course },
  { header: '课时', type: 'text', width: 30, cell: (row) => row.title },
  { header: '开始时间', type: 'datetime', width: 20, cell: (row) => row.start_play },
  { header: '授课时长（分钟）', type: 'number', width: 18, cell: (row) => minutes(row.total_time) },
  {
    header: '学习时长（分钟）',
    type: 'number',
    width: 18,
    cell: (row) => (hasStudyTime(row.course_type) ? minutes(row.study_length) : '-'),
  },
  {
    header: '学习进度',
    type: 'percent',
    width: 12,
    cell: (row) => (hasStudyTime(row.course_type) ? row.progress_rate / 100 : '-'),
  },
  { header: '考勤状态', type: 'text', width: 14, cell: (row) => statusName(row.op_status, row.course_type) },
  { header: '请假原因', type: 'text', width: 40, cell: (row) => row.leave_cause },
];

const lessonColumns: ExportColumn<CourseLesson>[] = [
  { header: '课时', type: 'text', width: 30, cell: (row) => row.title },
  { header: '开始时间', type: 'datetime', width: 20, cell: (row) => row.start_play },
  { header: '授课时长（分钟）', type: 'number', width: 18, cell: (row) => minutes(row.total_time) },
  { header: '出勤', type: 'number', width: 10, cell: (row) => row.attend_num },
  { header: '请假', type: 'number', width: 10, cell: (row) => row.leave_num },
  { header: '旷课', type: 'number', width: 10, cell: (row) => row.truant_num },
  { header: '未点名', type: 'number', width: 10, cell: (row) => row.uncalled_num },
  { header: '应到', type: 'number', width: 10, cell: (row) => row.total_num },
];

const attendeeColumns: ExportColumn<LessonStudent & { lesson: string; course_type: number }>[] = [
  { header: '课时', type: 'text', width: 30, cell: (row) => row.lesson },
  { header: '学员', type: 'text', width: 20, cell: (row) => row.nickname },
  { header: '手机号', type: 'text', width: 16, cell: (row) => row.mobile },
  { header: '考勤状态', type: 'text', width: 14, cell: (row) => statusName(row.op_status, row.course_type) },
  { header: '请假原因', type: 'text', width: 40, cell: (row) => row.leave_cause },
  { header: '计为', type: 'text', width: 10, cell: (row) => categoryNames[row.counted] },
];

/** Exports the students that the list shows under the same filter. 404: no such class. */
export async function exportClassStudy(
  surroundings: ExportContext,
  { class_id: classId, ...filter }: StudentFilter & { class_id?: number | undefined },
): Promise<{ url: string } | Refusal> {
  const { db, actor, now } = surroundings;
  const refused = await refuseClass(db, actor, classId);
  if (refused || classId === undefined) return refused ?? missing(missingClass);
  const name = await nameOfClass(db, classId);
  return makeSheets(surroundings, {
    name: `${name}-学习统计.xlsx`,
    total: await countMembers(db, classId, filter),
    sheets: (count) => [
      sheetOf(
        '学习统计',
        studentColumns,
        (limit, offset) => studyRows(db, classId, filter, { limit, offset, now }),
        count,
      ),
    ],
  });
}

/** Exports a sheet of the student's courses and a sheet of their periods. 404: no such student. */
export async function exportStudentStudy(
  surroundings: ExportContext,
  id: number | undefined,
): Promise<{ url: string } | Refusal> {
  const { db, actor, now } = surroundings;
  const member = await classMember(db, actor, id ?? 0);
  if (isRefusal(member)) return member;
  const whose = memberColumns(member);
  const ofMember = { classId: member.class_id, memberId: member.id };
  const ofCourse = [...whose, ...courseColumns];
  const ofPeriod = [...whose, ...periodColumns];
  const courses = (limit: number, offset: number) => studyCourses(db, member, { limit, offset, now });
  async function* periods() {
    for await (const { course_basis_id: courseId, title } of readInChunks(courses)) {
      const scope = { ...ofMember, courseId };
      for await (const period of readInChunks((limit, offset) => studyPeriods(db, scope, { limit, offset, now }))) {
        yield cellsOf(ofPeriod, { ...period, course: title });
      }
    }
  }
  return makeSheets(surroundings, {
    name: `${member.nickname}-学习详情.xlsx`,
    total: 1,
    sheets: (count) => [
      sheetOf('学习详情', ofCourse, courses, count),
      { name: '课时详情', columns: columnForms(ofPeriod), rows: periods() },
    ],
  });
}

/**
 * Exports a sheet of lessons with their counts, and a sheet of their students. For a single lesson, the students are
 * those that match the filter. 404: no such class, course of the class, or lesson.
 */
export async function exportCourseStudy(
  surroundings: ExportContext,
  { id: courseId, class: classId, period_id: periodId, ...filter }: BodyOf<typeof exportCall>,
): Promise<{ url: string } | Refusal> {
  const { db, actor, now } = surroundings;
  const refused = await refuseClassCourse(db, actor, { courseId, classId });
  if (refused || courseId === undefined || classId === undefined) return refused ?? missing(missingCourse);
  const scope = { courseId, classId };
  const course = await db.selectFrom('course').select('title').where('id', '=', courseId).executeTakeFirstOrThrow();
  const total = await countLessons(db, courseId);
  const all = await (periodId === undefined ? undefined : listLessons(db, scope, { limit: total, offset: 0, now }));
  const only = all?.filter(({ id }) => id === periodId);
  if (only?.length === 0) return missing(missingPeriod);
  const some = async (limit: number, offset: number) =>
    only ? only.slice(offset, offset + limit) : listLessons(db, scope, { limit, offset, now });
  async function* attendees(count: () => void) {
    for await (const lesson of readInChunks(some)) {
      const of = { ...scope, periodId: lesson.id };
      const { title, course_type } = lesson;
      if (only) {
        for (const one of await filterLessonStudents(db, of, filter, now))
          yield cellsOf(attendeeColumns, { ...one, lesson: title, course_type });
      } else {
        for await (const one of readInChunks((limit, offset) => lessonStudents(db, of, { limit, offset, now }), 500))
          yield cellsOf(attendeeColumns, { ...one, lesson: title, course_type });
      }
      count();
    }
  }
  return makeSheets(surroundings, {
    name: `${await nameOfClass(db, classId)}-${course.title}${only ? `-${only[0]?.title}` : ''}-考勤.xlsx`,
    total: 2 * (only ? 1 : total),
    sheets: (count) => [
      sheetOf('课时考勤', lessonColumns, some, count),
      { name: '学员考勤', columns: columnForms(attendeeColumns), rows: attendees(count) },
    ],
  });
}

async function nameOfClass(db: Database, id: number): Promise<string> {
  const { name } = await db.selectFrom('class').select('name').where('id', '=', id).executeTakeFirstOrThrow();
  return name;
}

/** Makes the export; its progress is counted in rows. */
function makeSheets(
  surroundings: ExportContext,
  { name, total, sheets }: { name: string; total: number; sheets: (count: () => void) => ExportSheet[] },
): Promise<{ url: string }> {
  return makeSpreadsheet(surroundings, {
    name,
    total,
    sheets(progress) {
      let done = 0;
      return sheets(() => {
        done += 1;
        progress(done);
      });
    },
  });
}

function sheetOf<Row>(
  name: string,
  columns: readonly ExportColumn<Row>[],
  read: (limit: number, offset: number) => Promise<Row[]>,
  count: () => void,
): ExportSheet {
  async function* rows(): AsyncGenerator<SpreadsheetRow> {
    for await (const row of readInChunks(read)) {
      yield cellsOf(columns, row);
      count();
    }
  }
  return { name, columns: columnForms(columns), rows: rows() };
}

async function* readInChunks<Row>(
  read: (limit: number, offset: number) => Promise<Row[]>,
  size = chunk,
): AsyncGenerator<Row> {
  for (let offset = 0; ; offset += size) {
    const rows = await read(size, offset);
    yield* rows;
    if (rows.length < size) return;
  }
}
