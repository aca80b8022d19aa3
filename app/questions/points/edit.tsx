import { listCatalogue } from '#server/catalogue/contract.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { editPoint, showPoint } from '#server/questions/points.contract.ts';
import { pointNameLimit } from '#server/questions/points.rules.ts';
import { requireEverySchool } from '../../catalogue/shared.server.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { pointEdit } from '../screens.ts';

const dialog = formDialog({
  call: editPoint,
  at: pointEdit,
  params: pointEdit.at,
  title: '编辑知识点',
  submit: '保存',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const [{ id, name, path, subject_id, questions, seen }, { list }] = await Promise.all([
    client.send(showPoint, { params }),
    client.send(listCatalogue, { params: { kind: 'subjects' }, query: { limit: maxListLimit, all: 1 } }),
  ]);
  requireEverySchool(context, 'subjects');
  return {
    path,
    questions,
    subjects: list.filter((subject) => subject.is_put_away === 0 || subject.id === subject_id),
    values: { name, subject_id: subject_id ?? '', seen },
    draft: `point ${id} edit`,
  };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ SelectField, TextField }, { path, questions, subjects }) => (
  <>
    {path.length > 0 && <p>上级：{path.join(' / ')}</p>}
    {questions > 0 && <p>有{questions}道题目，改名后各处显示新名称。</p>}
    <TextField name="name" label="名称" withAsterisk limit={pointNameLimit} autoComplete="off" />
    {path.length === 0 && (
      <SelectField name="subject_id" label="科目" placeholder="未分科目" choices={choicesOf(subjects)} />
    )}
  </>
));
