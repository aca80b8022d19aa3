import { discardImport } from '#server/import/actions.contract.ts';
import { showImport } from '#server/import/contract.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { importDetail, importDiscard } from './screens.ts';

const dialog = confirmDialog({
  call: discardImport,
  at: importDiscard,
  params: importDetail.at,
  verb: '放弃',
  kind: '导入',
  question: '放弃后不能再导入该文件，可以重新上传。确定放弃吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const record = await client.send(showImport, { params });
  return { name: record.file_name, refusal: record.discard_fault };
});

export const action = dialogAction(dialog);

export default dialog.Page;
