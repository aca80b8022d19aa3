/** AdminTeamEdit: the particulars of a group class or one-to-one, with what somebody else has made of them meanwhile. */
import { classOptions } from '#server/classes/administered.contract.ts';
import { editLessonClass, showLessonClass } from '#server/group-classes/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { adminClass } from '../../classes/screens.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { titled } from '../../shell/title.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { recordForm } from '../../ui/record-form.ts';
import { Screen } from '../../ui/screen.tsx';
import { adminTeamEdit, adminTeams } from '../screens.ts';
import type { Route } from './+types/edit';
import { TeamFields, writtenTeam } from './team-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '团课与一对一', href: adminTeams.href() }, { label: '编辑' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titled('编辑班级', loaderData?.klass.name);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editLessonClass);
  const client = context.get(api);
  const [klass, options] = await Promise.all([
    client.send(showLessonClass, { params: { id: adminTeamEdit.at(url).id } }),
    client.send(classOptions),
  ]);
  const rooms = options.rooms.filter(({ school_id }) => school_id === klass.school_id);
  return { klass, options: { ...options, rooms }, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id } = adminTeamEdit.at(url);
  return takeEdit(sent, adminClass.href({ id }), (client, idempotencyKey, form) =>
    client.ask(editLessonClass, { params: { id }, body: writtenTeam(form), idempotencyKey }),
  );
};

const { Form } = formOf<typeof editLessonClass>();

export default function TeamEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { klass, options, idempotencyKey } = loaderData;
  const { name, grade_id, classify_id, subject_id, lecturer_id, room_id, teaching_mode, sign_type } = klass;
  const { start_day, schedule, remarks, seen } = klass;
  return (
    <Screen title="编辑班级" card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{
          name,
          grade_id,
          classify_id,
          subject_id,
          lecturer_id,
          room_id,
          teaching_mode,
          sign_type,
          start_day,
          schedule,
          remarks,
          seen,
        }}
        draft={`team ${klass.id}`}
        className={recordForm}
        noValidate
      >
        <HiddenField name="seen" />
        <TeamFields options={options} />
        <Submit>保存</Submit>
      </Form>
    </Screen>
  );
}
