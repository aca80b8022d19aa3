/** Student statistics: every submission with its rank, to filter, sort and export (document 2, section 2.6). */
import type { ExamInfo, ExamStudentRow } from '#server/exams/contract.ts';
import { minutes, points } from '../analysis/figures.tsx';
import toolbar from '../analysis/toolbar.module.css';
import { formatTime } from '../lib/dates.ts';
import { buttonClass, rowAction } from '../ui/button.tsx';
import { ChoiceFilter, FilterForm, TextFilter } from '../ui/filter-form.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { detailHref, sheetHref } from './address.ts';
import type { Shown } from './detail.server.ts';
import { PassResult, TestStatus } from './result.tsx';
import { passChoices, pointsText, schoolChoices, testStatusChoices, yesNo, yesNoChoices } from './terms.ts';

interface StudentTabProps {
  exam: ExamInfo;
  shown: Shown<'student'>;
  timezone: string;
}

export function StudentTab({ exam, shown, timezone }: StudentTabProps) {
  const { filter, students, schools } = shown;
  const { test_id: _, page: __, ...kept } = filter;
  const { limit, sort_field, sort, ...chosen } = kept;
  const here = (changes: Record<string, string | number | undefined> = {}) =>
    detailHref(exam.id, 'student', { ...kept, ...changes });
  const reset = detailHref(exam.id, 'student');
  const severalSchools = schools.length > 1;
  return (
    <>
      <FilterForm
        action="/exams/detail"
        keep={{ id: exam.id, tab: 'student', sort_field, sort, limit: limit === 20 ? undefined : limit }}
        resetHref={reset}
      >
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
      </FilterForm>
      <div className={toolbar.toolbar}>
        <p>排名按已批改的答卷计算；同一学员多次参加时，有效成绩为已批改中得分最高的一次。</p>
        {/* A form, so that nothing makes files ahead of a click. */}
        <form method="post" action={here()} className="no-print">
          <button type="submit" className={buttonClass('plain')}>
            导出
          </button>
        </form>
      </div>
      <ListTable
        caption="学员统计"
        columns={columnsFor(severalSchools, timezone)}
        rows={students.list}
        rowKey={(row) => row.report_id}
        sorting={{
          field: sort_field,
          direction: sort,
          href: (field, direction) => here({ sort_field: field, sort: direction }),
        }}
        empty={
          Object.values(chosen).some((value) => value !== undefined) ? (
            <>
              没有符合条件的学员，<a href={reset}>清除筛选</a>
            </>
          ) : (
            '暂无学员提交试卷'
          )
        }
      />
      <Pager {...students} href={(page) => here({ page })} />
    </>
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
      cell: (row) => (row.ranking === null ? '-' : points(row.user_score)),
    },
    {
      key: 'subjective_score',
      header: '主观题得分',
      align: 'right',
      nowrap: true,
      sortField: 'subjective_score',
      cell: (row) => (row.ranking === null ? '-' : pointsText(row.subjective_score)),
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
        <a className={rowAction} href={sheetHref(report_id)} aria-label={`查看${nickname}的试卷`}>
          查看
        </a>
      ),
    },
  ];
}
