/** Reports of an exam: the list for graders, and student statistics with their order. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { nameContains } from '#server/platform/db/search.ts';
import type { Exam } from '#server/schema/database.ts';
import { studentIdentifier } from '#server/students/rules.ts';
import type { ExamInfo, ExamReportFilter, ExamReportRow, School } from './contract.ts';
import { examRanks, isScored, passResult } from './pass-and-rank.ts';
import { examPoints, testStatus } from './rules.ts';
import type { ExamExportFilter, ExamStudentFilter, ExamStudentRow } from './statistics.contract.ts';
import { findVisibleExam, visibleSchoolId } from './visible.ts';

/** Returns the header of the exam's screens. 404: not visible. */
export async function examHeader(db: Database, actor: Actor, examId: number): Promise<ExamInfo | Refusal> {
  const exam = await findVisibleExam(db, actor, examId);
  if (isRefusal(exam)) return exam;
  const [[names], schools] = await Promise.all([namesOf(db, { id: exam.id }), visibleExamFigures(db, exam, actor)]);
  return {
    id: exam.id,
    name: exam.name,
    introduce: exam.introduce,
    title: names?.name ?? '',
    score: examPoints(exam.score),
    pass_score: examPoints(exam.pass_score),
    limit_time: exam.limit_time,
    ques_num: exam.ques_num,
    status: exam.status,
    school_name: names?.org_name ?? '',
    answer_users_num: schools.reduce((sum, school) => sum + school.student_count, 0),
  };
}

const namesOf = (db: Database, { id }: { id: number }) =>
  db
    .selectFrom('exam')
    .innerJoin('school', 'school.id', 'exam.school_id')
    .leftJoin('exam_category', 'exam_category.id', 'exam.category_id')
    .select(['school.org_name', 'exam_category.name'])
    .where('exam.id', '=', id)
    .execute();

/** Reads the stored sums of the schools whose reports the user sees. */
export const visibleExamFigures = (db: Database, exam: Exam, actor: Actor) =>
  memoizePerPage(db, `figures of exam ${exam.id}`, () => {
    const figures = db.selectFrom('exam_figures').selectAll().where('exam_id', '=', exam.id);
    const school = visibleSchoolId(exam, actor);
    return (school === undefined ? figures : figures.where('school_id', '=', school)).execute();
  });

type Reports = SelectQueryBuilder<Tables, 'exam_report', object>;

/** Selects the reports of the exam that the user sees. */
function reportsOf(db: Database, exam: Exam, actor: Actor): Reports {
  const school = visibleSchoolId(exam, actor);
  const reports: Reports = db.selectFrom('exam_report').where('exam_report.exam_id', '=', exam.id);
  return school === undefined ? reports : reports.where('exam_report.school_id', '=', school);
}

/**
 * Filters by a student's name or mobile number. The subquery runs per report, so that other students of the school are
 * not read.
 */
function filterByStudent(reports: Reports, column: 'nickname' | 'mobile', text: string): Reports {
  return reports.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('student as named')
        .select('named.id')
        .whereRef('named.id', '=', 'exam_report.student_id')
        .where(nameContains(`named.${column}`, text)),
    ),
  );
}

/** Counts reports; without a filter it reads the stored sum instead. */
async function reportCount(
  db: Database,
  reports: Reports,
  exam: Exam,
  actor: Actor,
  isFiltered: boolean,
): Promise<number> {
  if (!isFiltered)
    return (await visibleExamFigures(db, exam, actor)).reduce((sum, one) => sum + one.submitted_count, 0);
  return countOf(reports);
}

const hasAnyValue = (values: readonly unknown[]) => values.some((value) => value !== undefined);

/** Filters by passed or failed. Ungraded reports and exams without scores have neither result. */
function withPass(reports: Reports, exam: Exam, pass: 1 | 2): Reports {
  if (!isScored(exam)) return reports.where(sql<boolean>`1 = 0`);
  const graded = reports.where('exam_report.test_status', '=', testStatus.reviewed);
  return graded.where('exam_report.user_score', pass === 1 ? '>=' : '<', exam.pass_score);
}

const reportColumns = [
  'exam_report.id as report_id',
  'student.nickname',
  'student.mobile',
  'student.number',
  'school.org_name as school_name',
  'exam_report.user_score',
  'exam_report.objective_score',
  'exam_report.subjective_score',
  'exam_report.answer_time',
  'exam_report.submit_time',
  'exam_report.test_status',
] as const;

