import { addPoint } from '#server/questions/points.contract.ts';
import { pointNameLimit } from '#server/questions/points.rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { pointAdd, pointList } from '../screens.ts';
import { loadNewPointPlace } from './new-point-place.server.ts';

const dialog = formDialog({ call: addPoint, at: pointAdd, title: '添加知识点', submit: '添加' });

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, ({ context, url }) =>
  loadNewPointPlace(context, { under: pointAdd.at(url).under, url, draft: 'point' }),
);

export const action = dialogAction(dialog, {
  next: (url) => {
    const { under } = pointAdd.at(url);
    return under === undefined ? pointAdd.behind(url) : pointList.at(url).with({ open: under });
  },
});

export default dialog.page<typeof loader>(({ SelectField, TextField }, { path, subjects }) => (
  <>
    {path && (
      <p>
        上级：<strong>{path}</strong>
      </p>
    )}
    <HiddenField name="parent_id" />
    <TextField name="name" label="名称" withAsterisk limit={pointNameLimit} autoComplete="off" />
    {!path && <SelectField name="subject_id" label="科目" placeholder="未分科目" choices={choicesOf(subjects)} />}
  </>
));
