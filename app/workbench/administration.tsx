/** Start page of administrators: counts, inboxes and first steps. */

import { putAwayStep, showOverview } from '#server/workbench/administration.contract.ts';
import { startSteps } from '#server/workbench/rules.ts';
import { staffList, staffPasswords } from '../account/screens.ts';
import { api } from '../api/client.server.ts';
import { adminClassList } from '../classes/screens.ts';
import { reportedPosts } from '../community/screens.ts';
import { courseList } from '../courses/screens.ts';
import { adminExamList } from '../exams/screens.ts';
import { learnerLinkList, linkList } from '../identity/screens.ts';
import { importList } from '../import/screens.ts';
import { errorReportInbox } from '../questions/screens.ts';
import { schoolList } from '../schools/screens.ts';
import { handoutReview } from '../sessions/screens.ts';
import { backups, settings as settingsScreen, systemScreen } from '../settings/screens.ts';
import { backupStateSentences, textSentences } from '../settings/terms.ts';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { studentList } from '../students/screens.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/administration';
import own from './administration.posts.module.css';
import styles from './home.posts.module.css';
import { StartList } from './start-list.tsx';

export const meta: Route.MetaFunction = () => titleMeta('管理首页');

export async function loader({ context }: Route.LoaderArgs) {
  const { name, permissions, every_school } = signedInPerson(context);
  const overview = await context.get(api).send(showOverview);
  return { name, overview, permissions, everySchool: every_school === 1 };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [button, step] = readButton(form, 'away', 'back');
  const body = { step: startSteps.find((one) => one === step), is_away: button === 'away' ? (1 as const) : undefined };
  return redirectBack(context, await context.get(api).ask(putAwayStep, { body }), url);
}

/** A count, with a link to its list if the user may see it. */
interface Count {
  label: string;
  count: number;
  href?: string | undefined;
}

export default function Administration({
  loaderData: { name, overview, permissions, everySchool },
}: Route.ComponentProps) {
  const people = permissions.includes('people');
  const settings = permissions.includes('settings');
  const teaching = permissions.includes('teaching');
  const exams = permissions.includes('exams');
  const to = (href: string) => (people ? href : undefined);
  const staff: Count[] = [
    { label: '学员', count: overview.students, href: to(studentList.href({ state: 'active' })) },
    { label: '讲师', count: overview.lecturers, href: to(staffList.href({ identity: 'teacher' })) },
    { label: '助教', count: overview.assistants, href: to(staffList.href({ identity: 'assist' })) },
    { label: '教务', count: overview.administrators, href: to(staffList.href({ identity: 'admin' })) },
    { label: '未激活', count: overview.new_staff, href: to(staffList.href({ state: 'new' })) },
    { label: '已停用', count: overview.disabled_staff, href: to(staffList.href({ state: 'disabled' })) },
  ];
  const school: Count[] = [
    { label: '学校', count: overview.schools, href: settings ? schoolList.href() : undefined },
    { label: '课程', count: overview.courses, href: teaching ? courseList.href() : undefined },
    { label: '班级', count: overview.classes, href: teaching ? adminClassList.href() : undefined },
    { label: '考试', count: overview.exams, href: exams ? adminExamList.href() : undefined },
    {
      label: '考试草稿',
      count: overview.exam_drafts,
      href: exams ? adminExamList.href({ state: 'draft' }) : undefined,
    },
  ];
  const waiting: Count[] = [
    teaching && {
      label: '讲义待审核',
      count: overview.handouts_waiting,
      href: handoutReview.href(),
    },
    teaching && {
      label: '题目纠错',
      count: overview.corrections_waiting,
      href: errorReportInbox.href(),
    },
    people && {
      label: '帖子举报',
      count: overview.reports_waiting,
      href: reportedPosts.href(),
    },
    (people || teaching || settings) && {
      label: '导入待确认',
      count: overview.imports_waiting,
      href: importList.href({ waiting: '1' }),
    },
    people &&
      everySchool && {
        label: '登录申请',
        count: overview.identities_waiting,
        href: linkList.href({ state: 'waiting' }),
      },
    people &&
      everySchool && {
        label: '学员登录申请',
        count: overview.learner_identities_waiting,
        href: learnerLinkList.href({ state: 'waiting' }),
      },
  ].filter((count) => count !== false);
  return (
    <Screen>
      <header className={styles.head}>
        <h1>{name}，您好</h1>
      </header>
      <StartList overview={overview} mayDismiss={settings && everySchool} />
      {overview.new_staff > 0 && people && (
        <p className={own.notice}>
          <span>{overview.new_staff}人还没有自己的密码。</span>
          <a href={staffPasswords.href()}>打印初始密码</a>
        </p>
      )}
      {(overview.backups === 'failed' || overview.backups === 'overdue') && (
        <p className={own.notice}>
          <span>{backupStateSentences[overview.backups]}</span>
          <a href={backups.href()}>查看备份</a>
        </p>
      )}
      {overview.learners_locked_out === 1 && (
        <p className={own.notice}>
          <span>学员端已开启，但学校没有短信接口，没有印发初始密码，也没有用于学员的统一登录，学员还不能登录。</span>
          <a href={settingsScreen.href()}>查看学员端</a>
        </p>
      )}
      {overview.texts !== 'ok' && (
        <p className={own.notice}>
          <span>{textSentences[overview.texts]}</span>
          <a href={overview.texts === 'failing' ? systemScreen.href() : settingsScreen.href({ tab: 'messages' })}>
            {overview.texts === 'failing' ? '查看系统' : '设置短信'}
          </a>
        </p>
      )}
      <div className={styles.parts}>
        {waiting.length > 0 && <Counts title="待处理" counts={waiting} />}
        <Counts title="人员" counts={staff} />
        <Counts title="学校" counts={school} />
      </div>
    </Screen>
  );
}

function Counts({ title, counts }: { title: string; counts: Count[] }) {
  return (
    <section className={`${styles.part} ${own.part}`} aria-label={title}>
      <h2>{title}</h2>
      <ul className={own.counts}>
        {counts.map(({ label, count, href }) => (
          <li key={label}>
            {href ? (
              <a href={href}>
                {label} <strong>{count}</strong>
              </a>
            ) : (
              <span>
                {label} <strong>{count}</strong>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
