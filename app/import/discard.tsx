import { discardImport, showImport } from '#server/import/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/discard';
import { importDetail, importDiscard } from './screens.ts';

const dialog = confirmDialog({
  verb: '放弃',
  kind: '导入',
  question: '放弃后不能再导入该文件，可以重新上传。确定放弃吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, discardImport);
  const record = await context.get(api).send(showImport, { params: { id: importDetail.at(url).id } });
  mustBeAllowed(context, record.discard_fault || undefined);
  return { name: record.file_name, ...importDiscard.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, importDiscard.behind(url), (client, idempotencyKey) =>
    client.ask(discardImport, { params: { id: importDetail.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
