import { showAdminExam, withdrawExam } from '#server/exams/admin.contract.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { examRecord, examWithdraw } from '../screens.ts';

const dialog = formDialog({
  call: withdrawExam,
  at: examWithdraw,
  params: examRecord.at,
  title: '撤回考试',
  submit: '确定撤回',
  tone: 'danger',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { name, reach, refusals } = await client.send(showAdminExam, { params });
  return { name, effect: reach, refusal: refusals.withdraw };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>((_, { name, effect }) => (
  <>
    <p>
      考试：<strong>{name}</strong>
    </p>
    <p>
      <strong>{effect}</strong>。撤回后学员和老师看不到该考试，回到草稿后可以修改试卷再发布。
    </p>
  </>
));
