/** Workbench: the work that waits for the user. */

import { Alert, Button } from '@mantine/core';
import { redirect } from 'react-router';
import { transitions } from '#server/attendance/rules.ts';
import { unassignedMessages } from '#server/classes/rules.ts';
import { deletePublishDraft } from '#server/homework/drafts.contract.ts';
import { showWorkbench, type Workbench } from '#server/workbench/contract.ts';
import { api } from '../api/client.server.ts';
import { decideLeaveRequest, decideSelected } from '../attendance/leave-actions.server.ts';
import { CourseCard } from '../calendar/course-card.tsx';
import { joinCodes, teachDays } from '../calendar/screens.ts';
import { redirectToGrading } from '../grading/start.server.ts';
import { homeworkManage, publish } from '../homework/screens.ts';
import { formatDay } from '../lib/dates.ts';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import { administration, home } from '../shell/screens.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Form } from '../ui/form.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { RowAction } from '../ui/row-action.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/home';
import styles from './home.posts.module.css';
import {
  DueHomework,
  HomeSection,
  RecentPosts,
  RejectedHandouts,
  WaitingExams,
  WaitingHomework,
  WaitingLeave,
  WaitingRolls,
} from './home-sections.tsx';

/** Maximum number of current and next lessons. The calendar has all. */
const maxLessons = 6;

export const meta: Route.MetaFunction = () => titleMeta('工作台');

export async function loader({ context }: Route.LoaderArgs) {
  const { identity, name, permissions, settings } = signedInPerson(context);
  if (identity === 'admin') throw redirect(administration.href());
  const client = context.get(api);
  const work = await client.send(showWorkbench);
  const now = client.now();
  const mayDispatch = permissions.includes('dispatch');
  return { work, name, identity, mayDispatch, timezone: settings.timezone, now, idempotencyKey: crypto.randomUUID() };
}

/** Handles the buttons: 继续批改, 删除 of a draft, 同意 and 拒绝 of a leave request. */
export async function action(sent: Route.ActionArgs) {
  const { request, context, url } = sent;
  const form = await readPostedForm(request, context);
  const [button, ...what] = readButton(form, 'start', 'drop', 'approve', 'reject');
  if (button === 'start') return redirectToGrading(sent, home.href());
  const client = context.get(api);
  if (button === 'drop')
    return redirectBack(context, await client.ask(deletePublishDraft, { body: { key: what.join(' ') } }), url);
  const outcome = await decideLeaveRequest(client, form, button, what.join(' '));
  if (!outcome.ok) return redirectBack(context, outcome, url);
  return decideSelected(context, transitions[button].to, 1, home.href());
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { work, name, identity, mayDispatch, timezone, now, idempotencyKey } = loaderData;
  const { lessons, homework, exams, leave, due, handouts, rolls, drafts, news } = work;
  const today = formatDay(now, timezone);
  const coming = lessons.filter(({ live_status, is_cancelled }) => live_status !== 3 && is_cancelled === 0);
  const ended = lessons.length - coming.length;
  const shown = Math.min(coming.length, maxLessons);
  return (
    <Screen>
      <header className={styles.head}>
        <h1>
          {name}，今天是{today.slice(5, 7)}月{today.slice(8, 10)}日 {today.slice(11)}
        </h1>
        <p className={styles.actions}>
          {/* Keeps the most used list one tap away, for screens on which the navigation is a menu. */}
          <Button component="a" className={styles.toHomework} variant="default" href={homeworkManage.href()}>
            作业管理
          </Button>
          {mayDispatch && (
            <Button component="a" href={publish.href()}>
              布置作业
            </Button>
          )}
        </p>
      </header>
      {work.is_unassigned === 1 && <Alert role="note">{unassignedMessages[identity]}</Alert>}
      {drafts.total > 0 && <Drafts drafts={drafts} now={now} />}
      <Summary work={work} />
      <div className={styles.parts}>
        <div>
          <HomeSection
            id="lessons"
            title="今天的课"
            count={lessons.length}
            all={['教学日历', teachDays.href({ view: 'day' })]}
          >
            {lessons.length === 0 && <p className={styles.nothing}>今天没有课。</p>}
            <div className={styles.lessons}>
              {coming.slice(0, maxLessons).map((course) => (
                <CourseCard
                  heading="h3"
                  key={`${course.kind}-${course.id}`}
                  course={course}
                  timezone={timezone}
                  here={home.href()}
                  isOwn
                  codesHref={joinCodes.href(teachDays.href({ view: 'day' }), { entry: `${course.kind}-${course.id}` })}
                />
              ))}
            </div>
            {(ended > 0 || coming.length > shown) && (
              <p className={styles.nothing}>
                {ended > 0 && `${ended}节已结束或取消`}{' '}
                {coming.length > shown && (
                  <a className={styles.onwards} href={teachDays.href({ view: 'day' })}>
                    稍后还有{coming.length - shown}节
                  </a>
                )}
              </p>
            )}
          </HomeSection>
          {rolls.total > 0 && <WaitingRolls rolls={rolls} now={now} />}
          {due.length > 0 && <DueHomework due={due} now={now} />}
          {handouts.length > 0 && <RejectedHandouts handouts={handouts} now={now} />}
        </div>
        <div>
          {homework && <WaitingHomework homework={homework} now={now} />}
          {exams && exams.total > 0 && <WaitingExams exams={exams} />}
          <WaitingLeave leave={leave} now={now} idempotencyKey={idempotencyKey} />
          {news.length > 0 && <RecentPosts news={news} now={now} />}
        </div>
      </div>
    </Screen>
  );
}

