import { addPoint } from '#server/questions/points.contract.ts';
import { pointNameLimit } from '#server/questions/rules.ts';
import { readForm } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeForm } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { pointAdd, pointList } from '../screens.ts';
import type { Route } from './+types/add';
import { placeOfNew } from './place.server.ts';

export const meta: Route.MetaFunction = () => titled('添加知识点');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addPoint);
  const place = await placeOfNew(context, { under: pointAdd.at(url).under, url });
  return { ...place, ...pointAdd.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { under } = pointAdd.at(url);
  const next = under === undefined ? pointAdd.behind(url) : pointList.at(url).with({ open: under });
  return takeForm(sent, next, (client, idempotencyKey, form) =>
    client.ask(addPoint, { body: readForm(addPoint, form), idempotencyKey }),
  );
};

const { DialogForm, SelectField, TextField } = formOf<typeof addPoint>();

export default function AddPoint({ loaderData, actionData }: Route.ComponentProps) {
  const { parent, subjects, subject_id, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="添加知识点" closeHref={closeHref}>
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
        draft={`point ${parent?.id ?? ''}`}
      >
        <HiddenField name="parent_id" />
        <TextField name="name" label="名称" withAsterisk limit={pointNameLimit} autoComplete="off" />
        {!parent && <SelectField name="subject_id" label="科目" placeholder="未分科目" choices={choicesOf(subjects)} />}
      </DialogForm>
    </Dialog>
  );
}
