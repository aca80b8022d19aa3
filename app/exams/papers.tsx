/** Tab of an exam with its submissions, to grade or view. */
import type { ExamInfo, ExamReportRow } from '#server/exams/contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { examDesk, gradingHref } from '../grading/screens.ts';
import { momentValue } from '../lib/zoned.ts';
import { actionsColumn, mobileColumn, numberColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { useAddress } from '../ui/screen.tsx';
import { reportColumns, schoolColumn } from './columns.tsx';
import type { TabData } from './detail.server.ts';
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
    <List<ExamReportRow>
      view={view}
      result={papers}
      caption="试卷列表"
      columns={[
        reportColumns.nickname,
        mobileColumn(),
        severalSchools && schoolColumn((row) => row.school_name),
        numberColumn('score', '总分', (row) => formatScore(row.score), { phone: 'hidden' }),
        numberColumn('user_score', '得分', (row) => (row.test_status === 2 ? '-' : formatScore(row.user_score))),
        numberColumn('subjective_score', '主观题得分', (row) =>
          row.test_status === 2 ? '-' : formatScore(row.subjective_score),
        ),
        reportColumns.answerTime,
        reportColumns.submitTime,
        reportColumns.isPass,
        reportColumns.testStatus,
        actionsColumn(({ report_id, nickname, test_status }) => [
          test_status === 2 &&
            mayCorrect && {
              label: '批改',
              recordName: nickname,
              href: gradingHref(examDesk, { report_id, assignment_id: exam.id, back: view.page(papers.page) }),
            },
          { label: '查看', recordName: nickname, href: examSheet.href({ report_id }) },
        ]),
      ]}
      rowKey={(row) => row.report_id}
      nothing="暂无学员提交试卷"
      nothingFound="没有符合条件的试卷"
      filters={{
        first: [
          { label: '学员姓名', name: 'username', value: filter.username },
          { label: '批改状态', name: 'test_status', value: filter.test_status, choices: testStatusChoices },
          { label: '考试结果', name: 'pass_status', value: filter.pass_status, choices: passChoices },
        ],
        more: [
          { label: '手机号', name: 'mobile', value: filter.mobile },
          severalSchools && {
            label: '学校',
            name: 'school_id',
            value: filter.school_id,
            choices: schoolChoices(schools),
          },
          {
            label: '提交时间',
            from: ['start_at', momentValue(filter.start_at, timezone)],
            to: ['end_at', momentValue(filter.end_at, timezone)],
            moments: true,
          },
          { label: '过滤重复考试（每名学员只看有效成绩）', name: 'filter', checked: filter.filter === 1 },
        ],
      }}
    />
  );
}