interface FoundReport {
  report_id: number;
  nickname: string;
  mobile: string;
  number: string;
  school_name: string;
  user_score: number;
  objective_score: number;
  subjective_score: number;
  answer_time: number;
  submit_time: number;
  test_status: 2 | 3;
}

const asksSubjective = async (db: Database, exam: Exam): Promise<boolean> =>
  (await anySubjective(db, { examId: exam.id })).length > 0;

const anySubjective = (db: Database, { examId }: { examId: number }) =>
  db
    .selectFrom('exam_question')
    .select('id')
    .where('exam_id', '=', examId)
    .where('ques_type', '=', 5)
    .limit(1)
    .execute();

function shownReport(row: FoundReport, exam: Exam, subjective: boolean) {
  return {
    report_id: row.report_id,
    nickname: row.nickname,
    score: examPoints(exam.score),
    user_score: examPoints(row.user_score),
    objective_score: examPoints(row.objective_score),
    subjective_score: subjective ? examPoints(row.subjective_score) : null,
    answer_time: row.answer_time,
    submit_time: row.submit_time,
    is_pass: passResult(row, exam),
    test_status: row.test_status,
    school_name: row.school_name,
  } satisfies Omit<ExamReportRow, 'mobile'>;
}

export type ReportPage = Page<ExamReportRow> & { user_school_list: School[] };

/** Lists reports for graders. 404: not visible. */
export async function examReportPage(
  db: Database,
  actor: Actor,
  examId: number,
  filter: ExamReportFilter,
): Promise<ReportPage | Refusal> {
  const exam = await findVisibleExam(db, actor, examId);
  if (isRefusal(exam)) return exam;
  // If the range is given in reverse, its ends are swapped.
  const [from, to] = [filter.start_at, filter.end_at].every((one) => one !== undefined)
    ? [filter.start_at as number, filter.end_at as number].sort((a, b) => a - b)
    : [filter.start_at, filter.end_at];
  let reports = reportsOf(db, exam, actor);
  if (filter.username) reports = filterByStudent(reports, 'nickname', filter.username);
  if (filter.mobile) reports = filterByStudent(reports, 'mobile', filter.mobile);
  if (filter.test_status !== undefined) reports = reports.where('test_status', '=', filter.test_status);
  if (filter.pass_status !== undefined) reports = withPass(reports, exam, filter.pass_status);
  if (from !== undefined) reports = reports.where('submit_time', '>=', from);
  if (to !== undefined) reports = reports.where('submit_time', '<=', to);
  if (filter.filter === 1) reports = reports.where('is_effective', '=', 1);
  if (filter.school_id !== undefined) reports = reports.where('exam_report.school_id', '=', filter.school_id);
  const { page: _, limit: __, ...filters } = filter;
  const total = await reportCount(db, reports, exam, actor, hasAnyValue(Object.values(filters)));
  const inOrder = reports
    .innerJoin('student', 'student.id', 'exam_report.student_id')
    .innerJoin('school', 'school.id', 'exam_report.school_id')
    .select(reportColumns)
    .orderBy('submit_time', 'desc')
    .orderBy('exam_report.id', 'desc');
  const [{ list: rows, ...range }, subjective, user_school_list] = await Promise.all([
    pageOf(total, filter, inOrder),
    asksSubjective(db, exam),
    schoolsWithReports(db, exam, actor),
  ]);
  const list = rows.map((row) => ({ ...shownReport(row, exam, subjective), mobile: row.mobile }));
  return { list, ...range, user_school_list };
}

/** Returns the schools whose students took this exam, among those that the user sees. */
async function schoolsWithReports(db: Database, exam: Exam, actor: Actor): Promise<School[]> {
  const figures = await visibleExamFigures(db, exam, actor);
  if (figures.length === 0) return [];
  return db
    .selectFrom('school')
    .select(['id', 'org_name'])
    .where(
      'id',
      'in',
      figures.map((one) => one.school_id),
    )
    .orderBy('id')
    .execute();
}

// ---- student statistics --------------------------------------------------------------------------

export interface StudentList {
  exam: Exam;
  total: number;
  /** Returns the ids of all reports in order. */
  ids: () => Promise<number[]>;
  /** Returns the rows of these reports in the same order. */
  rows: (reportIds: readonly number[]) => Promise<ExamStudentRow[]>;
  pageIds: (range: RowRange) => Promise<number[]>;
}

