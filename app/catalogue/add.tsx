import { addCatalogueEntry, catalogueSchools, listCatalogue } from '#server/catalogue/contract.ts';
import { catalogueNames, hasLevels, isOfSchool } from '#server/catalogue/rules.ts';
import { everyRow } from '#server/platform/calls/fields.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/add';
import { EntryFields } from './entry-fields.tsx';
import { catalogue, entryAdd } from './screens.ts';
import { mustShare } from './shared.server.ts';

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titled(`添加${catalogueNames[loaderData?.kind ?? 'grades']}`);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addCatalogueEntry);
  const { kind } = catalogue.at(url);
  mustShare(context, kind);
  const client = context.get(api);
  const [parents, schools] = await Promise.all([
    hasLevels(kind) ? client.send(listCatalogue, { params: { kind }, query: { limit: everyRow } }) : { list: [] },
    isOfSchool(kind) ? client.send(catalogueSchools) : [],
  ]);
  return { kind, parents: parents.list, schools, under: entryAdd.at(url).under, ...entryAdd.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, entryAdd.behind(url), (client, idempotencyKey, form) =>
    client.ask(addCatalogueEntry, {
      params: { kind: catalogue.at(url).kind },
      body: readForm(addCatalogueEntry, form),
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof addCatalogueEntry>();

export default function AddEntry({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, parents, schools, under, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title={`添加${catalogueNames[kind]}`} closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ parent_id: under ?? '', school_id: schools.length === 1 ? schools[0]?.id : '' }}
        submit="添加"
        draft={`catalogue ${kind}`}
      >
        <EntryFields kind={kind} parents={parents} schools={schools} />
      </DialogForm>
    </Dialog>
  );
}
