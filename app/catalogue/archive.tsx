import { archiveCatalogueEntry } from '#server/catalogue/contract.ts';
import { archiveFault } from '#server/catalogue/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { describeEntry } from './describe-entry.server.ts';
import { catalogue, entryArchive } from './screens.ts';

const dialog = confirmDialog({
  call: archiveCatalogueEntry,
  at: entryArchive,
  params: (url) => ({ kind: catalogue.at(url).kind, id: entryArchive.at(url).id }),
  verb: '停用',
  kind: '年级',
  question: '停用后不再提供选择，下级也一并停用；已使用的保持不变，可以随时恢复。确定停用吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, (asked) => describeEntry(asked, '停用', archiveFault));

export const action = dialogAction(dialog);

export default dialog.Page;
