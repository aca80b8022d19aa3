/** ClassDetail: header of a class and its ten tabs. */
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/detail';
import { ClassHeader } from './class-header.tsx';
import { handleTabForm, loadDetail } from './detail.server.ts';
import { type ClassTab, classDetail, classManage, classTabs } from './screens.ts';
import { TabView } from './tabs/tab-view.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '班级详情' }],
};

const tabNames: Record<ClassTab, string> = {
  students: '学员列表',
  courses: '课程列表',
  homework: '作业列表',
  study: '学习统计',
  courseware: '班级课件',
  calendar: '教学日历',
  leave: '请假管理',
  circle: '班级圈子',
  notice: '公告',
  meeting: '班会',
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? titleMeta(tabNames[loaderData.shown.tab], loaderData.theClass.class_name) : titleMeta('班级详情');

export const loader = ({ context, url }: Route.LoaderArgs) => loadDetail(context, url);

export const action = (posted: Route.ActionArgs) => handleTabForm(posted);

export default function ClassDetail({ loaderData, actionData }: Route.ComponentProps) {
  const { theClass, shown, hasCircle, pending, now } = loaderData;
  const tabs = classTabs
    .filter((tab) => tab !== 'circle' || hasCircle)
    .map((tab) => ({
      key: tab,
      label: tabNames[tab],
      href: classDetail.href({ id: theClass.id, tab }),
      count: tab === 'leave' ? pending : undefined,
    }));
  return (
    <Screen>
      <ClassHeader theClass={theClass} now={now} />
      <Tabs label="班级" current={shown.tab} tabs={tabs} />
      <TabView shown={shown} theClass={theClass} now={now} refused={actionData} />
    </Screen>
  );
}
