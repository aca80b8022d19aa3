/** Members of a class, for administrators. */

import { listMembers, showMembership } from '#server/enrolment/contract.ts';
import { api } from '../api/client.server.ts';
import { adminClass } from '../classes/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { studentScreen } from '../students/screens.ts';
import { Fact } from '../ui/facts.tsx';
import { RecordHeader } from '../ui/record-header.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import { usePerson } from '../ui/use-school.ts';
import type { Route } from './+types/class';
import { Members } from './members.tsx';
import { classMembers, memberList } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '班级成员' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta('班级成员', loaderData?.theClass.name);

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listMembers);
  const client = context.get(api);
  const params = { id: classMembers.at(url).id };
  const [theClass, members] = await Promise.all([
    client.send(showMembership, { params }),
    client.send(listMembers, { params, filter: memberList.at(url).filter }),
  ]);
  return { theClass, members };
}

export default function ClassMembers({ loaderData: { theClass, members } }: Route.ComponentProps) {
  return (
    <Screen>
      <RecordHeader
        title={
          <>
            {theClass.name} {theClass.is_running === 0 && <Tag>已结束</Tag>}
          </>
        }
        facts={
          <>
            <Fact term="学校">{theClass.school_name}</Fact>
            <Fact term="在班">{theClass.present}</Fact>
            <Fact term="已离开">{theClass.left}</Fact>
            <Fact term="未截止的作业">{theClass.open_homework}</Fact>
            {usePerson()?.permissions.includes('teaching') && (
              <Fact term="班级">
                <a href={adminClass.href({ id: theClass.id })}>资料、课程与分组</a>
              </Fact>
            )}
          </>
        }
      />
      <Members theClass={theClass} members={members} view={useAddress(memberList)} />
    </Screen>
  );
}
