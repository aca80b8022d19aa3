import { deleteCatalogueEntry } from '#server/catalogue/contract.ts';
import { inUseFault } from '#server/catalogue/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { describeEntry } from './describe-entry.server.ts';
import { catalogue, entryDelete } from './screens.ts';

const dialog = confirmDialog({
  call: deleteCatalogueEntry,
  at: entryDelete,
  params: (url) => ({ kind: catalogue.at(url).kind, id: entryDelete.at(url).id }),
  verb: '删除',
  kind: '年级',
  question: '删除后不能恢复，确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, (asked) => describeEntry(asked, '删除', ({ uses }) => inUseFault(uses)));

export const action = dialogAction(dialog);

export default dialog.Page;
