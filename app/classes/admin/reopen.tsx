import { reopenClass, showAdminClass } from '#server/classes/admin.contract.ts';
import { classTypes } from '#server/classes/rules.ts';
import { reopenLessonClass } from '#server/group-classes/admin.contract.ts';
import { reopenTeamFault } from '#server/group-classes/rules.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { handleForm } from '../../shell/form-action.server.ts';
import { dialogLoader } from '../../shell/form-dialog.server.ts';
import { adminClass, adminClassReopen } from '../screens.ts';
import type { Route } from './+types/reopen';

const dialog = confirmDialog({
  call: reopenClass,
  at: adminClassReopen,
  params: adminClass.at,
  verb: '恢复',
  kind: '班级',
  question: '恢复后该班级长期有效，讲师和助教看到它在进行中，确定恢复吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { name, state } = await client.send(showAdminClass, { params });
  return { name, refusal: reopenTeamFault({ state }) };
});

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, adminClassReopen.behind(url), async (client, idempotencyKey) => {
    const params = adminClass.at(url);
    const { class_type } = await client.send(showAdminClass, { params });
    const request = { params, idempotencyKey };
    return class_type === classTypes.stateSchool
      ? client.ask(reopenClass, request)
      : client.ask(reopenLessonClass, request);
  });

export default dialog.Page;
