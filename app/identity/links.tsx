/** List of links between providers' accounts and staff, and of requests that wait for a decision. */
import { Button } from '@mantine/core';
import { type LinkRow, listLinks } from '#server/identity/contract.ts';
import { linkMessages } from '#server/identity/rules.ts';
import { staffDetail, staffScreen } from '../account/screens.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { forbiddenIfFault, requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import type { Route } from './+types/links';
import { linkColumns, linkFilters } from './link-list.tsx';
import { learnerLinkList, linkAdd, linkApprove, linkList, linkReject, linkRemove } from './screens.ts';

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
  return (
    <Screen title="登录关联">
      <List<LinkRow>
        view={view}
        result={links}
        caption="登录关联列表"
        columns={linkColumns<LinkRow>({
          number: '工号',
          person: {
            header: '人员',
            cell: ({ staff }) =>
              staff ? (
                <>
                  <a href={staffDetail.href({ id: staff.id })}>{staff.name}</a>
                  <SubLine>{staff.username}</SubLine>
                </>
              ) : (
                '-'
              ),
          },
          actions: ({ id, number: recordName, state }) => {
            const link = { link: id };
            if (state === 'linked')
              return [{ label: '解除', recordName, href: linkRemove.href(view.here, link), danger: true }];
            return [
              { label: '关联人员', recordName, href: linkApprove.href(view.here, link) },
              { label: '添加人员', recordName, href: linkAdd.href(link) },
              state === 'waiting' && {
                label: '拒绝',
                recordName,
                href: linkReject.href(view.here, link),
                danger: true,
              },
            ];
          },
        })}
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
        filters={linkFilters('工号', view.filter)}
      />
    </Screen>
  );
}
