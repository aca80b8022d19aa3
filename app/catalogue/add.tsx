import { addCatalogueEntry, catalogueSchools, listCatalogue } from '#server/catalogue/contract.ts';
import { catalogueNames, hasLevels, isOfSchool } from '#server/catalogue/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { EntryFields } from './entry-fields.tsx';
import { catalogue, entryAdd } from './screens.ts';
import { requireEverySchool } from './shared.server.ts';

const dialog = formDialog({
  call: addCatalogueEntry,
  at: entryAdd,
  params: catalogue.at,
  title: '添加年级',
  submit: '添加',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, url }) => {
  const { kind } = catalogue.at(url);
  requireEverySchool(context, kind);
  const [{ list }, schools] = await Promise.all([
    hasLevels(kind) ? client.send(listCatalogue, { params: { kind }, query: { limit: maxListLimit } }) : { list: [] },
    isOfSchool(kind) ? client.send(catalogueSchools) : [],
  ]);
  return {
    title: `添加${catalogueNames[kind]}`,
    fields: { kind, parents: list, schools },
    values: { parent_id: entryAdd.at(url).under ?? '', school_id: schools.length === 1 ? schools[0]?.id : '' },
    draft: `catalogue ${kind}`,
  };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>((_, { fields }) => <EntryFields {...fields} />);
