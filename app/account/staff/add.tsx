/** Adds a lecturer, assistant or administrator. The password is set later. */
import { addStaffMember, staffSchools } from '#server/account/staff.contract.ts';
import { identities, permissionsFor } from '#server/platform/auth/rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formScreen } from '../../shell/form-screen.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { staffAdd, staffDetail, staffScreen } from '../screens.ts';
import { identityNames } from '../terms.ts';
import { StaffFields } from './staff-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '人员', href: staffScreen.href() }, { label: '添加人员' }],
};

const screen = formScreen({
  call: addStaffMember,
  back: () => staffScreen.href(),
  title: '添加人员',
  submit: '添加',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client, context, url }) => {
  const { permissions, every_school } = signedInPerson(context);
  const { identity } = staffAdd.at(url);
  const schools = await client.send(staffSchools);
  const everySchool = every_school === 1;
  return {
    asked: { identity, schools, everySchool },
    values: {
      permissions: permissionsFor(identity).filter((one) => identity !== 'admin' || permissions.includes(one)),
      school_id: schools.length === 1 ? schools[0]?.id : '',
      every_school: everySchool ? 1 : '',
    },
    draft: `staff ${identity}`,
    submit: `添加${identityNames[identity]}`,
  };
});

export const action = dialogAction(screen, {
  body: (_, { url }) => ({ identity: staffAdd.at(url).identity }),
  next: (_, added) => staffDetail.href(added),
  onwards: (url) => ({ href: staffAdd.href({ identity: staffAdd.at(url).identity }), label: '再添加一人' }),
});

export default screen.page<typeof loader>(
  (_, { asked }) => <StaffFields {...asked} />,
  ({ asked }) => (
    <Tabs
      label="身份"
      current={asked.identity}
      tabs={identities.map((one) => ({ key: one, label: identityNames[one], href: staffAdd.href({ identity: one }) }))}
    />
  ),
);
