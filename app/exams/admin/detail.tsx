/** An exam for administrators: its data, the reasons why it cannot be published yet, and its progress. */
import { Button } from '@mantine/core';
import { showAdminExam } from '#server/exams/admin.contract.ts';
import { formatTimeLimit } from '#server/exams/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { api } from '../../api/client.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Fact } from '../../ui/facts.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RecordHeader } from '../../ui/record-header.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import {
  adminExamExport,
  adminExams,
  examClose,
  examEdit,
  examExtend,
  examPaper,
  examPublish,
  examRecord,
  examRemove,
  examWithdraw,
} from '../screens.ts';
import { examStateNames, examStateTones, formatAttempts, formatAudience } from '../terms.ts';
import type { Route } from './+types/detail';
import styles from './admin.posts.module.css';
import { PublishFaults } from './faults.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: adminExams.href() }, { label: '考试详情' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.exam.name, '考试详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showAdminExam);
  const { id } = examRecord.at(url);
  const exam = await context.get(api).send(showAdminExam, { params: { id } });
  return { exam, here: examRecord.href({ id }) };
}

export default function ExamDetail({ loaderData: { exam, here } }: Route.ComponentProps) {
  const { id, refusals } = exam;
  const isDraft = exam.state === 'draft';
  const isReady = isDraft && exam.faults.length === 0;
  return (
    <Screen card>
      <RecordHeader
        title={
          <>
            {exam.name} <Tag tone={examStateTones[exam.state]}>{examStateNames[exam.state]}</Tag>
          </>
        }
        facts={
          <>
            <Fact term="考试分类">{exam.category_name || '无'}</Fact>
            <Fact term="总分">{`${formatScore(exam.score)} 分，${exam.ques_num}题`}</Fact>
            <Fact term="及格分">{formatScore(exam.pass_score)}</Fact>
            <Fact term="考试时长">{formatTimeLimit(exam.limit_minutes * 60)}</Fact>
            <Fact term="答题次数">{formatAttempts(exam.attempts)}</Fact>
            <Fact term="开始时间">{exam.start_at === null ? '发布后' : <Moment at={exam.start_at} />}</Fact>
            <Fact term="结束时间">{exam.end_at === null ? '不限' : <Moment at={exam.end_at} />}</Fact>
            <Fact term="学校">{exam.schools.map(({ name }) => name).join('、')}</Fact>
            <Fact term="考试对象">
              {formatAudience(exam.classes.map(({ name }) => name))}（{exam.reach}）
            </Fact>
            <Fact term="创建人">{exam.creator}</Fact>
            {exam.published_at !== null && (
              <Fact term="发布时间">
                <Moment at={exam.published_at} />
              </Fact>
            )}
            {!isDraft && <Fact term="答卷">{`已交${exam.submitted}份，待批改${exam.waiting}份`}</Fact>}
          </>
        }
      >
        {exam.introduce && <p className={styles.introduce}>{exam.introduce}</p>}
        {refusals.edit && <p>{refusals.edit}</p>}
      </RecordHeader>
      <Toolbar>
        <Button component="a" href={examPaper.href({ id })} variant={isDraft && !isReady ? undefined : 'default'}>
          {refusals.paper === null ? '编辑试卷' : '查看试卷'}
        </Button>
        {refusals.edit === null && (
          <Button component="a" href={examEdit.href({ id })} variant="default">
            编辑信息
          </Button>
        )}
        {refusals.publish === null && (
          <Button component="a" href={examPublish.href(here)} variant={isReady ? undefined : 'default'}>
            发布
          </Button>
        )}
        {refusals.extend === null && (
          <Button component="a" href={examExtend.href(here)} variant="default">
            延长
          </Button>
        )}
        {refusals.close === null && (
          <Button component="a" href={examClose.href(here)} variant="default">
            立即结束
          </Button>
        )}
        {refusals.withdraw === null && (
          <Button component="a" href={examWithdraw.href(here)} variant="default">
            撤回
          </Button>
        )}
        <Button component="a" href={adminExamExport.href(here)} variant="default">
          导出
        </Button>
        {refusals.remove === null && (
          <Button component="a" href={examRemove.href(here)} variant="default">
            删除
          </Button>
        )}
      </Toolbar>
      {isDraft && <PublishFaults faults={exam.faults} />}
    </Screen>
  );
}
