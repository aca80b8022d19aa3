import { data } from 'react-router';
import { showAdministeredExam, showAdministeredPaper } from '#server/exams/administered.contract.ts';
import { removeSection } from '#server/exams/composing.contract.ts';
import { missingSection, sectionContent } from '#server/exams/rules.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { examPaper, sectionRemove } from '../screens.ts';
import type { Route } from './+types/remove-section';

export const meta: Route.MetaFunction = () => titled('删除部分');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, removeSection);
  const client = context.get(api);
  const params = { id: examPaper.at(url).id };
  const exam = await client.send(showAdministeredExam, { params });
  mustBeAllowed(context, exam.refusals.paper);
  const { detail } = await client.send(showAdministeredPaper, { params });
  const found = detail.find(({ section }) => section.id === sectionRemove.at(url).section);
  if (!found) throw data({ msg: missingSection }, { status: 404 });
  return {
    name: found.section.name,
    acknowledged: sectionContent(found.question.length) ?? '',
    ...sectionRemove.opened(url),
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, sectionRemove.behind(url), (client, idempotencyKey, form) =>
    client.ask(removeSection, {
      params: { id: examPaper.at(url).id, sectionId: sectionRemove.at(url).section },
      query: { acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof removeSection>();

export default function RemoveSection({ loaderData, actionData }: Route.ComponentProps) {
  const { name, acknowledged, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="删除部分" closeHref={closeHref}>
      <p>
        部分：<strong>{name}</strong>
      </p>
      <p>
        {acknowledged && (
          <>
            其中的<strong>{acknowledged}</strong>会一起从试卷移除。
          </>
        )}
        确定删除吗？
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged }}
        submit="确定删除"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
      </DialogForm>
    </Dialog>
  );
}
