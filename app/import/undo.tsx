import { showImport, tryUndo, undoImport } from '#server/import/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import type { Route } from './+types/undo';
import { importDetail, importUndo } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('撤销导入');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, undoImport);
  const params = { id: importDetail.at(url).id };
  const record = await context.get(api).send(showImport, { params });
  mustBeAllowed(context, record.undo_fault || undefined);
  const tried = record.undo_fault ? null : await context.get(api).send(tryUndo, { params });
  return { name: record.file_name, tried, ...importUndo.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, importUndo.behind(url), (client, idempotencyKey) =>
    client.ask(undoImport, { params: { id: importDetail.at(url).id }, idempotencyKey }),
  );

const maxReasons = 10;

export default function UndoImport({
  loaderData: { name, tried, closeHref, idempotencyKey },
  actionData,
}: Route.ComponentProps) {
  return (
    <Dialog title="撤销导入" closeHref={closeHref}>
      <p>
        导入：<strong>{name}</strong>
      </p>
      <p>修改过的恢复原来的内容，新增而没有用过的会删除；之后又有人改动或用到的保留，并列出原因。</p>
      {tried?.is_tried === 1 && (
        <>
          <p>
            现在撤销：{tried.gone}条恢复或删除，{tried.stays.reduce((sum, { count }) => sum + count, 0)}条保留。
          </p>
          {tried.stays.length > 0 && (
            <ul>
              {tried.stays.slice(0, maxReasons).map(({ why, count }) => (
                <li key={why}>
                  {count}条：{why}
                </li>
              ))}
              {tried.stays.length > maxReasons && <li>等{tried.stays.length}种原因</li>}
            </ul>
          )}
        </>
      )}
      <p>确定撤销吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="确定撤销"
        tone="danger"
      />
    </Dialog>
  );
}
