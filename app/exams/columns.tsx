/** Columns shared by the lists of exams, reports and students. */
import type { ReactNode } from 'react';
import type { ExamReportRow } from '#server/exams/contract.ts';
import { numberColumn } from '../ui/columns.tsx';
import type { Column } from '../ui/list-table.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { PassResult, TestStatus, UsedTime } from './result.tsx';
import { examSheet } from './screens.ts';

type ReportRow = Pick<
  ExamReportRow,
  'report_id' | 'nickname' | 'answer_time' | 'submit_time' | 'is_pass' | 'test_status'
>;

/** Column of the school, for lists over several schools. */
export const schoolColumn = <Row,>(cell: (row: Row) => ReactNode): Column<Row> => ({
  key: 'school',
  header: '学校',
  minWidth: 110,
  cell,
});

/** Columns of a submission. Lists that can be sorted add the sort fields. */
export const reportColumns = {
  nickname: {
    key: 'nickname',
    header: '学员姓名',
    minWidth: 90,
    phone: 'name',
    cell: ({ report_id, nickname }) => <a href={examSheet.href({ report_id })}>{nickname}</a>,
  },
  answerTime: numberColumn('answer_time', '用时', (row) => <UsedTime seconds={row.answer_time} />, {
    sortField: 'answer_time',
  }),
  submitTime: timeColumn('submit_time', '提交时间', (row) => row.submit_time, { sortField: 'submit_time' }),
  isPass: {
    key: 'is_pass',
    header: '考试结果',
    nowrap: true,
    phone: 'bare',
    cell: (row) => <PassResult pass={row.is_pass} />,
  },
  testStatus: {
    key: 'test_status',
    header: '批改状态',
    nowrap: true,
    phone: 'bare',
    cell: (row) => <TestStatus status={row.test_status} />,
  },
} satisfies Record<string, Column<ReportRow>>;
