/** AdminStaffAdd: a lecturer, an assistant or an administrator. They are given a password afterwards. */
import { addStaffMember, staffSchools } from '#server/account/staff.contract.ts';
import { identities, permissionsFor } from '#server/platform/auth/rules.ts';
import { api } from '../../api/client.server.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titled } from '../../shell/title.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import styles from '../account.module.css';
import { staffAdd, staffDetail, staffScreen } from '../screens.ts';
import { identityNames } from '../terms.ts';
import type { Route } from './+types/add';
import { StaffFields, writtenStaff } from './staff-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '人员', href: staffScreen.href() }, { label: '添加人员' }],
};

export const meta: Route.MetaFunction = () => titled('添加人员');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addStaffMember);
  const { permissions, every_school } = signedInPerson(context);
  const { identity } = staffAdd.at(url);
  const schools = await context.get(api).send(staffSchools);
  return {
    identity,
    schools,
    granted: permissionsFor(identity).filter((one) => identity !== 'admin' || permissions.includes(one)),
    everySchool: every_school === 1,
    idempotencyKey: crypto.randomUUID(),
  };
}

export const action = (sent: Route.ActionArgs) =>
  takeEdit(
    sent,
    (added: { id: number }) => staffDetail.href(added),
    (client, idempotencyKey, form) => {
      const body = { ...writtenStaff(form), identity: staffAdd.at(sent.url).identity };
      return client.ask(addStaffMember, { body, idempotencyKey });
    },
    { href: staffAdd.href({ identity: staffAdd.at(sent.url).identity }), label: '再添加一人' },
  );

const { Form } = formOf<typeof addStaffMember>();

export default function StaffAdd({ loaderData, actionData }: Route.ComponentProps) {
  const { identity, schools, granted, everySchool, idempotencyKey } = loaderData;
  const tabs = identities.map((one) => ({
    key: one,
    label: identityNames[one],
    href: staffAdd.href({ identity: one }),
  }));
  return (
    <Screen title="添加人员" className={styles.page}>
      <Tabs label="身份" current={identity} tabs={tabs} />
      <div className={styles.body}>
        <Form
          idempotencyKey={idempotencyKey}
          refused={actionData}
          values={{
            permissions: granted,
            school_id: schools.length === 1 ? schools[0]?.id : '',
            every_school: everySchool ? 1 : '',
          }}
          draft={`staff ${identity}`}
          className={styles.form}
          noValidate
        >
          <StaffFields identity={identity} schools={schools} everySchool={everySchool} />
          <Submit>添加{identityNames[identity]}</Submit>
        </Form>
      </div>
    </Screen>
  );
}
