/** List of links between providers' accounts and staff, and of requests that wait for a decision. */
import { Button } from '@mantine/core';
import { type LinkRow, listLinks } from '#server/identity/contract.ts';
import { linkMessages, linkStateNames } from '#server/identity/rules.ts';
import { staffDetail, staffScreen } from '../account/screens.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { forbiddenIfFault, requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/links';
import { learnerLinkList, linkAdd, linkApprove, linkList, linkReject, linkRemove } from './screens.ts';
import { kindChoices, stateChoices, stateTones } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '人员', href: staffScreen.href() }, { label: '登录关联' }],
};

export const meta: Route.MetaFunction = () => titleMeta('登录关联');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listLinks);
  const fault = signedInPerson(context).every_school === 1 ? undefined : linkMessages.everySchool;
  requireAllowed(context, forbiddenIfFault(fault));
  return { links: await context.get(api).send(listLinks, { filter: linkList.at(url).filter }) };
}

export default function IdentityLinks({ loaderData: { links } }: Route.ComponentProps) {
  const view = useAddress(linkList);
  const { name, state, provider } = view.filter;
  return (
    <Screen title="登录关联">
      <List<LinkRow>
        view={view}
        result={links}
        caption="登录关联列表"
        columns={[
          {
            key: 'number',
            header: '工号',
            minWidth: 110,
            cell: (row) => (
              <>
                {row.number}
                {row.name && <SubLine>{row.name}</SubLine>}
              </>
            ),
          },
          { key: 'provider', header: '登录方式', cell: (row) => row.provider_name },
          {
            key: 'staff',
            header: '人员',
            cell: (row) =>
              row.staff ? (
                <>
                  <a href={staffDetail.href({ id: row.staff.id })}>{row.staff.name}</a>
                  <SubLine>{row.staff.username}</SubLine>
                </>
              ) : (
                '-'
              ),
          },
          { key: 'used', header: '最近登录', nowrap: true, cell: (row) => <NearMoment at={row.used_at} /> },
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            cell: (row) => <Tag tone={stateTones[row.state]}>{linkStateNames[row.state]}</Tag>,
          },
          actionsColumn((row) => {
            const link = { link: row.id };
            if (row.state === 'linked')
              return [{ label: '解除', recordName: row.number, href: linkRemove.href(view.here, link), danger: true }];
            return [
              { label: '关联人员', recordName: row.number, href: linkApprove.href(view.here, link) },
              { label: '添加人员', recordName: row.number, href: linkAdd.href(link) },
              row.state === 'waiting' && {
                label: '拒绝',
                recordName: row.number,
                href: linkReject.href(view.here, link),
                danger: true,
              },
            ];
          }),
        ]}
        above={
          <p>
            第一次登录时，工号与用户名一致的讲师和助教自动关联；教务、可能是学员的账号和其他人在这里等待确认，也可以登录后在“账号安全”中自己关联。
          </p>
        }
        actions={
          <Button component="a" href={learnerLinkList.href()} variant="default">
            学员的登录关联
          </Button>
        }
        nothing="还没有人用统一登录的方式登录过"
        nothingFound="没有符合条件的登录关联"
        filters={{
          first: [
            { label: '工号、姓名', name: 'name', value: name },
            { label: '状态', name: 'state', value: state, choices: stateChoices },
          ],
          more: [{ label: '登录方式', name: 'provider', value: provider, choices: kindChoices }],
          presets: [{ label: '待确认', filter: { state: 'waiting' } }],
        }}
      />
    </Screen>
  );
}
