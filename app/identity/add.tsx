/** AdminIdentityAdd: somebody of a provider who is not among the staff yet. */
import { staffSchools } from '#server/account/staff.contract.ts';
import { approveNewStaff, showLink } from '#server/identity/contract.ts';
import { decideFault } from '#server/identity/rules.ts';
import { identities, permissionsFor } from '#server/platform/auth/rules.ts';
import { staffDetail } from '../account/screens.ts';
import { StaffFields, writtenStaff } from '../account/staff/staff-fields.tsx';
import { identityNames } from '../account/terms.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { Screen } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/add';
import styles from './identity.module.css';
import { linkAdd, linkList } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '登录关联', href: linkList.href() }, { label: '添加人员' }],
};

export const meta: Route.MetaFunction = () => titled('添加人员', '登录关联');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, approveNewStaff);
  const { link: id, identity } = linkAdd.at(url);
  const client = context.get(api);
  const link = await client.send(showLink, { params: { id } });
  mustBeAllowed(context, decideFault(link));
  const { permissions } = signedInPerson(context);
  return {
    link,
    identity,
    schools: await client.send(staffSchools),
    granted: permissionsFor(identity).filter((one) => identity !== 'admin' || permissions.includes(one)),
    idempotencyKey: crypto.randomUUID(),
  };
}

export const action = (sent: Route.ActionArgs) =>
  takeEdit(
    sent,
    (added: { id: number }) => staffDetail.href(added),
    (client, idempotencyKey, form) => {
      const { link: id, identity } = linkAdd.at(sent.url);
      const body = { ...writtenStaff(form), identity };
      return client.ask(approveNewStaff, { params: { id }, body, idempotencyKey });
    },
  );

const { Form } = formOf<typeof approveNewStaff>();

export default function IdentityAdd({ loaderData, actionData }: Route.ComponentProps) {
  const { link, identity, schools, granted, idempotencyKey } = loaderData;
  const tabs = identities.map((one) => ({
    key: one,
    label: identityNames[one],
    href: linkAdd.href({ link: link.id, identity: one }),
  }));
  return (
    <Screen title="添加人员" className={styles.page}>
      <Tabs label="身份" current={identity} tabs={tabs} />
      <div className={styles.body}>
        <p className={styles.note}>
          {link.provider_name}账号“{link.number}”添加后即以此人的身份登录，不需要初始密码。
        </p>
        <Form
          idempotencyKey={idempotencyKey}
          refused={actionData}
          values={{
            real_name: link.name,
            username: link.number,
            permissions: granted,
            school_id: schools.length === 1 ? schools[0]?.id : '',
            every_school: '',
          }}
          draft={`identity ${link.id} ${identity}`}
          className={styles.form}
          noValidate
        >
          <StaffFields identity={identity} schools={schools} everySchool />
          <Submit>添加{identityNames[identity]}并关联</Submit>
        </Form>
      </div>
    </Screen>
  );
}
