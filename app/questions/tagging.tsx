/** Dialog over a list of questions that adds tags to the ticked ones, or removes some. */

import { chosenCountFault } from '#server/questions/bank.rules.ts';
import { showQuestions, tagQuestions } from '#server/questions/contract.ts';
import { joinTags, maxTags } from '#server/questions/rules.ts';
import { api } from '../api/client.server.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/tagging';
import { tagging } from './screens.ts';
import { tagNames } from './tag-names.server.ts';

export const meta: Route.MetaFunction = () => titleMeta('设置标签');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, tagQuestions);
  const { ids } = tagging.at(url);
  const client = context.get(api);
  const fault = chosenCountFault(ids.length);
  const [questions, names] = await Promise.all([
    fault ? [] : client.send(showQuestions, { params: { ids: ids.join(',') } }),
    tagNames(client),
  ]);
  const used = [...new Set(questions.flatMap(({ tags }) => tags))];
  return { fault, count: ids.length, used, names, ...tagging.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, tagging.behind(url), (client, idempotencyKey, form) =>
    client.ask(tagQuestions, {
      body: {
        ids: tagging.at(url).ids.join(','),
        add: String(form.get('add') ?? ''),
        remove: joinTags(form.getAll('remove').map(String)),
      },
      idempotencyKey,
    }),
  );

const { ChecksField, DialogForm, TextField } = formOf<typeof tagQuestions>();

export default function SetTags({ loaderData, actionData }: Route.ComponentProps) {
  const { fault, count, used, names, closeHref, idempotencyKey } = loaderData;
  if (fault) {
    return (
      <Dialog title="设置标签" closeHref={closeHref} message={fault}>
        <DialogClose closeHref={closeHref} words="返回" />
      </Dialog>
    );
  }
  return (
    <Dialog title="设置标签" closeHref={closeHref} width={520}>
      <p>已选 {count} 道题目</p>
      <DialogForm closeHref={closeHref} idempotencyKey={idempotencyKey} refused={actionData} submit="保存" noValidate>
        <TextField
          name="add"
          label="添加标签"
          description={`用空格、逗号或顿号隔开，每题最多${maxTags}个`}
          list="tags-to-add"
          autoComplete="off"
        />
        <datalist id="tags-to-add">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {used.length > 0 && (
          <ChecksField name="remove" label="移除标签" choices={used.map((tag) => [tag, tag] as const)} inline />
        )}
      </DialogForm>
    </Dialog>
  );
}
