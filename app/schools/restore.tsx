import { restoreSchoolRecord, showSchoolRecord } from '#server/schools/contract.ts';
import { everySchoolFault, schoolRestoreFault } from '#server/schools/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { schoolRestore } from './screens.ts';

const dialog = confirmDialog({
  call: restoreSchoolRecord,
  at: schoolRestore,
  params: schoolRestore.at,
  verb: '恢复',
  kind: '学校',
  question: '恢复后可以再把新的人员和教室归到该校，确定恢复吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const school = await client.send(showSchoolRecord, { params });
  const everySchool = signedInPerson(context).every_school === 1;
  return {
    name: school.name,
    refusal: forbiddenIfFault(everySchoolFault({ everySchool })) ?? schoolRestoreFault(school),
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
