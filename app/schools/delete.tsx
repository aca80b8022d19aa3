import { deleteSchoolRecord, showSchoolRecord } from '#server/schools/contract.ts';
import { everySchoolFault, schoolInUseFault } from '#server/schools/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { schoolDelete } from './screens.ts';

const dialog = confirmDialog({
  call: deleteSchoolRecord,
  at: schoolDelete,
  params: schoolDelete.at,
  verb: '删除',
  kind: '学校',
  question: '删除后不能恢复，确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const school = await client.send(showSchoolRecord, { params });
  const everySchool = signedInPerson(context).every_school === 1;
  return {
    name: school.name,
    refusal: forbiddenIfFault(everySchoolFault({ everySchool })) ?? schoolInUseFault(school.records),
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
