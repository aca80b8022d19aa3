/** AdminStaffEdit: what is written of somebody, with what somebody else has made of it meanwhile. */
import { outrankedFault } from '#server/account/rules.ts';
import { editStaffMember, showStaff, staffSchools } from '#server/account/staff.contract.ts';
import { api } from '../../api/client.server.ts';
import { forbiddenBy, mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titled } from '../../shell/title.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { Screen } from '../../ui/screen.tsx';
import styles from '../account.module.css';
import { staffDetail, staffEdit, staffScreen } from '../screens.ts';
import { identityNames } from '../terms.ts';
import type { Route } from './+types/edit';
import { StaffFields, writtenStaff } from './staff-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '人员', href: staffScreen.href() }, { label: '编辑人员' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titled('编辑人员', loaderData?.member.real_name);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editStaffMember);
  const client = context.get(api);
  const [member, schools] = await Promise.all([
    client.send(showStaff, { params: { id: staffEdit.at(url).id } }),
    client.send(staffSchools),
  ]);
  const { permissions, every_school } = signedInPerson(context);
  mustBeAllowed(context, forbiddenBy(outrankedFault(member, permissions)));
  return { member, schools, everySchool: every_school === 1, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id } = staffEdit.at(url);
  return takeEdit(sent, staffDetail.href({ id }), (client, idempotencyKey, form) =>
    client.ask(editStaffMember, { params: { id }, body: writtenStaff(form), idempotencyKey }),
  );
};

const { Form } = formOf<typeof editStaffMember>();

export default function StaffEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { member, schools, everySchool, idempotencyKey } = loaderData;
  const { real_name, username, mobile, school_id, permissions, every_school, seen, identity } = member;
  const school_ids = member.schools.map(({ id }) => id);
  return (
    <Screen title={`编辑${identityNames[identity]}`} className={styles.page}>
      <div className={styles.body}>
        <Form
          idempotencyKey={idempotencyKey}
          refused={actionData}
          values={{ real_name, username, mobile, school_id, permissions, every_school, school_ids, seen }}
          draft={`staff ${member.id}`}
          className={styles.form}
          noValidate
        >
          <HiddenField name="seen" />
          <StaffFields identity={identity} schools={schools} everySchool={everySchool} />
          <Submit>保存</Submit>
        </Form>
      </div>
    </Screen>
  );
}
