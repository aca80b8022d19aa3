/** Page to choose the class that the picked students join. */

import { addMembers } from '#server/enrolment/contract.ts';
import { type ClassChoice, listClassChoices } from '#server/students/contract.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { studentScreen } from '../students/screens.ts';
import { classTypeName } from '../students/terms.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import type { Route } from './+types/choose-class';
import { classChoiceList, classMembers, membersJoin } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '加入班级' }],
};

export const meta: Route.MetaFunction = () => titleMeta('选择班级');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, addMembers);
  return { classes: await context.get(api).send(listClassChoices, { filter: classChoiceList.at(url).filter }) };
}

export default function ChooseClass({ loaderData: { classes } }: Route.ComponentProps) {
  const view = useAddress(classChoiceList);
  const { ids, back } = view.place;
  return (
    <Screen title={`为${ids.length}名学员选择班级`}>
      <List<ClassChoice>
        view={view}
        result={classes}
        caption="可加入的班级"
        columns={[
          {
            key: 'name',
            header: '班级',
            minWidth: 160,
            cell: ({ id, name, class_type }) => (
              <>
                <a href={classMembers.href({ id })}>{name}</a>
                {classTypeName(class_type) && <SubLine>{classTypeName(class_type)}</SubLine>}
              </>
            ),
          },
          { key: 'school', header: '学校', cell: ({ school_name }) => school_name },
          numberColumn('present', '在班人数', ({ present }) => present),
          actionsColumn(({ id, name }) => [
            {
              label: '选择',
              recordName: name,
              href: membersJoin.href({ id, ids, back: back ?? studentScreen.href() }),
            },
          ]),
        ]}
        nothing="没有可加入的班级"
        nothingFound="没有符合条件的班级"
        filters={{ first: [{ label: '班级名称', name: 'name', value: view.filter.name }] }}
      />
    </Screen>
  );
}
