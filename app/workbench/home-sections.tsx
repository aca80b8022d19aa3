/** The sections of the workbench: each is a list with a link to all its rows. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Workbench } from '#server/workbench/contract.ts';
import { homeworkDetail, reminderDialog } from '../analysis/screens.ts';
import { leaveDecision, leaveInbox, periodRoll } from '../attendance/screens.ts';
import { periodStatusNames } from '../attendance/terms.ts';
import { classCirclePost, communityPost, memberCommunity } from '../community/screens.ts';
import { examList, examPapers } from '../exams/screens.ts';
import { gradingList } from '../grading/screens.ts';
import { homeworkList } from '../homework/screens.ts';
import { formatTimeLeft } from '../lib/dates.ts';
import { sessionDetail, sessionManage, sessionRoll } from '../sessions/screens.ts';
import { home } from '../shell/screens.ts';
import { Form } from '../ui/form.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Progress } from '../ui/progress.tsx';
import { RowAction } from '../ui/row-action.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { usePerson } from '../ui/use-school.ts';
import styles from './home.posts.module.css';

/** Rows per section on a phone (home.posts.module.css). */
const maxOnPhone = 3;

interface PartProps {
  id: string;
  title: string;
  count: number;
  /** Number of rows that the section lists. */
  rows?: number;
  /** Label and address of the full list, if there is one. */
  all?: [label: string, href: string];
  children: ReactNode;
}

export function HomeSection({ id, title, count, rows = 0, all, children }: PartProps) {
  return (
    <section className={styles.part} id={id} aria-label={title}>
      <h2>
        {title} {count > 0 && <span className={styles.count}>{count}</span>}
        {all && <a href={all[1]}>{all[0]}</a>}
      </h2>
      {children}
      {all && rows > maxOnPhone && (
        <a className={styles.rest} href={all[1]}>
          还有{rows - maxOnPhone}项
        </a>
      )}
    </section>
  );
}

export function WaitingHomework({ homework, now }: { homework: NonNullable<Workbench['homework']>; now: number }) {
  const { total, reports, list } = homework;
  return (
    <HomeSection
      id="homework"
      title="待批改作业"
      count={reports}
      rows={list.length}
      all={[total > 0 ? `全部${total}项` : '作业批改', gradingList.href(total > 0 ? { view: 'groups' } : {})]}
    >
      {list.length === 0 && <p className={styles.nothing}>没有待批改的作业。</p>}
      <Form>
        <ul className={styles.rows}>
          {list.map((row) => (
            <li key={row.id}>
              <div>
                <a href={homeworkDetail.href({ hw_id: row.id, class_id: 0 })}>{row.name}</a>
                <SubLine>
                  {row.course_title} · {row.ending_time > now ? '' : '已截止 '}
                  <NearMoment at={row.ending_time} now={now} />
                </SubLine>
              </div>
              <Progress done={row.submitted - row.waiting} all={row.submitted} />
              <RowAction
                main
                label={row.waiting < row.submitted ? '继续批改' : '去批改'}
                recordName={row.name}
                intent={`start ${row.id}`}
              />
            </li>
          ))}
        </ul>
      </Form>
    </HomeSection>
  );
}

