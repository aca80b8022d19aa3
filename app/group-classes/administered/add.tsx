/** AdminTeamAdd: a group class or one-to-one, with its assistants and what it is taught. */
import { classOptions } from '#server/classes/administered.contract.ts';
import { classTypeNames } from '#server/classes/rules.ts';
import { addLessonClass } from '#server/group-classes/administered.contract.ts';
import { lessonClassTypes } from '#server/group-classes/rules.ts';
import { api } from '../../api/client.server.ts';
import { adminClass } from '../../classes/screens.ts';
import { dayOf } from '../../lib/dates.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { titled } from '../../shell/title.ts';
import { choicesOf } from '../../ui/filter-form.tsx';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { PickedField } from '../../ui/picked-field.tsx';
import { recordForm } from '../../ui/record-form.ts';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useTimezone } from '../../ui/use-school.ts';
import { adminTeamAdd, adminTeams } from '../screens.ts';
import type { Route } from './+types/add';
import { TeamFields, writtenTeam } from './team-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '团课与一对一', href: adminTeams.href() }, { label: '添加' }],
};

export const meta: Route.MetaFunction = () => titled('添加团课或一对一');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addLessonClass);
  const client = context.get(api);
  const options = await client.send(classOptions);
  return { ...adminTeamAdd.at(url), options, now: client.now(), idempotencyKey: crypto.randomUUID() };
}

export const action = (sent: Route.ActionArgs) =>
  takeEdit(
    sent,
    (added: { id: number }) => adminClass.href(added),
    (client, idempotencyKey, form) => {
      const { class_type } = adminTeamAdd.at(sent.url);
      return client.ask(addLessonClass, { body: { ...writtenTeam(form), class_type }, idempotencyKey });
    },
  );

const { Form, SelectField } = formOf<typeof addLessonClass>();

export default function TeamAdd({ loaderData, actionData }: Route.ComponentProps) {
  const { class_type, options, now, idempotencyKey } = loaderData;
  const timezone = useTimezone();
  const { schools, assistants, courses } = options;
  const tabs = lessonClassTypes.map((type) => ({
    key: String(type),
    label: classTypeNames[type],
    href: adminTeamAdd.href({ class_type: type }),
  }));
  return (
    <Screen title="添加团课或一对一" card>
      <Tabs label="类型" current={String(class_type)} tabs={tabs} />
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{
          school_id: schools.length === 1 ? schools[0]?.id : '',
          teaching_mode: 1,
          sign_type: 1,
          start_day: dayOf(now, timezone),
        }}
        draft={`team ${class_type}`}
        className={recordForm}
        noValidate
      >
        <SelectField name="school_id" label="学校" withAsterisk placeholder="请选择" choices={choicesOf(schools)} />
        <TeamFields options={options} />
        <PickedField name="assistant_ids" label="助教" choices={assistants} more={2} />
        <PickedField name="course_ids" label="课程" description="排课时从中选择" choices={courses} more={2} />
        <Submit>添加{classTypeNames[class_type]}</Submit>
      </Form>
    </Screen>
  );
}
