/** List of the group classes that the user looks after. */
import * as v from 'valibot';
import { GroupClassSchools, listTeamClasses } from '#server/group-classes/contract.ts';
import { classifyOptions, gradeOptions, roomOptions, subjectOptions } from '#server/school/contract.ts';
import { api } from '../api/client.server.ts';
import { withExtra } from '../api/with-extra.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { choicesOf } from '../ui/filter-form.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/manage';
import { teamClassColumns } from './class-columns.tsx';
import { teamList } from './screens.ts';
import { teachingModeChoices, teamStatusChoices } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('团课管理');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { show_grade, show_classify } = signedInPerson(context).settings;
  // Ignores filters by fields that the school hides.
  const { filter } = teamList.at(url);
  const query = {
    ...filter,
    grade_id: show_grade ? filter.grade_id : undefined,
    classify_id: show_classify ? filter.classify_id : undefined,
  };
  const [list, grades, classifies, subjects, rooms] = await Promise.all([
    client.ask(listTeamClasses, { query }),
    show_grade ? client.send(gradeOptions) : [],
    show_classify ? client.send(classifyOptions) : [],
    client.send(subjectOptions),
    client.send(roomOptions),
  ]);
  const { data: classes, extra } = withExtra(
    list,
    v.fallback(v.object({ schools: GroupClassSchools }), { schools: [] }),
  );
  return { classes, schools: extra.schools, grades, classifies, subjects, rooms, show_grade, show_classify };
}

export default function CurriculumManage({ loaderData }: Route.ComponentProps) {
  const { classes, schools, grades, classifies, subjects, rooms, show_grade, show_classify } = loaderData;
  const view = useAddress(teamList);
  const { filter } = view;
  const hasSchools = schools.length > 1;
  return (
    <Screen title="团课管理" wide>
      <List
        view={view}
        result={classes}
        caption="团课班级"
        columns={teamClassColumns({ hasSchools, show_grade, show_classify })}
        nothing="您还没有团课班级。教务在团课班级的资料中把您设为助教之后，这里才有班级；请联系本校教务。"
        nothingFound="没有符合条件的班级"
        filters={{
          first: [
            { label: '班级名称', name: 'class_name', value: filter.class_name },
            { label: '科目', name: 'sub_id', value: filter.sub_id, choices: choicesOf(subjects) },
            { label: '状态', name: 'status', value: filter.status, choices: teamStatusChoices },
          ],
          more: [
            hasSchools && {
              label: '校区',
              name: 'org_id',
              value: filter.org_id,
              choices: schools.map(({ id, org_name }) => [id, org_name] as const),
            },
            show_grade && { label: '年级', name: 'grade_id', value: filter.grade_id, choices: choicesOf(grades) },
            show_classify && {
              label: '分类',
              name: 'classify_id',
              value: filter.classify_id,
              choices: choicesOf(classifies),
            },
            { label: '教室', name: 'room_id', value: filter.room_id, choices: choicesOf(rooms) },
            { label: '授课方式', name: 'teaching_mode', value: filter.teaching_mode, choices: teachingModeChoices },
          ],
        }}
      />
    </Screen>
  );
}