/** Homework drafts of the user that are not published yet, from any browser. */
function Drafts({ drafts: { total, list }, now }: { drafts: Workbench['drafts']; now: number }) {
  return (
    <section className={styles.drafts} aria-label="作业草稿">
      <Form>
        <ul className={styles.rows}>
          {list.map(({ id, key, name, course_title, question_count, address, saved_at }) => {
            const place = publish.at(new URL(address, 'http://screen'));
            return (
              <li key={key}>
                <div>
                  作业草稿{name && `“${name}”`}
                  {question_count !== null && `：${course_title || '未选课程'}，${question_count}题`}，保存于{' '}
                  <NearMoment at={saved_at} now={now} />
                </div>
                <div className={styles.actions}>
                  <RowAction
                    main
                    label="继续布置"
                    recordName={name || '未命名'}
                    href={publish.href({ ...place, draft: String(id) })}
                  />
                  <details className={styles.drop}>
                    <summary aria-label={`删除草稿：${name || '未命名'}`}>删除</summary>
                    <RowAction label="确定删除" recordName={name || '未命名'} intent={`drop ${key}`} danger />
                  </details>
                </div>
              </li>
            );
          })}
        </ul>
      </Form>
      {total > list.length && <p className={styles.nothing}>还有更早的{total - list.length}份</p>}
    </section>
  );
}

/** Counts of the sections as links, for a phone, where the sections are below each other. */
function Summary({ work: { lessons, homework, exams, leave, due, handouts, rolls, news } }: { work: Workbench }) {
  const parts: [id: string, label: string, count: number, unit: string][] = [
    ['lessons', '今天', lessons.length, '节'],
    ['rolls', '待点名', rolls.total, '节'],
    ['due', '将截止', due.length, ''],
    ['handouts', '驳回讲义', handouts.length, ''],
    ['homework', '批改', homework?.reports ?? 0, ''],
    ['exams', '试卷', exams?.reports ?? 0, ''],
    ['leave', '请假', leave.total, ''],
    ['news', '新帖', news.length, ''],
  ];
  const waiting = parts.filter(([, , count]) => count > 0);
  if (waiting.length < 2) return null;
  return (
    <nav className={styles.summary} aria-label="今日概览">
      {waiting.map(([id, label, count, unit]) => (
        <a key={id} href={`#${id}`}>
          {label} {count}
          {unit}
        </a>
      ))}
    </nav>
  );
}
