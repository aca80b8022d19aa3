/**
 * Dialog with choices that apply to all rows: which source wins for each field, and whether probable matches are
 * accepted.
 */
import { chooseImport } from '#server/import/actions.contract.ts';
import { showImport } from '#server/import/contract.ts';
import { rowOutcomes } from '#server/import/rules.ts';
import { textOf } from '../lib/form-data.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { importChoices, importDetail } from './screens.ts';
import { matchChoices, parseMatch } from './terms.ts';

const dialog = formDialog({
  call: chooseImport,
  at: importChoices,
  params: importDetail.at,
  title: '选择冲突和匹配',
  submit: '保存并重新检查',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { fields, totals, check_fault } = await client.send(showImport, { params });
  return {
    fields,
    open: totals[rowOutcomes.indexOf('match')] ?? 0,
    values: { take: fields.filter(({ is_taken }) => is_taken === 1).map(({ field }) => field) },
    refusal: check_fault,
  };
});

export const action = dialogAction(dialog, {
  body: (form) => ({ match: parseMatch(textOf(form, 'match')), take: form.getAll('take').map(String) }),
});

export default dialog.page<typeof loader>(({ ChecksField, RadioField }, { fields, open }) => (
  <>
    {fields.length > 0 && (
      <ChecksField
        name="take"
        label="采用来源的字段"
        description="没有选的字段保留手改的内容。"
        choices={fields.map(({ field, name, count }) => [field, `${name}（${count}条）`] as const)}
      />
    )}
    {open > 0 && (
      <RadioField
        name="match"
        label={`${open}条可能是已有的记录`}
        description="只有班级、课程等名称相近的，选“不是”则不导入；名单中的班级可以在“各列的含义”中逐个新建。"
        choices={matchChoices}
      />
    )}
  </>
));
