import { addSchoolRecord } from '#server/schools/contract.ts';
import { everySchoolFault, schoolNameLimit } from '#server/schools/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { forbiddenIfFault } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { schoolAdd } from './screens.ts';

const dialog = formDialog({
  call: addSchoolRecord,
  at: schoolAdd,
  title: '添加学校',
  submit: '添加',
  draft: 'school add',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, ({ context }) => {
  const everySchool = signedInPerson(context).every_school === 1;
  return { refusal: forbiddenIfFault(everySchoolFault({ everySchool })) };
});

export const action = dialogAction(dialog);

export default dialog.page(({ TextField }) => (
  <TextField name="name" label="学校名称" withAsterisk limit={schoolNameLimit} autoComplete="off" />
));
