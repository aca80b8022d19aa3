/** List of links between providers' accounts and learners, and of requests that wait for a decision. */
import { Button } from '@mantine/core';
import { type LearnerLinkRow, listLearnerLinks } from '#server/identity/learner-links.contract.ts';
import { linkMessages } from '#server/identity/rules.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { forbiddenIfFault, requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { studentRecord, studentScreen } from '../students/screens.ts';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import type { Route } from './+types/learner-links';
import { linkColumns, linkFilters } from './link-list.tsx';
import { learnerLinkApprove, learnerLinkList, learnerLinkReject, learnerLinkRemove, linkList } from './screens.ts';

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
  return (
    <Screen title="学员的登录关联">
      <List<LearnerLinkRow>
        view={view}
        result={links}
        caption="学员的登录关联列表"
        columns={linkColumns<LearnerLinkRow>({
          number: '学号',
          person: {
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
          actions: ({ id, number: recordName, state }) => {
            const link = { link: id };
            if (state === 'linked')
              return [{ label: '解除', recordName, href: learnerLinkRemove.href(view.here, link), danger: true }];
            return [
              { label: '关联学员', recordName, href: learnerLinkApprove.href(view.here, link) },
              state === 'waiting' && {
                label: '拒绝',
                recordName,
                href: learnerLinkReject.href(view.here, link),
                danger: true,
              },
            ];
          },
        })}
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
        filters={linkFilters('学号', view.filter)}
      />
    </Screen>
  );
}
