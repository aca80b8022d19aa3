/** Tab of an exam with student statistics: all submissions with their ranks, to filter, sort and export. */
import type { ExamStudentRow } from '#server/exams/statistics.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { ExportButton } from '../ui/export-button.tsx';
import { List } from '../ui/list.tsx';
import { useAddress } from '../ui/screen.tsx';
import { reportColumns, schoolColumn } from './columns.tsx';
import type { TabData } from './detail.server.ts';
import { examSheet, examStudents } from './screens.ts';
import { formatRank, passChoices, schoolChoices, testStatusChoices, yesNoChoices, yesNoNames } from './terms.ts';

export function StudentTab({ shown }: { shown: TabData<'student'> }) {
  const view = useAddress(examStudents);
  const { filter } = view;
  const { students, schools } = shown;
  const severalSchools = schools.length > 1;
  return (
    <List<ExamStudentRow>
      view={view}
      result={students}
      caption="学员统计"
      columns={[
        numberColumn('ranking', '排名', formatRank, { sortField: 'ranking' }),
        reportColumns.nickname,
        { key: 'identifier', header: '学号或尾号', nowrap: true, phone: 'bare', cell: (row) => row.identifier || '-' },
        severalSchools && schoolColumn((row) => row.school_name),
        numberColumn('user_score', '得分', (row) => (row.test_status === 2 ? '-' : formatScore(row.user_score)), {
          sortField: 'user_score',
        }),
        numberColumn(
          'subjective_score',
          '主观题得分',
          (row) => (row.test_status === 2 ? '-' : formatScore(row.subjective_score)),
          { sortField: 'subjective_score' },
        ),
        reportColumns.answerTime,
        reportColumns.submitTime,
        reportColumns.isPass,
        reportColumns.testStatus,
        {
          key: 'is_finish_conditions',
          header: '完成条件',
          hint: '在规定时间内作答了全部题目。',
          cell: (row) => yesNoNames[row.is_finish_conditions],
        },
        numberColumn('answer_nums', '作答次数', (row) => row.answer_nums, { sortField: 'answer_nums' }),
        { key: 'is_effective', header: '有效成绩', cell: (row) => yesNoNames[row.is_effective] },
        actionsColumn(({ report_id, nickname }) => [
          { label: '查看', recordName: nickname, href: examSheet.href({ report_id }) },
        ]),
      ]}
      rowKey={(row) => row.report_id}
      nothing="暂无学员提交试卷"
      nothingFound="没有符合条件的学员"
      filters={{
        first: [
          { label: '学员姓名', name: 'nickname', value: filter.nickname },
          { label: '考试结果', name: 'is_pass', value: filter.is_pass, choices: passChoices },
          { label: '批改状态', name: 'test_status', value: filter.test_status, choices: testStatusChoices },
        ],
        more: [
          severalSchools && {
            label: '学校',
            name: 'school_id',
            value: filter.school_id,
            choices: schoolChoices(schools),
          },
          { label: '有效成绩', name: 'is_effective', value: filter.is_effective, choices: yesNoChoices },
          {
            label: '达到完成条件',
            name: 'is_finish_conditions',
            value: filter.is_finish_conditions,
            choices: yesNoChoices,
          },
        ],
      }}
      actions={<ExportButton action={view.page(1)} />}
    />
  );
}
