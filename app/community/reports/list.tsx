/** List of reported posts. All complaints about a post share a row. */
import { listReportedPosts, type ReportedPost, reportedSchools } from '#server/community/reports.contract.ts';
import { api } from '../../api/client.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, numberColumn } from '../../ui/columns.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { List } from '../../ui/list.tsx';
import { NearMoment, timeColumn } from '../../ui/moment.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { Tag } from '../../ui/tag.tsx';
import { reportDismissal, reportedDeletion, reportedList, reportedPost } from '../screens.ts';
import {
  reportReasonChoices,
  reportReasonNames,
  reportStateChoices,
  reportStateNames,
  reportStateTones,
  userTypeNames,
} from '../terms.ts';
import type { Route } from './+types/list';

export const meta: Route.MetaFunction = () => titleMeta('帖子举报');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listReportedPosts);
  const client = context.get(api);
  const [posts, schools] = await Promise.all([
    client.send(listReportedPosts, { filter: reportedList.at(url).filter }),
    client.send(reportedSchools),
  ]);
  return { posts, schools };
}

const excerpt = 60;
const shorten = (text: string) => ([...text].length > excerpt ? `${[...text].slice(0, excerpt).join('')}…` : text);

export default function Reports({ loaderData: { posts, schools } }: Route.ComponentProps) {
  const view = useAddress(reportedList);
  const { filter } = view;
  return (
    <Screen title="帖子举报">
      <List<ReportedPost>
        view={view}
        result={posts}
        caption="被举报的帖子"
        columns={[
          {
            key: 'content',
            header: '帖子',
            minWidth: 260,
            phone: 'name',
            cell: (row) => (
              <a href={reportedPost.href({ id: row.id })} data-written>
                {shorten(row.content)}
              </a>
            ),
          },
          {
            key: 'author',
            header: '作者',
            minWidth: 100,
            cell: (row) => (
              <>
                {row.nickname}
                <SubLine>{userTypeNames[row.user_type]}</SubLine>
              </>
            ),
          },
          {
            key: 'group',
            header: '圈子',
            minWidth: 120,
            cell: (row) => (
              <>
                {row.group_name}
                {schools.length > 1 && <SubLine>{row.school_name}</SubLine>}
              </>
            ),
          },
          {
            key: 'types',
            header: '举报原因',
            minWidth: 120,
            phone: 'line',
            cell: (row) => row.types.map((type) => reportReasonNames[type]).join('、'),
          },
          numberColumn('reports', '举报次数', (row) => row.reports),
          timeColumn('reported', '最近举报', (row) => row.reported_at),
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            phone: 'bare',
            cell: (row) => (
              <>
                <Tag tone={reportStateTones[row.state]}>{reportStateNames[row.state]}</Tag>
                {row.decided_by && (
                  <SubLine>
                    {row.decided_by} <NearMoment at={row.decided_at ?? 0} />
                  </SubLine>
                )}
              </>
            ),
          },
          actionsColumn((row) => {
            const here = reportedPost.href({ id: row.id });
            const recordName = shorten(row.content);
            if (row.state !== 'waiting') return [{ label: '查看', recordName, href: here }];
            return [
              { label: '处理', recordName, href: here },
              { label: '驳回举报', recordName, href: reportDismissal.href(here) },
              { label: '删除帖子', recordName, href: reportedDeletion.href(here), danger: true },
            ];
          }),
        ]}
        nothing="没有待处理的举报"
        nothingFound="没有符合条件的帖子"
        filters={{
          first: [
            { label: '帖子内容', name: 'name', value: filter.name },
            { label: '状态', name: 'state', value: filter.state, choices: reportStateChoices, unchosen: '待处理' },
          ],
          more: [
            { label: '举报原因', name: 'type', value: filter.type, choices: reportReasonChoices },
            schools.length > 1 && {
              label: '学校',
              name: 'school_id',
              value: filter.school_id,
              choices: choicesOf(schools),
            },
          ],
          unfiltered: '待处理',
          presets: [
            { label: '已删除', filter: { state: 'deleted' } },
            { label: '已驳回', filter: { state: 'dismissed' } },
          ],
        }}
      />
    </Screen>
  );
}
