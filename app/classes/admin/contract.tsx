import { editContract, showContract } from '#server/group-classes/admin.contract.ts';
import { contractNumberLimit, signTypeNames, signTypes } from '#server/group-classes/rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { adminClass, contractEdit } from '../screens.ts';

const dialog = formDialog({
  call: editContract,
  at: contractEdit,
  params: (url) => ({ id: adminClass.at(url).id, memberId: contractEdit.at(url).member }),
  title: '学员的合同',
  submit: '保存',
  noValidate: true,
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { nickname, lessons_attended, ...values } = await client.send(showContract, { params });
  return { nickname, lessons_attended, values };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ RadioField, TextField }, { nickname, lessons_attended }) => (
  <>
    <p>
      学员：<strong>{nickname}</strong>，已上{lessons_attended}节课
    </p>
    <TextField name="contracts_number" label="合同编号" withAsterisk limit={contractNumberLimit} autoComplete="off" />
    <RadioField
      name="sign_type"
      label="计费方式"
      inline
      choices={signTypes.map((type) => [type, signTypeNames[type]] as const)}
    />
    <TextField name="remaining_lessons" label="剩余课时" inputMode="numeric" autoComplete="off" />
    <TextField name="periods_price" label="课时单价（元）" inputMode="decimal" autoComplete="off" />
    <TextField name="lesson_minutes" label="每课时分钟数" inputMode="numeric" autoComplete="off" />
  </>
));
