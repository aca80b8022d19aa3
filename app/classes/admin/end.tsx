import { endClass, showAdminClass } from '#server/classes/admin.contract.ts';
import { classTypes } from '#server/classes/rules.ts';
import { endLessonClass, showLessonClass } from '#server/group-classes/admin.contract.ts';
import { endTeamFault } from '#server/group-classes/rules.ts';
import { textOf } from '../../lib/form-data.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { handleEdit } from '../../shell/form-action.server.ts';
import { dialogLoader } from '../../shell/form-dialog.server.ts';
import { adminClass, adminClassEnd } from '../screens.ts';
import type { Route } from './+types/end';

const dialog = confirmDialog({
  call: endClass,
  at: adminClassEnd,
  params: adminClass.at,
  verb: '结束',
  kind: '班级',
  question: '结束后讲师和助教看到该班级已结束；记录都会保留，可以随时恢复。确定结束吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { name, class_type, state, end_effect } = await client.send(showAdminClass, { params });
  const refusal = endTeamFault({ state });
  const effect =
    refusal || class_type === classTypes.stateSchool
      ? end_effect
      : (await client.send(showLessonClass, { params })).end_effect;
  return { name, effect, refusal };
});

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleEdit(sent, adminClassEnd.behind(url), async (client, idempotencyKey, form) => {
    const params = adminClass.at(url);
    const request = { params, body: { acknowledged: textOf(form, 'acknowledged') }, idempotencyKey };
    const { class_type } = await client.send(showAdminClass, { params });
    return class_type === classTypes.stateSchool ? client.ask(endClass, request) : client.ask(endLessonClass, request);
  });

export default dialog.Page;
