/** Workbench: what needs the user's attention now. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { redirect } from 'react-router';
import { transitions } from '#server/attendance/rules.ts';
import { dropPublishForm } from '#server/homework/publication.contract.ts';
import { showWorkbench, type Workbench } from '#server/workbench/contract.ts';
import { homeworkDetail, reminding } from '../analysis/screens.ts';
import { api } from '../api/client.server.ts';
import { decideLeaveRequest, decideSelected } from '../attendance/leave-actions.server.ts';
import { leaveDecision, leaveInbox, periodRoll } from '../attendance/screens.ts';
import { periodStatusNames } from '../attendance/terms.ts';
import { CourseCard } from '../calendar/course-card.tsx';
import { joinCodes, teachDays } from '../calendar/screens.ts';
import { circlePost, communityPost, memberCommunity } from '../community/screens.ts';
import { correctionList } from '../correction/screens.ts';
import { startGrading } from '../correction/start.server.ts';
import { examList, examPapers } from '../exams/screens.ts';
import { homeworkList, homeworkManage, publish } from '../homework/screens.ts';
import { formatDay, formatTimeLeft } from '../lib/dates.ts';
import { sessionDetail, sessionManage, sessionRoll } from '../sessions/screens.ts';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import { administration, home } from '../shell/screens.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Form } from '../ui/form.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Progress } from '../ui/progress.tsx';
import { RowAction } from '../ui/row-action.tsx';
import { Screen } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { usePerson } from '../ui/use-school.ts';
import type { Route } from './+types/home';
import styles from './home.posts.module.css';

/** Current and next lessons shown; the calendar has all. */
const shownLessons = 6;
/** Rows shown per part on a phone (home.posts.module.css). */
const shownOnPhone = 3;

export const meta: Route.MetaFunction = () => titled('工作台');

export async function loader({ context }: Route.LoaderArgs) {
  const { identity, name, permissions, settings } = signedInPerson(context);
  if (identity === 'admin') throw redirect(administration.href());
  const client = context.get(api);
  const work = await client.send(showWorkbench);
  const now = client.now();
  const mayDispatch = permissions.includes('dispatch');
  return { work, name, mayDispatch, timezone: settings.timezone, now, idempotencyKey: crypto.randomUUID() };
}

/** Handles 继续批改, 删除 of a draft, 同意 and 拒绝. */
export async function action(sent: Route.ActionArgs) {
  const { request, context, url } = sent;
  const form = await readPostedForm(request, context);
  const [button, ...what] = readButton(form, 'start', 'drop', 'approve', 'reject');
  if (button === 'start') return startGrading(sent, home.href());
  const client = context.get(api);
  if (button === 'drop')
    return redirectBack(context, await client.ask(dropPublishForm, { body: { key: what.join(' ') } }), url);
  const outcome = await decideLeaveRequest(client, form, button, what.join(' '));
  if (!outcome.ok) return redirectBack(context, outcome, url);
  return decideSelected(context, transitions[button].to, 1, home.href());
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { work, name, mayDispatch, timezone, now, idempotencyKey } = loaderData;
  const { lessons, homework, exams, leave, due, handouts, rolls, drafts, news } = work;
  const today = formatDay(now, timezone);
  const coming = lessons.filter(({ live_status, is_cancelled }) => live_status !== 3 && is_cancelled === 0);
  const ended = lessons.length - coming.length;
  const shown = Math.min(coming.length, shownLessons);
  return (
    <Screen>
      <header className={styles.head}>
        <h1>
          {name}，今天是{today.slice(5, 7)}月{today.slice(8, 10)}日 {today.slice(11)}
        </h1>
        <p className={styles.actions}>
          {/* Where the navigation is a menu, the most used list stays one tap away. */}
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
      {drafts.total > 0 && <Drafts drafts={drafts} now={now} />}
      <Summary work={work} />
      <div className={styles.parts}>
        <div>
          <Part
            id="lessons"
            title="今天的课"
            count={lessons.length}
            all={['教学日历', teachDays.href({ view: 'day' })]}
          >
            {lessons.length === 0 && <p className={styles.nothing}>今天没有课。</p>}
            <div className={styles.lessons}>
              {coming.slice(0, shownLessons).map((course) => (
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
          </Part>
          {rolls.total > 0 && <Rolls rolls={rolls} now={now} />}
          {due.length > 0 && <Due due={due} now={now} />}
          {handouts.length > 0 && <Handouts handouts={handouts} now={now} />}
        </div>
        <div>
          {homework && <WaitingHomework homework={homework} now={now} />}
          {exams && exams.total > 0 && <WaitingExams exams={exams} />}
          <Leave leave={leave} now={now} idempotencyKey={idempotencyKey} />
          {news.length > 0 && <News news={news} now={now} />}
        </div>
      </div>
    </Screen>
  );
}

/** Unpublished homework drafts of the user, from any browser. */
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
                    of={name || '未命名'}
                    href={publish.href({ ...place, draft: String(id) })}
                  />
                  <details className={styles.drop}>
                    <summary aria-label={`删除草稿：${name || '未命名'}`}>删除</summary>
                    <RowAction label="确定删除" of={name || '未命名'} intent={`drop ${key}`} danger />
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

/** On a phone, where parts are stacked: their counts as links. */
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

interface PartProps {
  id: string;
  title: string;
  count: number;
  /** Number of rows it lists. */
  rows?: number;
  /** Link to the full list, if there is one. */
  all?: [label: string, href: string];
  children: ReactNode;
}

function Part({ id, title, count, rows = 0, all, children }: PartProps) {
  return (
    <section className={styles.part} id={id} aria-label={title}>
      <h2>
        {title} {count > 0 && <span className={styles.count}>{count}</span>}
        {all && <a href={all[1]}>{all[0]}</a>}
      </h2>
      {children}
      {all && rows > shownOnPhone && (
        <a className={styles.rest} href={all[1]}>
          还有{rows - shownOnPhone}项
        </a>
      )}
    </section>
  );
}

function WaitingHomework({ homework, now }: { homework: NonNullable<Workbench['homework']>; now: number }) {
  const { total, reports, list } = homework;
  return (
    <Part
      id="homework"
      title="待批改作业"
      count={reports}
      rows={list.length}
      all={[total > 0 ? `全部${total}项` : '作业批改', correctionList.href(total > 0 ? { view: 'groups' } : {})]}
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
                of={row.name}
                intent={`start ${row.id}`}
              />
            </li>
          ))}
        </ul>
      </Form>
    </Part>
  );
}

