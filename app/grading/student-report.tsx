/** One student's report, with statistics of each question over all students. */

import type { ReactNode } from 'react';
import { reportStatusNames } from '#server/grading/rules.ts';
import { classStudentReport, type StudentReport, studentReport } from '#server/grading-desk/report.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { isRateUnknown } from '../analysis/rate-bar.tsx';
import { api } from '../api/client.server.ts';
import { homeworkManage } from '../homework/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { NearMoment } from '../ui/moment.tsx';
import { Screen } from '../ui/screen.tsx';
import { useFieldVisibility, useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/student-report';
import { OverallComment, QuestionFigures, ReportBox } from './report-frame.tsx';
import {
  AnsweredQuestion,
  isRatedReport,
  ReportHead,
  type ReportQuestion,
  ReviewHistory,
  resultFigures,
  timeSpent,
} from './report-pieces.tsx';
import { homeworkSheet, homeworkStudent } from './screens.ts';
import { lessonWords } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '作业管理', href: homeworkManage.href() }, { label: '学员作业报告' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta(loaderData ? `${loaderData.report.nickname}的作业报告` : '学员作业报告');

export function loader({ context, url }: Route.LoaderArgs): Promise<StudentReport> {
  const { report_id: reportId, class_id: classId = 0 } = homeworkStudent.at(url);
  const client = context.get(api);
  return classId > 0
    ? client.send(classStudentReport, { params: { reportId, classId } })
    : client.send(studentReport, { params: { reportId } });
}

export default function HomeworkStudent({ loaderData }: Route.ComponentProps) {
  const rated = isRatedReport(loaderData);
  const { report, course_arrange: arrange, report_questions, review_history } = loaderData;
  const timezone = useTimezone();
  const shown = useFieldVisibility();
  return (
    <Screen>
      <ReportHead
        report={report}
        lesson={arrange ? lessonWords(arrange, shown, timezone) : undefined}
        figures={figuresOf(loaderData)}
        other={{ href: homeworkSheet.href({ report_id: report.report_id, class_id: 0 }), label: '批改结果与答题卡' }}
      />
      {report.comment && (
        <ReportBox>
          <OverallComment comment={report.comment} />
        </ReportBox>
      )}
      {report_questions.map((question) => (
        <AnsweredQuestion key={question.id} question={question} rated={rated} open>
          <Statistics question={question} />
        </AnsweredQuestion>
      ))}
      <ReportBox>
        <ReviewHistory entries={review_history} rated={rated} />
      </ReportBox>
    </Screen>
  );
}

/** Statistics of a question over all submitted reports. The rate counts only graded answers. */
function Statistics({ question }: { question: ReportQuestion }) {
  const { waiting_count: waiting, answered_count, un_answer_count } = question;
  const marked = answered_count + un_answer_count - waiting;
  return (
    <QuestionFigures>
      <span>平均正确率 {isRateUnknown({ marked, waiting }) ? '-' : `${question.average_right_percent}%`}</span>
      <span>作答 {question.answered_count} 人</span>
      <span>正确 {question.right_count} 人</span>
      <span>错误 {question.wrong_count} 人</span>
      <span>未作答 {question.un_answer_count} 人</span>
      {question.waiting_count > 0 && <span>待批改 {question.waiting_count} 人</span>}
    </QuestionFigures>
  );
}

function figuresOf(loaded: StudentReport): [string, ReactNode][] {
  const { report } = loaded;
  const graded = report.status === 3;
  const others: [string, string][] = isRatedReport(loaded)
    ? [
        ['最高正确率', graded ? `${report.max_rate}%` : '-'],
        ['平均正确率', graded ? `${report.average_rate}%` : '-'],
      ]
    : [
        ['最高分', graded ? formatScore(report.max_score) : '-'],
        ['平均分', graded ? formatScore(report.avarage_score) : '-'],
      ];
  return [
    ['状态', reportStatusNames[report.status]],
    ['完成率', `${report.completion_rate}%`],
    ...resultFigures(loaded),
    ...others,
    ['题目数', String(report.question_num)],
    ['用时', timeSpent(loaded)],
    ['提交时间', report.submit_at === 0 ? '-' : <NearMoment key="submitted" at={report.submit_at} />],
    ['截止时间', <NearMoment key="ends" at={report.end_time} />],
  ];
}