/** Prepares the filtered and sorted list, for a page or an export. */
export async function studentList(
  db: Database,
  actor: Actor,
  filter: ExamExportFilter,
): Promise<StudentList | Refusal> {
  const exam = await findVisibleExam(db, actor, filter.test_id);
  if (isRefusal(exam)) return exam;
  const matching = withStudentFilter(reportsOf(db, exam, actor), exam, filter);
  const ordered = orderReports(matching.select('exam_report.id'), filter);
  const { test_id, sort_field, sort, ...filters } = filter;
  const { page: _, limit: __, ...chosen } = filters as Partial<ExamStudentFilter>;
  const total = await reportCount(db, matching, exam, actor, hasAnyValue(Object.values(chosen)));
  const subjective = await asksSubjective(db, exam);
  return {
    exam,
    total,
    ids: async () => (await ordered.execute()).map(({ id }) => id),
    pageIds: async ({ limit, offset }) => (await ordered.limit(limit).offset(offset).execute()).map(({ id }) => id),
    rows: (reportIds) => studentRows(db, exam, reportIds, subjective),
  };
}

function withStudentFilter(reports: Reports, exam: Exam, filter: ExamExportFilter): Reports {
  let matching = reports;
  if (filter.nickname) matching = filterByStudent(matching, 'nickname', filter.nickname);
  if (filter.is_pass !== undefined) matching = withPass(matching, exam, filter.is_pass);
  if (filter.test_status !== undefined) matching = matching.where('test_status', '=', filter.test_status);
  if (filter.school_id !== undefined) matching = matching.where('exam_report.school_id', '=', filter.school_id);
  if (filter.is_effective !== undefined) matching = matching.where('is_effective', '=', filter.is_effective);
  if (filter.is_finish_conditions !== undefined) {
    matching = matching.where('is_finish_conditions', '=', filter.is_finish_conditions);
  }
  return matching;
}

type Ordered = SelectQueryBuilder<Tables, 'exam_report', { id: number }>;

/** Orders the reports. Ungraded ones have no rank and no score; they come last in either direction. */
function orderReports(reports: Ordered, { sort_field = 'ranking', sort }: ExamExportFilter): Ordered {
  const direction = sort ?? (sort_field === 'ranking' ? 'asc' : 'desc');
  const last = (query: Ordered) => query.orderBy('exam_report.id');
  switch (sort_field) {
    case 'ranking':
      return last(reports.orderBy('test_status', 'desc').orderBy('user_score', direction === 'asc' ? 'desc' : 'asc'));
    case 'user_score':
    case 'subjective_score':
      return last(reports.orderBy('test_status', 'desc').orderBy(sort_field, direction));
    case 'answer_nums':
      return last(reports.orderBy(answerTimes, direction));
    default:
      return last(reports.orderBy(sort_field, direction));
  }
}

/** SQL for the number of submissions of this exam by the same student. */
const answerTimes = sql<number>`(
  select count(*) from exam_report as every
  where every.exam_id = exam_report.exam_id and every.student_id = exam_report.student_id)`;

async function studentRows(
  db: Database,
  exam: Exam,
  reportIds: readonly number[],
  subjective: boolean,
): Promise<ExamStudentRow[]> {
  if (reportIds.length === 0) return [];
  const found = await db
    .selectFrom('exam_report')
    .innerJoin('student', 'student.id', 'exam_report.student_id')
    .innerJoin('school', 'school.id', 'exam_report.school_id')
    .select(reportColumns)
    .select(['is_effective', 'is_finish_conditions', answerTimes.as('answer_nums')])
    .where('exam_report.id', 'in', reportIds)
    .execute();
  const isRanked = (row: (typeof found)[number]) =>
    isScored(exam) && row.test_status === testStatus.reviewed && row.is_effective === 1;
  const { rankOf } = await examRanks(
    db,
    exam.id,
    found.filter(isRanked).map((row) => row.user_score),
  );
  const byId = new Map(found.map((row) => [row.report_id, row]));
  return reportIds.flatMap((id): ExamStudentRow[] => {
    const row = byId.get(id);
    if (!row) return [];
    return [
      {
        ...shownReport(row, exam, subjective),
        identifier: studentIdentifier(row),
        ranking: isRanked(row) ? rankOf(row.user_score) : null,
        is_finish_conditions: row.is_finish_conditions,
        answer_nums: row.answer_nums,
        is_effective: row.is_effective,
      },
    ];
  });
}

export async function examStudentPage(db: Database, actor: Actor, filter: ExamStudentFilter) {
  const list = await studentList(db, actor, filter);
  if (isRefusal(list)) return list;
  return pageOf(list.total, filter, async (range) => list.rows(await list.pageIds(range)));
}
