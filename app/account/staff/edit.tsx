/** Edits a member of staff. If somebody else saved meanwhile, shows both versions of the fields. */
import { outrankedFault } from '#server/account/rules.ts';
import { editStaffMember, showStaff, staffSchools } from '#server/account/staff.contract.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formScreen } from '../../shell/form-screen.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { forbiddenIfFault } from '../../shell/permissions.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { staffDetail, staffEdit, staffScreen } from '../screens.ts';
import { identityNames } from '../terms.ts';
import { StaffFields } from './staff-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '人员', href: staffScreen.href() }, { label: '编辑人员' }],
};

const screen = formScreen({
  call: editStaffMember,
  params: staffEdit.at,
  back: (url) => staffDetail.href(staffEdit.at(url)),
  title: '编辑人员',
  submit: '保存',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client, context, params }) => {
  const [member, schools] = await Promise.all([client.send(showStaff, { params }), client.send(staffSchools)]);
  const mine = signedInPerson(context);
  const { real_name, username, mobile, school_id, permissions, every_school, seen, identity } = member;
  const school_ids = member.schools.map(({ id }) => id);
  return {
    title: `编辑${identityNames[identity]}`,
    subject: real_name,
    asked: { identity, schools, everySchool: mine.every_school === 1 },
    values: { real_name, username, mobile, school_id, permissions, every_school, school_ids, seen },
    draft: `staff ${member.id}`,
    refusal: forbiddenIfFault(outrankedFault(member, mine.permissions)),
  };
});

export const action = dialogAction(screen);

export default screen.page<typeof loader>((_, { asked }) => <StaffFields {...asked} />);
