/** Dialog over a list of questions that deletes one question, or all ticked ones. */
import { deleteQuestions, displayTexts, showQuestions } from '#server/questions/contract.ts';
import { noneChosenFault } from '#server/questions/rules.ts';
import { api } from '../api/client.server.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogClose, DialogForm } from '../ui/dialog.tsx';
import type { Route } from './+types/delete';
import styles from './delete.module.css';
import { removeQuestions } from './screens.ts';
import { ShortStem } from './short-stem.tsx';

/** Maximum number of stems that the dialog lists; of further questions it only shows the number. */
const maxNamed = 5;

export const meta: Route.MetaFunction = () => titleMeta('删除题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, deleteQuestions);
  const ids = removeQuestions.at(url).ids.join(',');
  const questions = ids === '' ? [] : await context.get(api).send(showQuestions, { params: { ids } });
  const texts = questions.slice(0, maxNamed).map(({ ques_stem }) => ques_stem);
  const stems = texts.length > 0 ? await context.get(api).send(displayTexts, { body: { texts } }) : [];
  return { stems, count: questions.length, ...removeQuestions.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, removeQuestions.behind(url), (client, idempotencyKey) =>
    client.ask(deleteQuestions, { params: { ids: removeQuestions.at(url).ids.join(',') }, idempotencyKey }),
  );

export default function DeleteQuestions({
  loaderData: { stems, count, closeHref, idempotencyKey },
  actionData,
}: Route.ComponentProps) {
  const fault = noneChosenFault(count);
  if (fault) {
    return (
      <Dialog title="删除题目" closeHref={closeHref} message={fault}>
        <DialogClose closeHref={closeHref} words="返回" />
      </Dialog>
    );
  }
  return (
    <Dialog title="删除题目" closeHref={closeHref}>
      <p>{count > 1 ? '是否移除选中题目？' : '是否删除该题'}</p>
      <ul className={styles.stems}>
        {stems.map((html, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: nothing comes between them.
          <li key={place}>
            <ShortStem html={html} />
          </li>
        ))}
      </ul>
      {count > maxNamed && <p>等 {count} 道题目</p>}
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="确定删除"
        tone="danger"
      />
    </Dialog>
  );
}
