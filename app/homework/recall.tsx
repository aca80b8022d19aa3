import { homeworkButtons, recallHomework } from '#server/homework/contract.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { publish, recall } from './screens.ts';
import { formatRecipients } from './terms.ts';

const dialog = confirmDialog({
  call: recallHomework,
  at: recall,
  params: recall.at,
  verb: '撤回',
  kind: '作业',
  question: '撤回后学员将看不到该作业，作业记录也将消失，且不可恢复，确定撤回吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const homework = await client.send(homeworkButtons, { params });
  return { name: homework.name, details: formatRecipients(homework), refusal: homework.refusals.recall };
});

/** After a recall, the message has a link that publishes the same content again. */
export const action = dialogAction(dialog, {
  onwards: (url) => ({ href: publish.href({ type: 'copy', id: recall.at(url).id }), label: '以原内容重新布置' }),
});

export default dialog.Page;
