/** The papers of an exam: what was handed in, to be corrected or viewed (document 2, section 2.6). */
import type { ExamInfo, ExamReportRow } from '#server/exams/contract.ts';
import { minutes, points } from '../analysis/figures.tsx';
import { formatTime, localValue } from '../lib/dates.ts';
import { rowAction } from '../ui/button.tsx';
import { ChoiceFilter, FilterForm, FlagFilter, MomentRangeFilter, TextFilter } from '../ui/filter-form.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { approveHref, detailHref, sheetHref } from './address.ts';
import styles from './detail.module.css';
import type { Shown } from './detail.server.ts';
import { PassResult, TestStatus } from './result.tsx';
import { passChoices, pointsText, schoolChoices, testStatusChoices } from './terms.ts';

interface PaperTabProps {
  exam: ExamInfo;
  shown: Shown<'paper'>;
  mayCorrect: boolean;
  timezone: string;
}

export function PaperTab({ exam, shown, mayCorrect, timezone }: PaperTabProps) {
  const { filter, papers, schools } = shown;
  const moment = (seconds: number | undefined) => (seconds === undefined ? undefined : localValue(seconds, timezone));
  const search = { ...filter, start_at: moment(filter.start_at), end_at: moment(filter.end_at) };
  const { page: _, limit, ...chosen } = search;
  const reset = detailHref(exam.id, 'paper');
  const severalSchools = schools.length > 1;
  return (
    <>
      <FilterForm
        action="/exams/detail"
        keep={{ id: exam.id, limit: limit === 20 ? undefined : limit }}
        resetHref={reset}
      >
        <TextFilter label="学员姓名" name="username" value={filter.username} />
        <TextFilter label="手机号" name="mobile" value={filter.mobile} />
        <ChoiceFilter label="批改状态" name="test_status" value={filter.test_status} choices={testStatusChoices} />
        <ChoiceFilter label="考试结果" name="pass_status" value={filter.pass_status} choices={passChoices} />
        <MomentRangeFilter label="提交时间" from={['start_at', search.start_at]} to={['end_at', search.end_at]} />
        {severalSchools && (
          <ChoiceFilter label="学校" name="school_id" value={filter.school_id} choices={schoolChoices(schools)} />
        )}
        <FlagFilter label="过滤重复考试（每名学员只看有效成绩）" name="filter" checked={filter.filter === 1} />
      </FilterForm>
      <ListTable
        caption="试卷列表"
        columns={columnsFor({ severalSchools, mayCorrect, timezone })}
        rows={papers.list}
        rowKey={(row) => row.report_id}
        empty={
          Object.values(chosen).some((value) => value !== undefined) ? (
            <>
              没有符合条件的试卷，<a href={reset}>清除筛选</a>
            </>
          ) : (
            '暂无学员提交试卷'
          )
        }
      />
      <Pager {...papers} href={(page) => detailHref(exam.id, 'paper', { ...search, page })} />
    </>
  );
}

function columnsFor({
  severalSchools,
  mayCorrect,
  timezone,
}: {
  severalSchools: boolean;
  mayCorrect: boolean;
  timezone: string;
}): Column<ExamReportRow>[] {
  return [
    { key: 'nickname', header: '学员姓名', minWidth: 90, cell: (row) => row.nickname },
    { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' },
    ...(severalSchools
      ? [
          {
            key: 'school',
            header: '学校',
            minWidth: 110,
            cell: (row) => row.school_name,
          } satisfies Column<ExamReportRow>,
        ]
      : []),
    { key: 'score', header: '总分', align: 'right', nowrap: true, cell: (row) => points(row.score) },
    {
      key: 'user_score',
      header: '得分',
      align: 'right',
      nowrap: true,
      cell: (row) => (row.test_status === 2 ? '-' : points(row.user_score)),
    },
    {
      key: 'subjective_score',
      header: '主观题得分',
      align: 'right',
      nowrap: true,
      cell: (row) => (row.test_status === 2 ? '-' : pointsText(row.subjective_score)),
    },
    { key: 'answer_time', header: '用时', align: 'right', nowrap: true, cell: (row) => minutes(row.answer_time) },
    { key: 'submit_time', header: '提交时间', nowrap: true, cell: (row) => formatTime(row.submit_time, timezone) },
    { key: 'is_pass', header: '考试结果', nowrap: true, cell: (row) => <PassResult pass={row.is_pass} /> },
    { key: 'test_status', header: '批改状态', nowrap: true, cell: (row) => <TestStatus status={row.test_status} /> },
    {
      key: 'actions',
      header: '操作',
      nowrap: true,
      cell: ({ report_id, nickname, test_status }) => (
        <div className={styles.actions}>
          {test_status === 2 && mayCorrect && (
            <a className={rowAction} href={approveHref(report_id)} aria-label={`批改${nickname}的试卷`}>
              批改
            </a>
          )}
          <a className={rowAction} href={sheetHref(report_id)} aria-label={`查看${nickname}的试卷`}>
            查看
          </a>
        </div>
      ),
    },
  ];
}
