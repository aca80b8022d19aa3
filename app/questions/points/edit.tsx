import { listCatalogue } from '#server/catalogue/contract.ts';
import { everyRow } from '#server/platform/calls/fields.ts';
import { editPoint, showPoint } from '#server/questions/points.contract.ts';
import { pointNameLimit } from '#server/questions/rules.ts';
import { api } from '../../api/client.server.ts';
import { mustShare } from '../../catalogue/shared.server.ts';
import { readForm } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { pointEdit } from '../screens.ts';
import type { Route } from './+types/edit';

export const meta: Route.MetaFunction = () => titled('编辑知识点');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editPoint);
  const client = context.get(api);
  const [point, subjects] = await Promise.all([
    client.send(showPoint, { params: { id: pointEdit.at(url).id } }),
    client.send(listCatalogue, { params: { kind: 'subjects' }, query: { limit: everyRow, all: 1 } }),
  ]);
  mustShare(context, 'subjects');
  const offered = subjects.list.filter(({ id, is_put_away }) => is_put_away === 0 || id === point.subject_id);
  return { point, subjects: offered, ...pointEdit.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, pointEdit.behind(url), (client, idempotencyKey, form) =>
    client.ask(editPoint, {
      params: { id: pointEdit.at(url).id },
      body: readForm(editPoint, form),
      idempotencyKey,
    }),
  );

const { DialogForm, SelectField, TextField } = formOf<typeof editPoint>();

export default function EditPoint({ loaderData, actionData }: Route.ComponentProps) {
  const { point, subjects, closeHref, idempotencyKey } = loaderData;
  const { name, path, subject_id, questions, seen } = point;
  return (
    <Dialog title="编辑知识点" closeHref={closeHref}>
      {path.length > 0 && <p>上级：{path.join(' / ')}</p>}
      {questions > 0 && <p>有{questions}道题目，改名后各处显示新名称。</p>}
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ name, subject_id: subject_id ?? '', seen }}
        submit="保存"
        draft={`point ${point.id} edit`}
      >
        <HiddenField name="seen" />
        <TextField name="name" label="名称" withAsterisk limit={pointNameLimit} autoComplete="off" />
        {path.length === 0 && (
          <SelectField name="subject_id" label="科目" placeholder="未分科目" choices={choicesOf(subjects)} />
        )}
      </DialogForm>
    </Dialog>
  );
}
