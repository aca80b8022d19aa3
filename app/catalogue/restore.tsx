import { restoreCatalogueEntry } from '#server/catalogue/contract.ts';
import { restoreFault } from '#server/catalogue/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { describeEntry } from './describe-entry.server.ts';
import { catalogue, entryRestore } from './screens.ts';

const dialog = confirmDialog({
  call: restoreCatalogueEntry,
  at: entryRestore,
  params: (url) => ({ kind: catalogue.at(url).kind, id: entryRestore.at(url).id }),
  verb: '恢复',
  kind: '年级',
  question: '恢复后重新提供选择，确定恢复吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, (asked) => describeEntry(asked, '恢复', restoreFault));

export const action = dialogAction(dialog);

export default dialog.Page;
