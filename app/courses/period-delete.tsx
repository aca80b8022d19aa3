import { deletePeriod, showPeriod } from '#server/courses/periods.contract.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { periodDelete } from './screens.ts';
import { formatSpan } from './terms.ts';

const dialog = confirmDialog({
  call: deletePeriod,
  at: periodDelete,
  params: (url) => ({ id: periodDelete.at(url).period }),
  verb: '删除',
  kind: '课时',
  question: '删除后不能恢复。确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const period = await client.send(showPeriod, { params });
  return {
    name: period.title,
    details: formatSpan(period, signedInPerson(context).settings.timezone),
    effect: period.effect,
    refusal: period.delete_fault,
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
