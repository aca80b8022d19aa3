import { catalogueSchools, editCatalogueEntry, listCatalogue, showCatalogueEntry } from '#server/catalogue/contract.ts';
import { catalogueNames, isOfSchool } from '#server/catalogue/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { EntryFields, omitSubtree } from './entry-fields.tsx';
import { catalogue, entryEdit } from './screens.ts';
import { requireEverySchool } from './shared.server.ts';

const dialog = formDialog({
  call: editCatalogueEntry,
  at: entryEdit,
  params: (url) => ({ kind: catalogue.at(url).kind, id: entryEdit.at(url).id }),
  title: '编辑年级',
  submit: '保存',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params, url }) => {
  const { kind } = catalogue.at(url);
  const [entry, { list }, schools] = await Promise.all([
    client.send(showCatalogueEntry, { params }),
    client.send(listCatalogue, { params, query: { limit: maxListLimit, all: 1 } }),
    isOfSchool(kind) ? client.send(catalogueSchools) : [],
  ]);
  requireEverySchool(context, kind);
  const { id, name, parent_id, school_id, seats, type, first_day, last_day, after_id, seen, uses } = entry;
  const parents = omitSubtree(list, id).filter((one) => one.is_put_away === 0 || one.id === parent_id);
  return {
    title: `编辑${catalogueNames[kind]}`,
    uses,
    fields: { kind, parents, schools },
    level: list.filter((one) => one.id !== id && one.parent_id === parent_id && one.school_id === school_id),
    values: { name, parent_id, school_id, seats: seats || '', type, first_day, last_day, after_id, seen },
    draft: `catalogue ${kind} ${id}`,
  };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ SelectField }, { uses, fields, level }) => (
  <>
    {uses && <p>正在使用：{uses}，修改后各处显示新名称。</p>}
    <EntryFields {...fields} />
    {level.length > 0 && (
      <SelectField
        name="after_id"
        label="位置"
        choices={[[0, '最前'], ...level.map(({ id, name }): [number, string] => [id, `“${name}”之后`])]}
      />
    )}
  </>
));
