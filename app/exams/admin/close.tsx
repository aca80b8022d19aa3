import { closeExam, showAdminExam } from '#server/exams/admin.contract.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { examClose, examRecord } from '../screens.ts';

const dialog = formDialog({
  call: closeExam,
  at: examClose,
  params: examRecord.at,
  title: '结束考试',
  submit: '确定结束',
  tone: 'danger',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { name, closing, taking, refusals } = await client.send(showAdminExam, { params });
  return { name, taking, effect: closing, refusal: refusals.close };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>((_, { name, effect, taking }) => (
  <>
    <p>
      考试：<strong>{name}</strong>
    </p>
    <p>
      <strong>{effect}</strong>。结束后不能再提交，已交的答卷照常批改；以后可以延长。
    </p>
    {taking > 0 && <p>有{taking}名学员正在作答，结束时由系统按已保存的答案交卷。</p>}
  </>
));
