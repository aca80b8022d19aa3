/** Inbox of the leave requests of all classes, the earliest lesson first. */

import { Alert } from '@mantine/core';
import { type LeaveInboxRow, listLeaveInbox, undoableInbox } from '#server/attendance/leave.contract.ts';
import { listClasses } from '#server/classes/contract.ts';
import { inClassOrder } from '#server/classes/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { api } from '../api/client.server.ts';
import { classLeave, classManage } from '../classes/screens.ts';
import { localDay, weekOf } from '../lib/dates.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { choicesOf } from '../ui/filter-form.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { useNow, useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/inbox';
import { handleLeaveButtons } from './leave-actions.server.ts';
import { LeaveList } from './leave-list.tsx';
import { leaveInboxList } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('请假审批');

export const handle: ScreenHandle = {
  crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '请假审批' }],
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { chosen: _, ticked: __, waiting, ...filter } = leaveInboxList.at(url).filter;
  const [leave, undoable, classes] = await Promise.all([
    client.send(listLeaveInbox, { filter: { ...filter, waiting: waiting ? 1 : undefined, ids: [] } }),
    client.send(undoableInbox),
    client.send(listClasses, { query: { limit: maxListLimit } }),
  ]);
  return { leave, undoable, classes: choicesOf(inClassOrder(classes.list)), idempotencyKey: crypto.randomUUID() };
}

export const action = (sent: Route.ActionArgs) =>
  handleLeaveButtons(sent, leaveInboxList.at(sent.url).without('chosen', 'ticked').here);

export default function LeaveInbox({ loaderData, actionData }: Route.ComponentProps) {
  const { leave, undoable, classes, idempotencyKey } = loaderData;
  const address = useAddress(leaveInboxList);
  const view = address.without('chosen', 'ticked');
  const { filter } = view;
  const [now, timezone] = [useNow(), useTimezone()];
  const [today, week] = [localDay(now, timezone), weekOf(now, timezone)];
  return (
    <Screen title="请假审批">
      {actionData && <Alert>{actionData.msg}</Alert>}
      <LeaveList<LeaveInboxRow>
        view={view}
        // `address.here` keeps the ticks, so cancelling the dialog restores them.
        here={address.here}
        result={leave}
        // If the list includes decided requests, its total is not the number of waiting ones.
        pending={filter.waiting ? leave.total : 0}
        allChosen={(limit) => address.with({ page: 1, limit, chosen: 'pending' })}
        noneChosen={view.with({ page: 1, limit: undefined })}
        isAllChosen={address.filter.chosen !== undefined}
        ticked={address.filter.ticked}
        undoable={undoable}
        idempotencyKey={idempotencyKey}
        columns={[
          {
            key: 'class',
            header: '班级',
            minWidth: 120,
            phone: 'bare',
            cell: (row) => <a href={classLeave.href({ id: row.class_id })}>{row.class_name}</a>,
          },
        ]}
        nothing={filter.waiting ? '没有待审批的请假' : '暂无请假记录'}
        filtering={{
          nothingFound: '没有符合条件的请假申请',
          filters: {
            first: [
              { label: '班级', name: 'class_id', value: filter.class_id, choices: classes },
              { label: '学员', name: 'nickname', value: filter.nickname },
              { label: '只看待审批', name: 'waiting', checked: filter.waiting, off: '含已审批' },
            ],
            more: [
              { label: '课程/课时', name: 'title', value: filter.title },
              { label: '上课日期', from: ['start', filter.start], to: ['end', filter.end] },
            ],
            presets: [
              { label: '今天上课', filter: { start: today, end: today } },
              { label: '本周上课', filter: { start: week.from, end: week.to } },
            ],
          },
        }}
      />
    </Screen>
  );
}
