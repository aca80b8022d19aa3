import { catalogueSchools, editCatalogueEntry, listCatalogue, showCatalogueEntry } from '#server/catalogue/contract.ts';
import { catalogueNames, isOfSchool } from '#server/catalogue/rules.ts';
import { everyRow } from '#server/platform/calls/fields.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/edit';
import { EntryFields, withoutBranch } from './entry-fields.tsx';
import { catalogue, entryEdit } from './screens.ts';
import { mustShare } from './shared.server.ts';

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titled(`编辑${catalogueNames[loaderData?.kind ?? 'grades']}`);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editCatalogueEntry);
  const { kind } = catalogue.at(url);
  const client = context.get(api);
  const params = { kind, id: entryEdit.at(url).id };
  const [entry, { list }, schools] = await Promise.all([
    client.send(showCatalogueEntry, { params }),
    client.send(listCatalogue, { params: { kind }, query: { limit: everyRow, all: 1 } }),
    isOfSchool(kind) ? client.send(catalogueSchools) : [],
  ]);
  mustShare(context, kind);
  const parents = withoutBranch(list, entry.id).filter((one) => one.is_put_away === 0 || one.id === entry.parent_id);
  const level = list.filter(
    ({ id, parent_id, school_id }) => id !== entry.id && parent_id === entry.parent_id && school_id === entry.school_id,
  );
  return { kind, entry, parents, level, schools, ...entryEdit.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, entryEdit.behind(url), (client, idempotencyKey, form) =>
    client.ask(editCatalogueEntry, {
      params: { kind: catalogue.at(url).kind, id: entryEdit.at(url).id },
      body: readForm(editCatalogueEntry, form),
      idempotencyKey,
    }),
  );

const { DialogForm, SelectField } = formOf<typeof editCatalogueEntry>();

export default function EditEntry({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, entry, parents, level, schools, closeHref, idempotencyKey } = loaderData;
  const { name, parent_id, school_id, seats, type, first_day, last_day, after_id, seen, uses } = entry;
  return (
    <Dialog title={`编辑${catalogueNames[kind]}`} closeHref={closeHref}>
      {uses && <p>正在使用：{uses}，修改后各处显示新名称。</p>}
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ name, parent_id, school_id, seats: seats || '', type, first_day, last_day, after_id, seen }}
        submit="保存"
        draft={`catalogue ${kind} ${entry.id}`}
      >
        <HiddenField name="seen" />
        <EntryFields kind={kind} parents={parents} schools={schools} />
        {level.length > 0 && (
          <SelectField
            name="after_id"
            label="位置"
            choices={[[0, '最前'], ...level.map(({ id, name: other }): [number, string] => [id, `“${other}”之后`])]}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
