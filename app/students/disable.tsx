import { leftReasonLimit } from '#server/classes/rules.ts';
import { disableStudent, showStudent } from '#server/students/contract.ts';
import { faultIfDisabled } from '#server/students/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { studentDisable, studentRecord } from './screens.ts';

const dialog = formDialog({
  call: disableStudent,
  at: studentDisable,
  params: studentRecord.at,
  title: '停用学员',
  submit: '确定停用',
  tone: 'danger',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const student = await client.send(showStudent, { params });
  return { name: student.nickname, effect: student.leaving, refusal: faultIfDisabled(student) };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ TextField }, { name, effect }) => (
  <>
    <p>
      学员：<strong>{name}</strong>
    </p>
    {effect && (
      <p>
        <strong>{effect}。</strong>
      </p>
    )}
    <p>停用后不能再加入班级；记录都会保留，可以随时恢复。确定停用吗？</p>
    <TextField name="reason" label="原因" limit={leftReasonLimit} autoComplete="off" />
  </>
));
