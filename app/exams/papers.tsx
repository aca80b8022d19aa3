/** The papers of an exam: what was handed in, to be corrected or viewed. */
import type { ExamInfo, ExamReportRow } from '#server/exams/contract.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { examDesk, passHref } from '../correction/screens.ts';
import { formatTime } from '../lib/dates.ts';
import { momentValue } from '../lib/zoned.ts';
import { rowAction } from '../ui/button.tsx';
import { minutes } from '../ui/figures.tsx';
import { ChoiceFilter, FlagFilter, MomentRangeFilter, TextFilter } from '../ui/filter-form.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { useAddress } from '../ui/screen.tsx';
import styles from './detail.module.css';
import type { TabData } from './detail.server.ts';
import { PassResult, TestStatus } from './result.tsx';
import { examPapers, examSheet } from './screens.ts';
import { passChoices, schoolChoices, testStatusChoices } from './terms.ts';

interface PaperTabProps {
  exam: ExamInfo;
  shown: TabData<'paper'>;
  mayCorrect: boolean;
  timezone: string;
}

export function PaperTab({ exam, shown, mayCorrect, timezone }: PaperTabProps) {
  const view = useAddress(examPapers);
  const { filter } = view;
  const { papers, schools } = shown;
  const severalSchools = schools.length > 1;
  return (
    <List
      view={view}
      result={papers}
      caption="试卷列表"
      columns={columnsFor({ exam, severalSchools, mayCorrect, timezone, back: view.page(papers.page) })}
      rowKey={(row) => row.report_id}
      nothing="暂无学员提交试卷"
      nothingFound="没有符合条件的试卷"
      filters={
        <>
          <TextFilter label="学员姓名" name="username" value={filter.username} />
          <TextFilter label="手机号" name="mobile" value={filter.mobile} />
          <ChoiceFilter label="批改状态" name="test_status" value={filter.test_status} choices={testStatusChoices} />
          <ChoiceFilter label="考试结果" name="pass_status" value={filter.pass_status} choices={passChoices} />
          <MomentRangeFilter
            label="提交时间"
            from={['start_at', momentValue(filter.start_at, timezone)]}
            to={['end_at', momentValue(filter.end_at, timezone)]}
          />
          {severalSchools && (
            <ChoiceFilter label="学校" name="school_id" value={filter.school_id} choices={schoolChoices(schools)} />
          )}
          <FlagFilter label="过滤重复考试（每名学员只看有效成绩）" name="filter" checked={filter.filter === 1} />
        </>
      }
    />
  );
}

interface ColumnsContext {
  exam: ExamInfo;
  severalSchools: boolean;
  mayCorrect: boolean;
  timezone: string;
  /** This list as it is shown. */
  back: string;
}

function columnsFor({ exam, severalSchools, mayCorrect, timezone, back }: ColumnsContext): Column<ExamReportRow>[] {
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
    { key: 'score', header: '总分', align: 'right', nowrap: true, cell: (row) => shownScore(row.score) },
    {
      key: 'user_score',
      header: '得分',
      align: 'right',
      nowrap: true,
      cell: (row) => (row.test_status === 2 ? '-' : shownScore(row.user_score)),
    },
    {
      key: 'subjective_score',
      header: '主观题得分',
      align: 'right',
      nowrap: true,
      cell: (row) => (row.test_status === 2 ? '-' : shownScore(row.subjective_score)),
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
            <a
              className={rowAction}
              href={passHref(examDesk, { report_id, pile_id: exam.id, back })}
              aria-label={`批改${nickname}的试卷`}
            >
              批改
            </a>
          )}
          <a className={rowAction} href={examSheet.href({ report_id })} aria-label={`查看${nickname}的试卷`}>
            查看
          </a>
        </div>
      ),
    },
  ];
}
