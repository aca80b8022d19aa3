import { addPoints } from '#server/questions/points.contract.ts';
import { pointLinesLimit } from '#server/questions/points.rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { pointAddMany, pointList } from '../screens.ts';
import { loadNewPointPlace } from './new-point-place.server.ts';

const dialog = formDialog({ call: addPoints, at: pointAddMany, title: '批量添加知识点', submit: '添加', width: 640 });

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, ({ context, url }) =>
  loadNewPointPlace(context, { under: pointAddMany.at(url).under, url, draft: 'points' }),
);

export const action = dialogAction(dialog, {
  next: (url) => {
    const { under } = pointAddMany.at(url);
    return under === undefined ? pointAddMany.behind(url) : pointList.at(url).with({ open: under });
  },
});

export default dialog.page<typeof loader>(({ AreaField, SelectField }, { path, subjects }) => (
  <>
    {path && (
      <p>
        上级：<strong>{path}</strong>
      </p>
    )}
    <HiddenField name="parent_id" />
    {!path && <SelectField name="subject_id" label="科目" placeholder="未分科目" choices={choicesOf(subjects)} />}
    <AreaField
      name="lines"
      label="知识点"
      withAsterisk
      rows={12}
      description={`每行一个，最多${pointLinesLimit}个；用空格或制表符缩进表示下级，可以从表格或文档粘贴。已有的不重复添加。`}
      placeholder={'代数\n  方程\n  不等式\n几何\n  三角形'}
    />
  </>
));
