/** Student statistics: every submission with its rank, to filter, sort and export. */
import { Button } from '@mantine/core';
import type { ExamStudentRow } from '#server/exams/statistics.contract.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import toolbar from '../analysis/toolbar.module.css';
import { formatTime } from '../lib/dates.ts';
import { rowAction } from '../ui/button.tsx';
import { minutes } from '../ui/figures.tsx';
import { ChoiceFilter, TextFilter } from '../ui/filter-form.tsx';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { TabData } from './detail.server.ts';
import { PassResult, TestStatus } from './result.tsx';
import { examSheet, examStudents } from './screens.ts';
import { passChoices, schoolChoices, testStatusChoices, yesNo, yesNoChoices } from './terms.ts';

interface StudentTabProps {
  shown: TabData<'student'>;
  timezone: string;
}

export function StudentTab({ shown, timezone }: StudentTabProps) {
  const view = useAddress(examStudents);
  const { filter } = view;
  const { students, schools } = shown;
  const severalSchools = schools.length > 1;
  return (
    <List
      view={view}
      result={students}
      caption="学员统计"
      columns={columnsFor(severalSchools, timezone)}
      rowKey={(row) => row.report_id}
      nothing="暂无学员提交试卷"
      nothingFound="没有符合条件的学员"
      filters={
        <>
          <TextFilter label="学员姓名" name="nickname" value={filter.nickname} />
          <ChoiceFilter label="考试结果" name="is_pass" value={filter.is_pass} choices={passChoices} />
          <ChoiceFilter label="批改状态" name="test_status" value={filter.test_status} choices={testStatusChoices} />
          {severalSchools && (
            <ChoiceFilter label="学校" name="school_id" value={filter.school_id} choices={schoolChoices(schools)} />
          )}
          <ChoiceFilter label="有效成绩" name="is_effective" value={filter.is_effective} choices={yesNoChoices} />
          <ChoiceFilter
            label="达到完成条件"
            name="is_finish_conditions"
            value={filter.is_finish_conditions}
            choices={yesNoChoices}
          />
        </>
      }
      above={
        <div className={toolbar.toolbar}>
          <p>排名按已批改的答卷计算；同一学员多次参加时，有效成绩为已批改中得分最高的一次。</p>
          {/* A form, so that nothing makes files ahead of a click. */}
          <Form action={view.page(1)} className="no-print">
            <Button type="submit" variant="default">
              导出
            </Button>
          </Form>
        </div>
      }
    />
  );
}

function columnsFor(severalSchools: boolean, timezone: string): Column<ExamStudentRow>[] {
  return [
    { key: 'ranking', header: '排名', align: 'right', sortField: 'ranking', cell: (row) => row.ranking ?? '--' },
    { key: 'nickname', header: '学员姓名', minWidth: 90, cell: (row) => row.nickname },
    ...(severalSchools
      ? [
          {
            key: 'school',
            header: '学校',
            minWidth: 110,
            cell: (row) => row.school_name,
          } satisfies Column<ExamStudentRow>,
        ]
      : []),
    {
      key: 'user_score',
      header: '得分',
      align: 'right',
      nowrap: true,
      sortField: 'user_score',
      cell: (row) => (row.ranking === null ? '-' : shownScore(row.user_score)),
    },
    {
      key: 'subjective_score',
      header: '主观题得分',
      align: 'right',
      nowrap: true,
      sortField: 'subjective_score',
      cell: (row) => (row.ranking === null ? '-' : shownScore(row.subjective_score)),
    },
    {
      key: 'answer_time',
      header: '用时',
      align: 'right',
      nowrap: true,
      sortField: 'answer_time',
      cell: (row) => minutes(row.answer_time),
    },
    {
      key: 'submit_time',
      header: '提交时间',
      nowrap: true,
      sortField: 'submit_time',
      cell: (row) => formatTime(row.submit_time, timezone),
    },
    { key: 'is_pass', header: '考试结果', nowrap: true, cell: (row) => <PassResult pass={row.is_pass} /> },
    { key: 'test_status', header: '批改状态', nowrap: true, cell: (row) => <TestStatus status={row.test_status} /> },
    {
      key: 'is_finish_conditions',
      header: '完成条件',
      hint: '在规定时间内作答了全部题目。',
      cell: (row) => yesNo[row.is_finish_conditions],
    },
    {
      key: 'answer_nums',
      header: '作答次数',
      align: 'right',
      sortField: 'answer_nums',
      cell: (row) => row.answer_nums,
    },
    { key: 'is_effective', header: '有效成绩', cell: (row) => yesNo[row.is_effective] },
    {
      key: 'actions',
      header: '操作',
      nowrap: true,
      cell: ({ report_id, nickname }) => (
        <a className={rowAction} href={examSheet.href({ report_id })} aria-label={`查看${nickname}的试卷`}>
          查看
        </a>
      ),
    },
  ];
}