export function WaitingExams({ exams: { total, reports, list } }: { exams: NonNullable<Workbench['exams']> }) {
  return (
    <HomeSection
      id="exams"
      title="待批改试卷"
      count={reports}
      rows={list.length}
      all={[`全部${total}场考试`, examList.href({ waiting: 1 })]}
    >
      <ul className={styles.rows}>
        {list.map((row) => (
          <li key={row.id}>
            <div>
              <a href={examPapers.href({ id: row.id })}>{row.name}</a>
            </div>
            <Progress done={row.submitted - row.waiting} all={row.submitted} />
            <RowAction
              main
              label="去批改"
              recordName={row.name}
              href={examPapers.href({ id: row.id, test_status: 2 })}
            />
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}

export function WaitingLeave({
  leave: { total, list },
  now,
  idempotencyKey,
}: {
  leave: Workbench['leave'];
  now: number;
  idempotencyKey: string;
}) {
  return (
    <HomeSection id="leave" title="待审批的请假" count={total} rows={list.length} all={['全部请假', leaveInbox.href()]}>
      {list.length === 0 && <p className={styles.nothing}>没有待审批的请假。</p>}
      <Form idempotencyKey={idempotencyKey}>
        <ul className={styles.rows}>
          {list.map((row) => {
            const recordName = `${row.name}，${row.course_periods_title}`;
            return (
              <li key={row.id}>
                <div>
                  {row.name} <span className={styles.about}>{row.class_name}</span>
                  <SubLine>
                    <NearMoment at={row.start_play} now={now} /> {periodStatusNames[row.course_periods_status]}{' '}
                    {row.course_basis_title} {row.course_periods_title}
                    {row.leave_cause && `：${row.leave_cause}`}
                  </SubLine>
                </div>
                <div className={styles.actions}>
                  <RowAction label="同意" recordName={recordName} intent={`approve ${row.id}`} />
                  <RowAction label="拒绝" recordName={recordName} intent={`reject ${row.id}`} danger />
                </div>
              </li>
            );
          })}
        </ul>
      </Form>
      {list.length > 1 && (
        <p className={styles.actions}>
          {([2, 3] as const).map((op_status) => (
            <Button
              component="a"
              key={op_status}
              variant="default"
              href={leaveDecision.href(leaveInbox.href(), {
                op_status,
                ids: list.map(({ id }) => id),
                back: home.href(),
              })}
            >
              {op_status === 2 ? '批量同意' : '批量拒绝'}
            </Button>
          ))}
        </p>
      )}
    </HomeSection>
  );
}

export function DueHomework({ due, now }: { due: Workbench['due']; now: number }) {
  return (
    <HomeSection
      id="due"
      title="48小时内截止"
      count={due.length}
      rows={due.length}
      all={['作业管理', homeworkList.href()]}
    >
      <ul className={styles.rows}>
        {due.map((row) => {
          const missing = row.students - row.submitted;
          return (
            <li key={row.id}>
              <div>
                <a href={homeworkDetail.href({ hw_id: row.id, class_id: 0 })}>{row.name}</a>
                <SubLine>
                  <NearMoment at={row.ending_time} now={now} /> · {formatTimeLeft(row.ending_time, now)}
                </SubLine>
                <SubLine>
                  {missing}人未交：{row.missing.join('、')}
                  {missing > row.missing.length && '等'}
                </SubLine>
              </div>
              <Progress done={row.submitted} all={row.students} />
              <RowAction
                main
                label="催交"
                recordName={row.name}
                href={reminderDialog.href(homeworkDetail.href({ hw_id: row.id, class_id: 0 }))}
              />
            </li>
          );
        })}
      </ul>
    </HomeSection>
  );
}

export function WaitingRolls({ rolls: { total, list }, now }: { rolls: Workbench['rolls']; now: number }) {
  const latest = list.slice(0, maxOnPhone);
  const earlier = list.slice(maxOnPhone);
  return (
    <HomeSection id="rolls" title="待点名" count={total}>
      <RollRows lessons={latest} now={now} />
      {earlier.length > 0 && (
        <details className={styles.earlier}>
          <summary>还有更早的{total - latest.length}节</summary>
          <RollRows lessons={earlier} now={now} />
          {total > list.length && <p className={styles.nothing}>这里列出最近的{list.length}节</p>}
        </details>
      )}
    </HomeSection>
  );
}

/** Lecturers do not call the roll of lessons, so they get a link to the lesson instead. */
function RollRows({ lessons, now }: { lessons: Workbench['rolls']['list']; now: number }) {
  const isAssistant = usePerson()?.identity === 'assist';
  const back = home.href();
  return (
    <ul className={styles.rows}>
      {lessons.map((row) => {
        const name = row.title || row.course_title;
        const detail = sessionDetail({ class_type: row.class_type === 1 ? 1 : 3 }).href({ id: row.id });
        return (
          <li key={`${row.kind}-${row.class_id}-${row.id}`}>
            <div>
              {name} <span className={styles.about}>{row.class_name}</span>
              <SubLine>
                <NearMoment at={row.start_time} now={now} /> {row.course_title}
              </SubLine>
            </div>
            {row.kind === 'period' ? (
              <RowAction
                main
                label="点名"
                recordName={`${row.class_name} ${name}`}
                href={periodRoll.href({ period_id: row.id, class_id: row.class_id, back })}
              />
            ) : isAssistant ? (
              <RowAction
                main
                label="点名"
                recordName={`${row.class_name} ${name}`}
                href={sessionRoll.href({ id: row.id, back })}
              />
            ) : (
              <RowAction main label="由助教点名" recordName={`${row.class_name} ${name}`} href={detail} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

export function RejectedHandouts({ handouts, now }: { handouts: Workbench['handouts']; now: number }) {
  return (
    <HomeSection
      id="handouts"
      title="被驳回的讲义"
      count={handouts.length}
      rows={handouts.length}
      all={['我的排课', sessionManage.href()]}
    >
      <ul className={styles.rows}>
        {handouts.map((row) => (
          <li key={row.id}>
            <div>
              <a href={sessionDetail({ class_type: row.class_type === 1 ? 1 : 3 }).href({ id: row.id })}>
                {row.file_name}
              </a>
              <SubLine>
                {row.class_name} · <NearMoment at={row.start_time} now={now} />
              </SubLine>
              <SubLine>驳回原因：{row.file_remark || '未填写'}</SubLine>
            </div>
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}

export function RecentPosts({ news, now }: { news: Workbench['news']; now: number }) {
  return (
    <HomeSection
      id="news"
      title="新的帖子和评论"
      count={news.length}
      rows={news.length}
      all={['社区', memberCommunity.href()]}
    >
      <ul className={styles.rows}>
        {news.map((row) => (
          <li key={`${row.is_comment}-${row.post_id}-${row.created_at}`}>
            <div>
              <a
                className={styles.excerpt}
                href={
                  row.class_id > 0
                    ? classCirclePost.href({ id: row.post_id, group_id: row.group_id, type: 1 })
                    : communityPost.href({ id: row.post_id, group_id: row.group_id })
                }
                data-written
              >
                {row.content}
              </a>
              <SubLine>
                {row.nickname}
                {row.is_comment === 1 ? ' 评论了您的帖子' : ''} · {row.group_name} ·{' '}
                <NearMoment at={row.created_at} now={now} />
              </SubLine>
            </div>
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}
