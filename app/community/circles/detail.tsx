/** A circle that people can join, with its members, for administrators. */
import { Button } from '@mantine/core';
import {
  type CircleMember,
  listCircleMembers,
  removeCircleMembers,
  showCircle,
} from '#server/community/circles.contract.ts';
import { api } from '../../api/client.server.ts';
import { readButton, readPostedForm, redirectBack } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, mobileColumn } from '../../ui/columns.tsx';
import { Fact } from '../../ui/facts.tsx';
import { Form } from '../../ui/form.tsx';
import { List } from '../../ui/list.tsx';
import { Moment, timeColumn } from '../../ui/moment.tsx';
import { RecordHeader } from '../../ui/record-header.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { Tag } from '../../ui/tag.tsx';
import {
  circleAddClass,
  circleAddPeople,
  circleArchive,
  circleDetail,
  circleEdit,
  circleMembers,
  circleRestore,
  circleScreen,
} from '../screens.ts';
import type { Route } from './+types/detail';

export const handle: ScreenHandle = {
  crumbs: [{ label: '圈子', href: circleScreen.href() }, { label: '圈子详情' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.circle.name, '圈子详情');

const typeNames = { 1: '学员', 2: '讲师', 3: '助教' } as const;

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showCircle);
  const { place, filter } = circleMembers.at(url);
  const client = context.get(api);
  const params = { id: place.id };
  const [circle, members] = await Promise.all([
    client.send(showCircle, { params }),
    client.send(listCircleMembers, { params, filter }),
  ]);
  const { classes: _, ...shown } = circle;
  return { circle: shown, members };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [, kind, id] = readButton(form, 'remove');
  const ids = [Number(id)];
  const outcome = await context.get(api).ask(removeCircleMembers, {
    params: { id: circleDetail.at(url).id },
    body: { student_ids: kind === 'student' ? ids : [], staff_ids: kind === 'staff' ? ids : [] },
  });
  return redirectBack(context, outcome, url);
}

export default function CircleDetail({ loaderData: { circle, members } }: Route.ComponentProps) {
  const view = useAddress(circleMembers);
  const { name, user_type } = view.filter;
  const here = view.here;
  return (
    <Screen>
      <RecordHeader
        title={
          <>
            {circle.name} {circle.is_put_away === 1 ? <Tag tone="bad">已停用</Tag> : <Tag tone="good">在用</Tag>}
          </>
        }
        facts={
          <>
            <Fact term="学校">{circle.school_name}</Fact>
            <Fact term="成员">{circle.members}</Fact>
            <Fact term="帖子">{circle.posts}</Fact>
            <Fact term="添加时间">
              <Moment at={circle.created_at} />
            </Fact>
          </>
        }
      >
        {circle.introduction && <p>{circle.introduction}</p>}
      </RecordHeader>
      <List<CircleMember>
        view={view}
        result={members}
        caption="成员列表"
        rowKey={(row) => `${row.user_type} ${row.person_id}`}
        columns={[
          { key: 'name', header: '姓名', minWidth: 110, cell: (row) => row.name },
          { key: 'type', header: '身份', nowrap: true, phone: 'bare', cell: (row) => typeNames[row.user_type] },
          mobileColumn(),
          timeColumn('joined', '加入时间', (row) => row.joined_at),
          actionsColumn((row) => [
            {
              label: '移出',
              recordName: row.name,
              intent: `remove ${row.user_type === 1 ? 'student' : 'staff'} ${row.person_id}`,
              danger: true,
            },
          ]),
        ]}
        nothing="圈子还没有成员"
        nothingFound="没有符合条件的成员"
        filters={{
          first: [
            { label: '姓名、手机号', name: 'name', value: name },
            {
              label: '身份',
              name: 'user_type',
              value: user_type,
              choices: [
                [1, typeNames[1]],
                [2, typeNames[2]],
                [3, typeNames[3]],
              ],
            },
          ],
        }}
        actions={
          <>
            <Button component="a" href={circleEdit.href(here)} variant="default">
              编辑
            </Button>
            {circle.is_put_away === 1 ? (
              <Button component="a" href={circleRestore.href(here)} variant="default">
                恢复
              </Button>
            ) : (
              <Button component="a" href={circleArchive.href(here)} variant="default">
                停用
              </Button>
            )}
            <Button component="a" href={circleAddPeople.href(here)} variant="default">
              加入成员
            </Button>
            <Button component="a" href={circleAddClass.href(here)}>
              加入班级
            </Button>
          </>
        }
        around={(table) => <Form action={here}>{table}</Form>}
      />
    </Screen>
  );
}
