/** Dialog that merges two entries into one. Shows the effect first. */
import { listCatalogue, mergeCatalogueEntry, showCatalogueEntry } from '#server/catalogue/contract.ts';
import { catalogueNames } from '#server/catalogue/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { omitSubtree } from './entry-fields.tsx';
import { catalogue, entryMerge } from './screens.ts';
import { requireEverySchool } from './shared.server.ts';

const dialog = formDialog({
  call: mergeCatalogueEntry,
  at: entryMerge,
  params: (url) => ({ kind: catalogue.at(url).kind, id: entryMerge.at(url).id }),
  title: '合并年级',
  submit: '合并',
  tone: 'danger',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params, url }) => {
  const { kind } = catalogue.at(url);
  const [entry, { list }] = await Promise.all([
    client.send(showCatalogueEntry, { params }),
    client.send(listCatalogue, { params, query: { limit: maxListLimit } }),
  ]);
  requireEverySchool(context, kind);
  const others = omitSubtree(list, entry.id).filter(({ school_id }) => school_id === entry.school_id);
  return { title: `合并${catalogueNames[kind]}`, what: catalogueNames[kind], entry, others };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ SelectField }, { what, entry, others }) => (
  <>
    <p>
      {what}：<strong data-written>{entry.name}</strong>
    </p>
    <p>{entry.uses ? `正在使用：${entry.uses}。合并后它们改用所选的${what}。` : '未使用。'}</p>
    <SelectField
      name="into_id"
      label={`合并到哪个${what}`}
      withAsterisk
      placeholder="请选择"
      choices={others.map(({ id, name, parent_name }) => [id, parent_name ? `${parent_name} / ${name}` : name])}
    />
  </>
));
