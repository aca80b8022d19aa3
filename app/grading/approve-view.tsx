/** Read-only page of one graded homework report. */

import type { ReactNode } from 'react';
import { reportStatusNames } from '#server/grading/rules.ts';
import { classStudentReport, type StudentReport, studentReport } from '#server/grading-desk/report.contract.ts';
import { api } from '../api/client.server.ts';
import { homeworkManage } from '../homework/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { NearMoment } from '../ui/moment.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/approve-view';
import { AnswerCard, readOnlyPlaces } from './desk/answer-card.tsx';
import { OverallComment, ReportColumns } from './report-frame.tsx';
import {
  AnsweredQuestion,
  countedStatuses,
  isRatedReport,
  ReportHead,
  ReviewHistory,
  resultFigures,
  timeSpent,
} from './report-pieces.tsx';
import { homeworkSheet, homeworkStudent, questionAnchor } from './screens.ts';
import { countByStatus } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '作业管理', href: homeworkManage.href() }, { label: '批改结果' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta(loaderData ? `${loaderData.report.nickname}的作业` : '批改结果');

export function loader({ context, url }: Route.LoaderArgs): Promise<StudentReport> {
  const { report_id: reportId, class_id: classId } = homeworkSheet.at(url);
  const client = context.get(api);
  return classId > 0
    ? client.send(classStudentReport, { params: { reportId, classId } })
    : client.send(studentReport, { params: { reportId } });
}

export default function HomeworkApproveView({ loaderData }: Route.ComponentProps) {
  const { report, report_questions, card_info, review_history } = loaderData;
  const rated = isRatedReport(loaderData);
  return (
    <Screen>
      <ReportHead
        report={report}
        figures={figuresOf(loaderData)}
        other={{ href: homeworkStudent.href({ report_id: report.report_id }), label: '学员作业报告' }}
      />
      <ReportColumns
        side={
          <>
            <AnswerCard
              places={readOnlyPlaces(card_info)}
              counts={countByStatus(card_info, countedStatuses(report.status))}
              form={undefined}
              href={(id) => `#${questionAnchor(id)}`}
            />
            <OverallComment comment={report.comment} />
            <ReviewHistory entries={review_history} rated={rated} />
          </>
        }
      >
        {report_questions.map((question) => (
          <AnsweredQuestion key={question.id} question={question} rated={rated} open={false} />
        ))}
      </ReportColumns>
    </Screen>
  );
}

function figuresOf(loaded: StudentReport): [string, ReactNode][] {
  const { report } = loaded;
  return [
    ['状态', reportStatusNames[report.status]],
    ...resultFigures(loaded),
    ['用时', timeSpent(loaded)],
    ['提交时间', report.submit_at === 0 ? '-' : <NearMoment key="submitted" at={report.submit_at} />],
    ['批改人', report.reviewer_name || '-'],
  ];
}
