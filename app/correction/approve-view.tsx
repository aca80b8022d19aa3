/** HomeworkApproveView: a report as it was graded. */
import { classStudentReport, type StudentReport, studentReport } from '#server/correction/contract.ts';
import { reportStatusNames } from '#server/homework/rules.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { api } from '../api/client.server.ts';
import { homeworkManage } from '../homework/screens.ts';
import { formatTime } from '../lib/dates.ts';
import { titled } from '../shell/title.ts';
import styles from '../ui/report.module.css';
import { Screen } from '../ui/screen.tsx';
import { useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/approve-view';
import { AnswerCard } from './desk/answer-card.tsx';
import { AnsweredQuestion, countedStatuses, isRatedReport, questionAnchor, ReviewHistory } from './report-pieces.tsx';
import { homeworkSheet, homeworkStudent } from './screens.ts';
import { countByStatus, shownMinutes } from './terms.ts';

export const handle = { crumbs: [{ label: '作业管理', href: homeworkManage.href() }, { label: '批改结果' }] };

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titled(loaderData ? `${loaderData.report.nickname}的作业` : '批改结果');

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
      <Head {...loaderData} />
      <div className={styles.columns}>
        <div>
          {report_questions.map((question) => (
            <AnsweredQuestion key={question.id} question={question} rated={rated} open={false} />
          ))}
        </div>
        <aside className={styles.side}>
          <AnswerCard
            places={card_info.map(({ question_id, sort, status }) => ({
              id: question_id,
              label: sort,
              status,
              here: false,
            }))}
            counts={countByStatus(card_info, countedStatuses(report.status))}
            form={undefined}
            href={(id) => `#${questionAnchor(id)}`}
          />
          <section aria-label="总评语">
            <h2>评语</h2>
            <p className={styles.comment}>{report.comment || '暂无评语'}</p>
          </section>
          <ReviewHistory entries={review_history} rated={rated} />
        </aside>
      </div>
    </Screen>
  );
}

function Head(loaded: StudentReport) {
  const { report } = loaded;
  const timezone = useTimezone();
  const rated = isRatedReport(loaded);
  const place = [report.class_name, report.course_title, report.periods_name].filter((part) => part !== '');
  const outOf = (earned: number, total: number) => `${shownScore(earned)}/${shownScore(total)}`;
  const figures: [string, string][] = [
    ['状态', reportStatusNames[report.status]],
    rated ? ['正确率', `${report.correct_rate}%`] : ['得分', outOf(report.user_score, report.score)],
    ['客观题', outOf(report.object_score, report.object_total_score)],
    ['主观题', outOf(report.subject_score, report.subject_total_score)],
    ['用时', shownMinutes(report.answer_time)],
    ['提交时间', formatTime(report.submit_at, timezone)],
    ['批改人', report.reviewer_name || '-'],
  ];
  return (
    <header className={styles.head}>
      <h1>
        {report.nickname}
        <small>{report.homework_name}</small>
      </h1>
      <p className={styles.quiet}>{place.join(' · ')}</p>
      <dl className={styles.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="no-print">
        <a href={homeworkStudent.href({ report_id: report.report_id })}>学生作业报告</a>
      </p>
    </header>
  );
}
