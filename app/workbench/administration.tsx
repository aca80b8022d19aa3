/** Administration: what an administrator looks after, and where to begin. */

import { showOverview } from '#server/workbench/administration.contract.ts';
import { staffList, staffPasswords } from '../account/screens.ts';
import { api } from '../api/client.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/administration';
import own from './administration.module.css';
import styles from './home.module.css';

export const meta: Route.MetaFunction = () => titled('管理首页');

export async function loader({ context }: Route.LoaderArgs) {
  const { name, permissions } = signedInPerson(context);
  return { name, overview: await context.get(api).send(showOverview), people: permissions.includes('people') };
}

/** A number, and the list of what it counts where the person may see it. */
interface Count {
  label: string;
  count: number;
  href?: string | undefined;
}

export default function Administration({ loaderData: { name, overview, people } }: Route.ComponentProps) {
  const to = (href: string) => (people ? href : undefined);
  const staff: Count[] = [
    { label: '讲师', count: overview.lecturers, href: to(staffList.href({ identity: 'teacher' })) },
    { label: '助教', count: overview.assistants, href: to(staffList.href({ identity: 'assist' })) },
    { label: '教务', count: overview.administrators, href: to(staffList.href({ identity: 'admin' })) },
    { label: '未激活', count: overview.new_staff, href: to(staffList.href({ state: 'new' })) },
    { label: '已停用', count: overview.disabled_staff, href: to(staffList.href({ state: 'disabled' })) },
  ];
  const school: Count[] = [
    { label: '学校', count: overview.schools },
    { label: '学员', count: overview.students },
    { label: '课程', count: overview.courses },
    { label: '班级', count: overview.classes },
  ];
  const isEmpty = overview.lecturers + overview.assistants === 0;
  return (
    <Screen>
      <header className={styles.head}>
        <h1>{name}，您好</h1>
      </header>
      {isEmpty && people && (
        <p className={own.notice}>
          <span>学校还没有讲师和助教。</span>
          <a href={staffList.href()}>从空白开始：添加人员</a>
        </p>
      )}
      {overview.new_staff > 0 && people && (
        <p className={own.notice}>
          <span>{overview.new_staff}人还没有自己的密码。</span>
          <a href={staffPasswords.href()}>打印初始密码</a>
        </p>
      )}
      <div className={styles.parts}>
        <Counts title="人员" counts={staff} />
        <Counts title="学校" counts={school} />
      </div>
    </Screen>
  );
}

function Counts({ title, counts }: { title: string; counts: Count[] }) {
  return (
    <section className={styles.part} aria-label={title}>
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
