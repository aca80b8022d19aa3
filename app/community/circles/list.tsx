/** List of the circles that people can join, for administrators. */
import { Button } from '@mantine/core';
import { catalogueSchools } from '#server/catalogue/contract.ts';
import { type CircleRow, listCircles } from '#server/community/circles.contract.ts';
import { api } from '../../api/client.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, numberColumn } from '../../ui/columns.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { List } from '../../ui/list.tsx';
import { timeColumn } from '../../ui/moment.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { Tag } from '../../ui/tag.tsx';
import { circleAdd, circleDetail, circleList } from '../screens.ts';
import type { Route } from './+types/list';

export const meta: Route.MetaFunction = () => titleMeta('圈子');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listCircles);
  const client = context.get(api);
  const [circles, schools] = await Promise.all([
    client.send(listCircles, { filter: circleList.at(url).filter }),
    client.send(catalogueSchools),
  ]);
  return { circles, schools };
}

export default function CircleList({ loaderData: { circles, schools } }: Route.ComponentProps) {
  const view = useAddress(circleList);
  const { name, school_id, state } = view.filter;
  const add = (
    <Button component="a" href={circleAdd.href(view.here)}>
      添加圈子
    </Button>
  );
  return (
    <Screen title="圈子">
      <List<CircleRow>
        view={view}
        result={circles}
        caption="圈子列表"
        columns={[
          {
            key: 'name',
            header: '圈子',
            minWidth: 160,
            cell: (row) => (
              <>
                <a href={circleDetail.href({ id: row.id })}>{row.name}</a>
                {row.introduction && (
                  <SubLine>
                    {row.introduction.length > 40 ? `${row.introduction.slice(0, 40)}…` : row.introduction}
                  </SubLine>
                )}
              </>
            ),
          },
          schools.length > 1 && { key: 'school', header: '学校', cell: (row) => row.school_name },
          numberColumn('members', '成员', (row) => row.members),
          numberColumn('posts', '帖子', (row) => row.posts),
          timeColumn('created', '添加时间', (row) => row.created_at),
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            phone: 'bare',
            cell: (row) => (row.is_put_away === 1 ? <Tag tone="bad">已停用</Tag> : <Tag tone="good">在用</Tag>),
          },
          actionsColumn((row) => [{ label: '成员', recordName: row.name, href: circleDetail.href({ id: row.id }) }]),
        ]}
        nothing="暂无圈子"
        nothingFound="没有符合条件的圈子"
        filters={{
          first: [
            { label: '圈子名称', name: 'name', value: name },
            schools.length > 1 && {
              label: '所属学校',
              name: 'school_id',
              value: school_id,
              choices: choicesOf(schools),
            },
            {
              label: '状态',
              name: 'state',
              value: state,
              choices: [
                ['shown', '在用'],
                ['away', '已停用'],
              ],
            },
          ],
        }}
        actions={add}
        next={add}
      />
    </Screen>
  );
}
