/** A class of any type for administrators, with tabs and actions. */

import { Button } from '@mantine/core';
import { classOptions, editClassCourses, editClassStaff, showAdminClass } from '#server/classes/admin.contract.ts';
import { listClassGroups, placeStudents } from '#server/classes/groups.contract.ts';
import { classTypeNames, classTypes } from '#server/classes/rules.ts';
import { listContracts, showLessonClass } from '#server/group-classes/admin.contract.ts';
import { listClassHistory } from '#server/history/contract.ts';
import { api } from '../../api/client.server.ts';
import { classMembers } from '../../enrolment/screens.ts';
import { adminTeamEdit } from '../../group-classes/screens.ts';
import { idempotencyField, textOf } from '../../lib/form-data.ts';
import { adminLessonList } from '../../sessions/screens.ts';
import {
  finishForm,
  readButton,
  readPostedForm,
  redirectWithMessage,
  refusedForm,
} from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Fact } from '../../ui/facts.tsx';
import { readPickedIds } from '../../ui/multi-picker-field.tsx';
import { RecordHeader } from '../../ui/record-header.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import { usePerson } from '../../ui/use-school.ts';
import {
  type AdminClassTab,
  adminClass,
  adminClassContracts,
  adminClassEdit,
  adminClassEnd,
  adminClasses,
  adminClassHistory,
  adminClassRemove,
  adminClassReopen,
  adminClassTabs,
} from '../screens.ts';
import type { Route } from './+types/detail';
import { ClassDetails } from './class-details.tsx';
import { ClassStateTag } from './class-state-tag.tsx';
import { ContractsTab } from './contracts-tab.tsx';
import { CoursesTab } from './courses-tab.tsx';
import { GroupsTab } from './groups-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { StaffTab } from './staff-tab.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '班级', href: adminClasses.href() }, { label: '班级详情' }] };

const tabNames: Record<AdminClassTab, string> = {
  particulars: '资料',
  staff: '班主任与助教',
  courses: '课程',
  groups: '分组',
  contracts: '合同与课时',
  history: '操作记录',
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? titleMeta(tabNames[loaderData.shown.tab], loaderData.theClass.name) : titleMeta('班级详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showAdminClass);
  const client = context.get(api);
  const { id, tab: asked } = adminClass.at(url);
  const params = { id };
  const theClass = await client.send(showAdminClass, { params });
  const team =
    theClass.class_type === classTypes.stateSchool ? undefined : await client.send(showLessonClass, { params });
  const tab = asked === 'contracts' && !team ? 'particulars' : asked;
  const read = {
    particulars: async () => ({ tab: 'particulars' as const }),
    staff: async () => ({ tab: 'staff' as const, options: await client.send(classOptions) }),
    courses: async () => ({ tab: 'courses' as const, options: await client.send(classOptions) }),
    groups: async () => ({ tab: 'groups' as const, groups: await client.send(listClassGroups, { params }) }),
    contracts: async () => ({
      tab: 'contracts' as const,
      contracts: await client.send(listContracts, { params, filter: adminClassContracts.at(url).filter }),
    }),
    history: async () => ({
      tab: 'history' as const,
      changes: await client.send(listClassHistory, { params, filter: adminClassHistory.at(url).filter }),
    }),
  };
  return { theClass, team, shown: await read[tab](), now: client.now(), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [button] = readButton(form, 'staff', 'courses', 'place');
  const client = context.get(api);
  const { id, tab } = adminClass.at(url);
  const here = adminClass.href({ id, tab });
  const params = { id };
  const idempotencyKey = idempotencyField(form);
  const confirmation = { seen: textOf(form, 'seen'), acknowledged: textOf(form, 'acknowledged') };
  if (button === 'place') {
    const body = {
      course_id: Number(textOf(form, 'course_id')) || undefined,
      group_id: Number(textOf(form, 'group_id')) || undefined,
      student_ids: form.getAll('student_ids').map(Number),
    };
    return finishForm(context, await client.ask(placeStudents, { params, body, idempotencyKey }), here, form);
  }
  const outcome =
    button === 'staff'
      ? await client.ask(editClassStaff, {
          params,
          body: {
            head_ids: readPickedIds(form, 'head_ids'),
            assistant_ids: readPickedIds(form, 'assistant_ids'),
            ...confirmation,
          },
          idempotencyKey,
        })
      : await client.ask(editClassCourses, {
          params,
          body: { course_ids: readPickedIds(form, 'course_ids'), ...confirmation },
          idempotencyKey,
        });
  if (outcome.ok) return redirectWithMessage(context, outcome.msg, here);
  const { seen, acknowledged } = (outcome.data ?? {}) as { seen?: unknown; acknowledged?: unknown };
  if (typeof seen === 'string') form.set('seen', seen);
  if (typeof acknowledged === 'string') form.set('acknowledged', acknowledged);
  return refusedForm(outcome, form);
}

export default function ClassDetail({ loaderData, actionData }: Route.ComponentProps) {
  const { theClass, team, shown, now, idempotencyKey } = loaderData;
  const person = usePerson();
  const { id, name, class_type, state } = theClass;
  const here = adminClass.href({ id, tab: shown.tab });
  const tabs = adminClassTabs
    .filter((tab) => tab !== 'contracts' || team)
    .map((tab) => ({ key: tab as string, label: tabNames[tab], href: adminClass.href({ id, tab }) as string }));
  if (person?.permissions.includes('people'))
    tabs.splice(1, 0, { key: 'members', label: '成员', href: classMembers.href({ id }) });
  const groups = tabs.findIndex(({ key }) => key === 'groups');
  if (team) tabs.splice(groups + 1, 0, { key: 'lessons', label: '课次', href: adminLessonList.href({ class_id: id }) });
  const form = { idempotencyKey, refused: actionData };
  return (
    <Screen>
      <RecordHeader
        title={
          <>
            {name} <ClassStateTag state={state} />
          </>
        }
        facts={
          <>
            <Fact term="类型">{classTypeNames[class_type]}</Fact>
            <Fact term="学校">{theClass.school_name}</Fact>
            <Fact term="学员">{theClass.students_count}</Fact>
            <Fact term="课程">{theClass.courses_count}</Fact>
            {team && <Fact term="未上课次">{team.lessons_left}</Fact>}
          </>
        }
      />
      <Toolbar>
        <Button component="a" href={(team ? adminTeamEdit : adminClassEdit).href({ id })}>
          编辑
        </Button>
        {state === 'ended' ? (
          <Button component="a" href={adminClassReopen.href(here)} variant="default">
            恢复
          </Button>
        ) : (
          <Button component="a" href={adminClassEnd.href(here)} variant="default">
            结束
          </Button>
        )}
        {theClass.removal_fault === '' && (
          <Button component="a" href={adminClassRemove.href(here)} variant="default">
            删除
          </Button>
        )}
      </Toolbar>
      <Tabs label="班级" current={shown.tab} tabs={tabs} />
      {shown.tab === 'particulars' && <ClassDetails theClass={theClass} team={team} now={now} />}
      {shown.tab === 'staff' && <StaffTab theClass={theClass} options={shown.options} {...form} />}
      {shown.tab === 'courses' && <CoursesTab theClass={theClass} options={shown.options} {...form} />}
      {shown.tab === 'groups' && <GroupsTab theClass={theClass} groups={shown.groups} {...form} />}
      {shown.tab === 'contracts' && <ContractsTab contracts={shown.contracts} />}
      {shown.tab === 'history' && <HistoryTab changes={shown.changes} />}
    </Screen>
  );
}
