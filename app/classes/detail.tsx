/** ClassDetail (document 3, section 2): `/classes/detail?id=&tab=`, a class and its ten tabs. */
import { data, useOutlet } from 'react-router';
import { isCircleShown, showClass } from '#server/classes/contract.ts';
import { api } from '../api.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/detail';
import { ClassHeader } from './class-header.tsx';
import styles from './detail.module.css';
import { classAddress, classOf, classTabOf, classTabs } from './tabs/tab.ts';
import { tabCounts } from './tabs/tab-counts.server.ts';
import { tabActions, tabLoaders } from './tabs/tab-loaders.server.ts';
import { TabView } from './tabs/tab-views.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '班级管理', href: '/classes' }, { label: '班级详情' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.klass.class_name ?? '班级详情'} · 教学后台` },
];

export async function loader({ context, url }: Route.LoaderArgs) {
  const { identity, settings } = signedInPerson(context);
  const client = context.get(api);
  const classId = classOf(url);
  const klass = await client.send(showClass, { params: { id: classId } });
  const tab = classTabOf(url);
  const hasCircle = isCircleShown(klass, settings);
  if (tab === 'circle' && !hasCircle) throw data({ msg: '该班级没有开放班级圈子' }, { status: 404 });
  const now = Math.floor(Date.now() / 1000);
  const asked = { client, classId, klass, url, context, now };
  const [shown, counts] = await Promise.all([tabLoaders[tab](asked), tabCounts(asked)]);
  const tabs = classTabs
    .filter(([name]) => name !== 'circle' || hasCircle)
    .map(([key, label]) => ({ key, label, href: classAddress(classId, key), count: counts[key] }));
  return { klass, tab, tabs, shown, identity, now };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const act = tabActions[classTabOf(url)];
  if (!act) throw data({ msg: '页面不存在' }, { status: 404 });
  const now = Math.floor(Date.now() / 1000);
  return act({ client: context.get(api), classId: classOf(url), url, context, request, now });
}

export default function ClassDetail({ loaderData, actionData }: Route.ComponentProps) {
  const { klass, tab, tabs, shown, identity, now } = loaderData;
  const dialog = useOutlet();
  return (
    <>
      {/* With a dialog open, the class behind it is out of reach. */}
      <main inert={dialog !== null} className={styles.page}>
        <ClassHeader klass={klass} now={now} />
        <Tabs label="班级" current={tab} tabs={tabs} />
        <TabView tab={tab} data={shown} klass={klass} identity={identity} now={now} refused={actionData} />
      </main>
      {dialog}
    </>
  );
}
