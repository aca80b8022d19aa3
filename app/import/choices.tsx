/** For all rows at once: whose word goes on which field, and whether those that are probably meant are. */
import { chooseImport, showImport } from '#server/import/contract.ts';
import { verdicts } from '#server/import/rules.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/choices';
import { importChoices, importDetail } from './screens.ts';
import { matchChoices, matchOf } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('选择冲突和匹配');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, chooseImport);
  const record = await context.get(api).send(showImport, { params: { id: importDetail.at(url).id } });
  mustBeAllowed(context, record.check_fault || undefined);
  return { record, ...importChoices.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, importChoices.behind(url), (client, idempotencyKey, form) =>
    client.ask(chooseImport, {
      params: { id: importDetail.at(url).id },
      body: { match: matchOf(textOf(form, 'match')), take: form.getAll('take').map(String) },
      idempotencyKey,
    }),
  );

const { DialogForm, ChecksField, RadioField } = formOf<typeof chooseImport>();

export default function ImportChoices({ loaderData, actionData }: Route.ComponentProps) {
  const { record, closeHref, idempotencyKey } = loaderData;
  const open = record.totals[verdicts.indexOf('match')] ?? 0;
  return (
    <Dialog title="选择冲突和匹配" closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ take: record.fields.filter(({ is_taken }) => is_taken === 1).map(({ field }) => field) }}
        submit="保存并重新检查"
      >
        {record.fields.length > 0 && (
          <ChecksField
            name="take"
            label="采用来源的字段"
            description="没有选的字段保留手改的内容。"
            choices={record.fields.map(({ field, name, count }) => [field, `${name}（${count}条）`] as const)}
          />
        )}
        {open > 0 && <RadioField name="match" label={`${open}条可能是已有的记录`} choices={matchChoices} />}
      </DialogForm>
    </Dialog>
  );
}
