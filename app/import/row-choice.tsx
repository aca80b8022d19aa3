/** Dialog with the choices that choices.tsx offers for all rows, for one row only. */
import { chooseImportRow } from '#server/import/actions.contract.ts';
import { listImportRows } from '#server/import/contract.ts';
import { missingImportRow } from '#server/import/rules.ts';
import { textOf } from '../lib/form-data.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { importDetail, importRowChoice } from './screens.ts';
import { matchChoices, parseMatch, similarNameChoices } from './terms.ts';

const dialog = formDialog({
  call: chooseImportRow,
  at: importRowChoice,
  params: (url) => ({ id: importDetail.at(url).id, rowId: importRowChoice.at(url).row }),
  title: '选择',
  submit: '保存并重新检查',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params, url }) => {
  const query = { row: importRowChoice.at(url).row };
  const [row] = (await client.send(listImportRows, { params, query })).list;
  if (!row) throw Response.json({ msg: missingImportRow }, { status: 404 });
  const conflicts = row.changes.filter(({ is_conflict }) => is_conflict === 1);
  return {
    row,
    conflicts,
    values: { take: conflicts.filter(({ kept }) => kept === 0).map(({ field }) => field) },
  };
});

export const action = dialogAction(dialog, {
  body: (form) => ({ match: parseMatch(textOf(form, 'match')), take: form.getAll('take').map(String) }),
});

export default dialog.page<typeof loader>(({ ChecksField, RadioField }, { row, conflicts }) => (
  <>
    <p>
      {row.kind_name}：<strong>{row.label}</strong>
    </p>
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
    {row.meant && (
      <RadioField
        name="match"
        label={row.is_near === 1 ? row.meant : `可能是已有的记录（${row.meant}）`}
        choices={row.is_near === 1 ? similarNameChoices : matchChoices}
      />
    )}
  </>
));
