import { archiveSchoolRecord, showSchoolRecord } from '#server/schools/contract.ts';
import { everySchoolFault, schoolArchiveFault } from '#server/schools/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { schoolArchive } from './screens.ts';

const dialog = confirmDialog({
  call: archiveSchoolRecord,
  at: schoolArchive,
  params: schoolArchive.at,
  verb: '停用',
  kind: '学校',
  question: '停用后不能再把新的人员和教室归到该校，可以随时恢复。确定停用吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const school = await client.send(showSchoolRecord, { params });
  const everySchool = signedInPerson(context).every_school === 1;
  return {
    name: school.name,
    details: school.records && `该校还有${school.records}，都会保留，照常使用。`,
    values: { acknowledged: school.records },
    refusal: forbiddenIfFault(everySchoolFault({ everySchool })) ?? schoolArchiveFault(school),
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
