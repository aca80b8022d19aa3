/** List of links between providers' accounts and learners, and of requests that wait for a decision. */
import { Button } from '@mantine/core';
import { type LearnerLinkRow, listLearnerLinks } from '#server/identity/learner-links.contract.ts';
import { linkMessages, linkStateNames } from '#server/identity/rules.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { forbiddenIfFault, requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { studentRecord, studentScreen } from '../students/screens.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/learner-links';
import { learnerLinkApprove, learnerLinkList, learnerLinkReject, learnerLinkRemove, linkList } from './screens.ts';
import { kindChoices, stateChoices, stateTones } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '登录关联' }],
};

export const meta: Route.MetaFunction = () => titleMeta('登录关联', '学员');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listLearnerLinks);
  const fault = signedInPerson(context).every_school === 1 ? undefined : linkMessages.everySchool;
  requireAllowed(context, forbiddenIfFault(fault));
  return { links: await context.get(api).send(listLearnerLinks, { filter: learnerLinkList.at(url).filter }) };
}

export default function IdentityLearnerLinks({ loaderData: { links } }: Route.ComponentProps) {
  const view = useAddress(learnerLinkList);
  const { name, state, provider } = view.filter;
  return (
    <Screen title="学员的登录关联">
      <List<LearnerLinkRow>
        view={view}
        result={links}
        caption="学员的登录关联列表"
        columns={[
          {
            key: 'number',
            header: '学号',
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
            key: 'student',
            header: '学员',
            cell: ({ student }) =>
              student ? (
                <>
                  <a href={studentRecord.href({ id: student.id })}>{student.nickname}</a>
                  <SubLine>{[student.number, student.school_name].filter(Boolean).join(' · ')}</SubLine>
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
            const recordName = row.number;
            if (row.state === 'linked')
              return [{ label: '解除', recordName, href: learnerLinkRemove.href(view.here, link), danger: true }];
            return [
              { label: '关联学员', recordName, href: learnerLinkApprove.href(view.here, link) },
              row.state === 'waiting' && {
                label: '拒绝',
                recordName,
                href: learnerLinkReject.href(view.here, link),
                danger: true,
              },
            ];
          }),
        ]}
        above={
          <p>
            在学员端第一次登录时，学号只对应一名学员的账号自动关联；对应不上、几所学校有相同学号，或可能是教职工的账号，在这里等待确认。
          </p>
        }
        actions={
          <Button component="a" href={linkList.href()} variant="default">
            教职工的登录关联
          </Button>
        }
        nothing="还没有学员用统一登录的方式登录过"
        nothingFound="没有符合条件的登录关联"
        filters={{
          first: [
            { label: '学号、姓名', name: 'name', value: name },
            { label: '状态', name: 'state', value: state, choices: stateChoices },
          ],
          more: [{ label: '登录方式', name: 'provider', value: provider, choices: kindChoices }],
          presets: [{ label: '待确认', filter: { state: 'waiting' } }],
        }}
      />
    </Screen>
  );
}