function WaitingExams({ exams: { total, reports, list } }: { exams: NonNullable<Workbench['exams']> }) {
  return (
    <Part
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
            <RowAction main label="去批改" of={row.name} href={examPapers.href({ id: row.id, test_status: 2 })} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Leave({
  leave: { total, list },
  now,
  idempotencyKey,
}: {
  leave: Workbench['leave'];
  now: number;
  idempotencyKey: string;
}) {
  return (
    <Part id="leave" title="待审批的请假" count={total} rows={list.length} all={['全部请假', leaveInbox.href()]}>
      {list.length === 0 && <p className={styles.nothing}>没有待审批的请假。</p>}
      <Form idempotencyKey={idempotencyKey}>
        <ul className={styles.rows}>
          {list.map((row) => {
            const of = `${row.name}，${row.course_periods_title}`;
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
                  <RowAction label="同意" of={of} intent={`approve ${row.id}`} />
                  <RowAction label="拒绝" of={of} intent={`reject ${row.id}`} danger />
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
    </Part>
  );
}

function Due({ due, now }: { due: Workbench['due']; now: number }) {
  return (
    <Part id="due" title="48小时内截止" count={due.length} rows={due.length} all={['作业管理', homeworkList.href()]}>
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
                of={row.name}
                href={reminding.href(homeworkDetail.href({ hw_id: row.id, class_id: 0 }))}
              />
            </li>
          );
        })}
      </ul>
    </Part>
  );
}

function Rolls({ rolls: { total, list }, now }: { rolls: Workbench['rolls']; now: number }) {
  const latest = list.slice(0, shownOnPhone);
  const earlier = list.slice(shownOnPhone);
  return (
    <Part id="rolls" title="待点名" count={total}>
      <RollRows lessons={latest} now={now} />
      {earlier.length > 0 && (
        <details className={styles.earlier}>
          <summary>还有更早的{total - latest.length}节</summary>
          <RollRows lessons={earlier} now={now} />
          {total > list.length && <p className={styles.nothing}>这里列出最近的{list.length}节</p>}
        </details>
      )}
    </Part>
  );
}

/** Lecturers do not call the roll of lessons: they get a link to the lesson. */
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
                of={`${row.class_name} ${name}`}
                href={periodRoll.href({ period_id: row.id, class_id: row.class_id, back })}
              />
            ) : isAssistant ? (
              <RowAction
                main
                label="点名"
                of={`${row.class_name} ${name}`}
                href={sessionRoll.href({ id: row.id, back })}
              />
            ) : (
              <RowAction main label="由助教点名" of={`${row.class_name} ${name}`} href={detail} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Handouts({ handouts, now }: { handouts: Workbench['handouts']; now: number }) {
  return (
    <Part
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
    </Part>
  );
}

function News({ news, now }: { news: Workbench['news']; now: number }) {
  return (
    <Part
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
                    ? circlePost.href({ id: row.post_id, group_id: row.group_id, type: 1 })
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
    </Part>
  );
}
