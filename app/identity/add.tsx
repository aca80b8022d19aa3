/** Adds a person to the staff who has tried to sign in by an identity provider and is not on the staff yet. */
import { staffSchools } from '#server/account/staff.contract.ts';
import { approveNewStaff, showLink } from '#server/identity/contract.ts';
import { decideFault } from '#server/identity/rules.ts';
import { identities, permissionsFor } from '#server/platform/auth/rules.ts';
import { staffDetail } from '../account/screens.ts';
import { StaffFields } from '../account/staff/staff-fields.tsx';
import { identityNames } from '../account/terms.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formScreen } from '../shell/form-screen.tsx';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Tabs } from '../ui/tabs.tsx';
import styles from './identity.posts.module.css';
import { linkAdd, linkList } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '登录关联', href: linkList.href() }, { label: '添加人员' }],
};

const screen = formScreen({
  call: approveNewStaff,
  params: (url) => ({ id: linkAdd.at(url).link }),
  back: () => linkList.href(),
  title: '添加人员',
  submit: '添加并关联',
});

export const meta = () => titleMeta('添加人员', '登录关联');

export const loader = dialogLoader(screen, async ({ client, context, params, url }) => {
  const { identity } = linkAdd.at(url);
  const link = await client.send(showLink, { params });
  const schools = await client.send(staffSchools);
  const { permissions } = signedInPerson(context);
  return {
    link,
    asked: { identity, schools, everySchool: true },
    values: {
      real_name: link.name,
      username: link.number,
      permissions: permissionsFor(identity).filter((one) => identity !== 'admin' || permissions.includes(one)),
      school_id: schools.length === 1 ? schools[0]?.id : '',
      every_school: '',
    },
    draft: `identity ${link.id} ${identity}`,
    submit: `添加${identityNames[identity]}并关联`,
    refusal: decideFault(link),
  };
});

export const action = dialogAction(screen, {
  body: (_, { url }) => ({ identity: linkAdd.at(url).identity }),
  next: (_, added) => staffDetail.href(added),
});

export default screen.page<typeof loader>(
  (_, { asked }) => <StaffFields {...asked} />,
  ({ link, asked }) => (
    <>
      <Tabs
        label="身份"
        current={asked.identity}
        tabs={identities.map((one) => ({
          key: one,
          label: identityNames[one],
          href: linkAdd.href({ link: link.id, identity: one }),
        }))}
      />
      <p className={styles.note}>
        {link.provider_name}账号“{link.number}”添加后即以此人的身份登录，不需要初始密码。
      </p>
    </>
  ),
);
