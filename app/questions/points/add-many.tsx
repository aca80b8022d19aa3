import { addPoints } from '#server/questions/points.contract.ts';
import { pointLinesLimit } from '#server/questions/rules.ts';
import { readForm } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeForm } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { pointAddMany, pointList } from '../screens.ts';
import type { Route } from './+types/add-many';
import { placeOfNew } from './place.server.ts';

export const meta: Route.MetaFunction = () => titled('批量添加知识点');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addPoints);
  const place = await placeOfNew(context, { under: pointAddMany.at(url).under, url });
  return { ...place, ...pointAddMany.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { under } = pointAddMany.at(url);
  const next = under === undefined ? pointAddMany.behind(url) : pointList.at(url).with({ open: under });
  return takeForm(sent, next, (client, idempotencyKey, form) =>
    client.ask(addPoints, { body: readForm(addPoints, form), idempotencyKey }),
  );
};

const { AreaField, DialogForm, SelectField } = formOf<typeof addPoints>();

export default function AddPoints({ loaderData, actionData }: Route.ComponentProps) {
  const { parent, subjects, subject_id, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="批量添加知识点" closeHref={closeHref} width={640}>
      {parent && (
        <p>
          上级：<strong>{[...parent.path, parent.name].join(' / ')}</strong>
        </p>
      )}
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ parent_id: parent?.id ?? '', subject_id: subject_id ?? '' }}
        submit="添加"
        draft={`points ${parent?.id ?? ''}`}
      >
        <HiddenField name="parent_id" />
        {!parent && <SelectField name="subject_id" label="科目" placeholder="未分科目" choices={choicesOf(subjects)} />}
        <AreaField
          name="lines"
          label="知识点"
          withAsterisk
          rows={12}
          description={`每行一个，最多${pointLinesLimit}个；用空格或制表符缩进表示下级，可以从表格或文档粘贴。已有的不重复添加。`}
          placeholder={'代数\n  方程\n  不等式\n几何\n  三角形'}
        />
      </DialogForm>
    </Dialog>
  );
}
