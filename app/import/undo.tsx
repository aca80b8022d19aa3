import { showImport, undoImport } from '#server/import/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/undo';
import { importDetail, importUndo } from './screens.ts';

const dialog = confirmDialog({
  verb: '撤销',
  kind: '导入',
  question: '修改过的恢复原来的内容，新增而没有用过的会删除；之后又有人改动或用到的保留，并列出原因。确定撤销吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, undoImport);
  const record = await context.get(api).send(showImport, { params: { id: importDetail.at(url).id } });
  mustBeAllowed(context, record.undo_fault || undefined);
  return { name: record.file_name, ...importUndo.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, importUndo.behind(url), (client, idempotencyKey) =>
    client.ask(undoImport, { params: { id: importDetail.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
