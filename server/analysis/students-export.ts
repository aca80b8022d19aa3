/** Exports the students behind a figure as a spreadsheet: the students of an answer group, or of a score band. */
import { rateMode } from '#server/grading/rules.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import {
  cellsOf,
  columnForms,
  type ExportColumn,
  type ExportContext,
  makeSpreadsheet,
} from '#server/platform/export/spreadsheet-file.ts';
import { distributionStudentRows, exactBandText } from './distribution.ts';
import { type AnswerGroup, answerStudents } from './question.contract.ts';
import { answerStudentRows } from './question-analysis.ts';
import { answeredQuestions, questionsOf, totalsOf } from './questions.ts';
import { reportScope } from './scope.ts';
import type { DistributionStudent } from './transcript.contract.ts';

interface Student {
  nickname: string;
  class_name: string;
  mobile: string;
}

const studentColumns: ExportColumn<Student>[] = [
  { header: '学员姓名', type: 'text', width: 20, cell: (row) => row.nickname },
  { header: '班级', type: 'text', width: 24, cell: (row) => row.class_name },
  { header: '手机号', type: 'text', width: 16, cell: (row) => row.mobile },
];

const scoreColumn: ExportColumn<DistributionStudent> = {
  header: '得分',
  type: 'score',
  width: 10,
  cell: (row) => row.score,
};
const rateColumn: ExportColumn<DistributionStudent> = {
  header: '正确率',
  type: 'percent',
  width: 10,
  cell: (row) => row.correct_rate / 100,
};

type ScopeRequest = Parameters<typeof reportScope>[2];

/**
 * Exports an answer group; returns the address of the file. 404: the actor does not see the homework, the class or the
 * question. 409: the homework is recalled.
 */
export async function exportAnswers(
  surroundings: ExportContext,
  request: ScopeRequest & { classId: number | undefined; questionId: number },
  group: AnswerGroup,
): Promise<{ url: string } | Refusal> {
  const { db, actor } = surroundings;
  const scope = await reportScope(db, actor, request);
  if (isRefusal(scope)) return scope;
  const found = await answerStudentRows(db, actor, request, group);
  if (isRefusal(found)) return found;
  const { number, students } = found;
  const { title } = answerStudents[group];
  const name = `${scope.homework.name}-第${number}题-${title}.xlsx`;
  return sheetOf(surroundings, { name, title, columns: studentColumns, students });
}

/**
 * Exports a score band; returns the address of the file. 404: the actor does not see the homework or the class. 409:
 * the homework is recalled.
 */
export async function exportBand(
  surroundings: ExportContext,
  request: ScopeRequest,
  bounds: Parameters<typeof distributionStudentRows>[3],
): Promise<{ url: string } | Refusal> {
  const { db, actor } = surroundings;
  const scope = await reportScope(db, actor, request);
  if (isRefusal(scope)) return scope;
  const students = await distributionStudentRows(db, actor, request, bounds);
  if (isRefusal(students)) return students;
  const figure = scope.mode === rateMode ? [rateColumn] : [scoreColumn, rateColumn];
  const title = bounds.band === 0 ? '未提交学员' : '学员明细';
  const columns = bounds.band === 0 ? studentColumns : [...studentColumns, ...figure];
  const { all } = totalsOf(answeredQuestions(await questionsOf(db, scope.homework.id)));
  const exact = bounds.band ? `（${exactBandText(bounds.band, scope.mode, all.score)}）` : '';
  return sheetOf(surroundings, { name: `${scope.homework.name}-${title}${exact}.xlsx`, title, columns, students });
}

interface Sheet<Row> {
  name: string;
  title: string;
  columns: readonly ExportColumn<Row>[];
  students: readonly Row[];
}

const sheetOf = <Row>(surroundings: ExportContext, { name, title, columns, students }: Sheet<Row>) =>
  makeSpreadsheet(surroundings, {
    name,
    total: students.length,
    sheets: (progress) => [
      { name: title, columns: columnForms(columns), rows: readRowsById(columns, students, progress) },
    ],
  });

async function* readRowsById<Row>(
  columns: readonly ExportColumn<Row>[],
  students: readonly Row[],
  progress: (done: number) => void,
) {
  for (const [index, student] of students.entries()) {
    yield cellsOf(columns, student);
    progress(index + 1);
  }
}
