/** Dialog that adds or edits a section of a paper. */

import { data } from 'react-router';
import { showAdminExam, showAdminPaper } from '#server/exams/admin.contract.ts';
import { addSection, editSection } from '#server/exams/composing.contract.ts';
import { missingSection, sectionIntroduceLimit, sectionNameLimit } from '#server/exams/rules.ts';
import { api } from '../../api/client.server.ts';
import { readForm } from '../../lib/form-data.ts';
import { handleEdit, handleForm } from '../../shell/form-action.server.ts';
import { requireAllowed, requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { examPaper, sectionAdd, sectionEdit } from '../screens.ts';
import type { Route } from './+types/section';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.section ? '编辑部分' : '添加部分');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, addSection);
  const client = context.get(api);
  const params = { id: examPaper.at(url).id };
  const exam = await client.send(showAdminExam, { params });
  requireAllowed(context, exam.refusals.paper);
  if (!sectionEdit.isOpen(url)) return { section: undefined, seen: '', ...sectionAdd.opened(url) };
  const { detail } = await client.send(showAdminPaper, { params });
  const found = detail.find(({ section }) => section.id === sectionEdit.at(url).section);
  if (!found) throw data({ msg: missingSection }, { status: 404 });
  return { section: found.section, seen: exam.paper_seen, ...sectionEdit.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id } = examPaper.at(url);
  if (!sectionEdit.isOpen(url)) {
    return handleForm(sent, sectionAdd.behind(url), (client, idempotencyKey, form) =>
      client.ask(addSection, { params: { id }, body: readForm(addSection, form), idempotencyKey }),
    );
  }
  const params = { id, sectionId: sectionEdit.at(url).section };
  return handleEdit(sent, sectionEdit.behind(url), (client, idempotencyKey, form) =>
    client.ask(editSection, { params, body: readForm(editSection, form), idempotencyKey }),
  );
};

const { AreaField, DialogForm, TextField } = formOf<typeof editSection>();

export default function SectionForm({ loaderData, actionData }: Route.ComponentProps) {
  const { section, seen, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title={section ? '编辑部分' : '添加部分'} closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ name: section?.name, introduce: section?.introduce, seen }}
        submit="保存"
      >
        {section && <HiddenField name="seen" />}
        <TextField
          name="name"
          label="部分名称"
          withAsterisk
          limit={sectionNameLimit}
          placeholder="如：一、选择题"
          autoComplete="off"
        />
        <AreaField name="introduce" label="部分说明" rows={3} limit={sectionIntroduceLimit} />
      </DialogForm>
    </Dialog>
  );
}
