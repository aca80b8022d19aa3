/** Two entries that are the same become one: what it means is said before. */
import { listCatalogue, mergeCatalogueEntry, showCatalogueEntry } from '#server/catalogue/contract.ts';
import { catalogueNames } from '#server/catalogue/rules.ts';
import { everyRow } from '#server/platform/calls/fields.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/merge';
import { withoutBranch } from './entry-fields.tsx';
import { catalogue, entryMerge } from './screens.ts';
import { mustShare } from './shared.server.ts';

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titled(`合并${catalogueNames[loaderData?.kind ?? 'grades']}`);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, mergeCatalogueEntry);
  const { kind } = catalogue.at(url);
  const client = context.get(api);
  const params = { kind, id: entryMerge.at(url).id };
  const [entry, { list }] = await Promise.all([
    client.send(showCatalogueEntry, { params }),
    client.send(listCatalogue, { params: { kind }, query: { limit: everyRow } }),
  ]);
  mustShare(context, kind);
  const others = withoutBranch(list, entry.id).filter(({ school_id }) => school_id === entry.school_id);
  return { kind, entry, others, ...entryMerge.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, entryMerge.behind(url), (client, idempotencyKey, form) =>
    client.ask(mergeCatalogueEntry, {
      params: { kind: catalogue.at(url).kind, id: entryMerge.at(url).id },
      body: readForm(mergeCatalogueEntry, form),
      idempotencyKey,
    }),
  );

const { DialogForm, SelectField } = formOf<typeof mergeCatalogueEntry>();

export default function MergeEntry({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, entry, others, closeHref, idempotencyKey } = loaderData;
  const what = catalogueNames[kind];
  return (
    <Dialog title={`合并${what}`} closeHref={closeHref}>
      <p>
        {what}：<strong data-written>{entry.name}</strong>
      </p>
      <p>{entry.uses ? `正在使用：${entry.uses}。合并后它们改用所选的${what}。` : '未使用。'}</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="合并"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
        <SelectField
          name="into_id"
          label={`合并到哪个${what}`}
          withAsterisk
          placeholder="请选择"
          choices={others.map(({ id, name, parent_name }) => [id, parent_name ? `${parent_name} / ${name}` : name])}
        />
      </DialogForm>
    </Dialog>
  );
}
