/** HomeworkStudentStatis: statistics of one student's report. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { homeworkHeader, type ReportSummary } from '#server/analysis/contract.ts';
import { type StudentTypeRow, studentHomework, studentProgress } from '#server/analysis/transcript.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { api } from '../api/client.server.ts';
import { homeworkSheet } from '../grading/screens.ts';
import { formatPercent } from '../lib/amounts.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { numberColumn } from '../ui/columns.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Ring } from '../ui/ring.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/student-statistics';
import { crumbsTo } from './crumbs.ts';
import { Progress } from './progress.tsx';
import { studentStatistics } from './screens.ts';
import { StatusTag } from './status-tag.tsx';
import styles from './student-statistics.analysis.module.css';

export const handle: ScreenHandle = { crumbs: crumbsTo('学员作业统计') };

export const meta: Route.MetaFunction = () => titleMeta('学员作业统计');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { hw_id: hwId, class_id, report_id } = studentStatistics.at(url);
  const [info, { ques_type_list }, progress] = await Promise.all([
    client.send(homeworkHeader, { params: { hwId }, query: { class_id, report_id } }),
    client.send(studentHomework, { params: { reportId: report_id } }),
    client.send(studentProgress, { params: { reportId: report_id } }),
  ]);
  return { info: info as ReportSummary, types: ques_type_list, progress, report_id, class_id };
}

export default function StudentStatistics({ loaderData }: Route.ComponentProps) {
  const { info, types, progress, report_id, class_id } = loaderData;
  const facts: [string, ReactNode][] = [
    ['答题人', info.mobile ? `${info.user}（${info.mobile}）` : info.user],
    ['批改人', graderOf(info)],
    [
      '作业时间',
      <span key="time">
        <NearMoment at={info.created_at} /> 至 <NearMoment at={info.end_time} />
      </span>,
    ],
    ['客观题', `${info.objective_amount} 题`],
    ['主观题', `${info.subjective_amount} 题`],
    ['满分', info.is_set_score === 2 ? `${formatScore(info.score)} 分` : '按正确率计分'],
    ['作业说明', info.homework_introduce || '-'],
  ];
  return (
    <Screen>
      <header className={styles.header}>
        <Ring label="完成率" percent={info.finish_rate} detail="已作答题目占全部题目" />
        <div>
          <h1>
            {info.homework_name} <StatusTag status={info.status} />
          </h1>
          <Facts>
            {facts.map(([name, value]) => (
              <Fact key={name} term={name}>
                {value}
              </Fact>
            ))}
          </Facts>
          <div className={`${styles.actions} no-print`}>
            {info.status === 3 ? (
              <Button component="a" variant="default" href={homeworkSheet.href({ report_id, class_id })}>
                查看作业
              </Button>
            ) : (
              <Button type="button" variant="default" disabled title="批改完成后可以查看">
                查看作业
              </Button>
            )}
          </div>
        </div>
      </header>
      <Progress {...progress} classId={class_id} />
      <ListTable
        caption="题型统计"
        columns={columnsFor(info)}
        rows={types}
        rowKey={(row) => row.ques_type}
        empty="暂无题目"
      />
    </Screen>
  );
}

/** Formats the name of the person who finished grading, with role and mobile number. */
function graderOf({ teacher, assistant, teacher_mobile, assistant_mobile }: ReportSummary): string {
  const [name, role, mobile] = teacher ? [teacher, '讲师', teacher_mobile] : [assistant, '助教', assistant_mobile];
  return name ? `${name}（${role}）${mobile ? ` ${mobile}` : ''}` : '无';
}

function columnsFor({ is_set_score }: ReportSummary): (Column<StudentTypeRow> | false)[] {
  const scored = is_set_score === 2;
  return [
    { key: 'name', header: '题型', cell: (row) => row.name },
    numberColumn('right_amount', '正确题数', (row) => row.right_amount),
    numberColumn('total', '总题数', (row) => row.total),
    scored && numberColumn('right_score', '得分', (row) => formatScore(row.right_score)),
    scored && numberColumn('total_score', '总分', (row) => formatScore(row.total_score)),
    !scored && numberColumn('rate', '正确率', (row) => formatPercent(row.right_rate)),
  ];
}
