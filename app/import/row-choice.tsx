/** The same of one row. */
import { chooseImportRow, listImportRows } from '#server/import/contract.ts';
import { missingImportRow } from '#server/import/rules.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/row-choice';
import { importDetail, importRowChoice } from './screens.ts';
import { matchChoices, matchOf } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('选择');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, chooseImportRow);
  const params = { id: importDetail.at(url).id };
  const query = { row: importRowChoice.at(url).row };
  const [row] = (await context.get(api).send(listImportRows, { params, query })).list;
  if (!row) throw Response.json({ msg: missingImportRow }, { status: 404 });
  return { row, ...importRowChoice.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, importRowChoice.behind(url), (client, idempotencyKey, form) =>
    client.ask(chooseImportRow, {
      params: { id: importDetail.at(url).id, rowId: importRowChoice.at(url).row },
      body: { match: matchOf(textOf(form, 'match')), take: form.getAll('take').map(String) },
      idempotencyKey,
    }),
  );

const { DialogForm, ChecksField, RadioField } = formOf<typeof chooseImportRow>();

export default function ImportRowChoice({ loaderData, actionData }: Route.ComponentProps) {
  const { row, closeHref, idempotencyKey } = loaderData;
  const conflicts = row.changes.filter(({ is_conflict }) => is_conflict === 1);
  return (
    <Dialog title="选择" closeHref={closeHref}>
      <p>
        {row.kind_name}：<strong>{row.label}</strong>
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ take: conflicts.filter(({ kept }) => kept === 0).map(({ field }) => field) }}
        submit="保存并重新检查"
      >
        {conflicts.length > 0 && (
          <ChecksField
            name="take"
            label="采用来源的字段"
            description="没有选的字段保留手改的内容。"
            choices={conflicts.map(
              ({ field, name, before, after }) =>
                [field, `${name}：手改“${before || '空'}”，来源“${after || '空'}”`] as const,
            )}
          />
        )}
        {row.meant && <RadioField name="match" label={`可能是已有的记录（${row.meant}）`} choices={matchChoices} />}
      </DialogForm>
    </Dialog>
  );
}
