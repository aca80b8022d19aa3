/** Edits a group class or one-to-one class. If somebody else saved meanwhile, shows both versions of the fields. */
import { classOptions } from '#server/classes/admin.contract.ts';
import { editLessonClass, showLessonClass } from '#server/group-classes/admin.contract.ts';
import { adminClass } from '../../classes/screens.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formScreen } from '../../shell/form-screen.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { adminTeamEdit, adminTeams } from '../screens.ts';
import { TeamFields } from './team-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '团课与一对一', href: adminTeams.href() }, { label: '编辑' }],
};

const screen = formScreen({
  call: editLessonClass,
  params: adminTeamEdit.at,
  back: (url) => adminClass.href(adminTeamEdit.at(url)),
  title: '编辑班级',
  submit: '保存',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client, params }) => {
  const [theClass, options] = await Promise.all([client.send(showLessonClass, { params }), client.send(classOptions)]);
  const { name, grade_id, classify_id, subject_id, lecturer_id, room_id, teaching_mode, sign_type } = theClass;
  const { start_day, schedule, remarks, seen } = theClass;
  const kind = { grade_id, classify_id, subject_id, lecturer_id, room_id, teaching_mode, sign_type };
  return {
    subject: name,
    options: { ...options, rooms: options.rooms.filter(({ school_id }) => school_id === theClass.school_id) },
    values: { name, ...kind, start_day, schedule, remarks, seen },
    draft: `team ${theClass.id}`,
  };
});

export const action = dialogAction(screen);

export default screen.page<typeof loader>((_, { options }) => <TeamFields options={options} />);
