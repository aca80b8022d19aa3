/** Dialog over the desk in which a grader edits the pinned comments, one per shortcut key. */
import { savePinned } from '#server/grading-desk/pinned-comments.contract.ts';
import { commentKeys, commentLimit } from '#server/grading-desk/rules.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField, readForm } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/pinned-comments';
import { openDesk } from './desk/desk-calls.server.ts';
import styles from './desk/desk-dialogs.work.module.css';
import { pinnedComments } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('常用评语');

/** Loads the pinned comments, and the grader's most frequent comments on the open question as suggestions. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { address, pinned: kept, questions } = await openDesk({ context, url });
  const question = questions.find(({ id }) => id === address.ques_id);
  return { kept, written: question?.my_comments ?? [], ...pinnedComments.opened(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const callRequest = { body: readForm(savePinned, form), idempotencyKey: idempotencyField(form) };
  return finishForm(
    context,
    await context.get(api).ask(savePinned, callRequest),
    pinnedComments.opened(url).closeHref,
    form,
  );
}

const { Form, TextField } = formOf<typeof savePinned>();
const writtenList = 'written-comments';

export default function PinnedComments({ loaderData, actionData }: Route.ComponentProps) {
  const { kept, written, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="常用评语" closeHref={closeHref} width={560}>
      <Form idempotencyKey={idempotencyKey} refused={actionData} values={kept} noValidate>
        <p>最多固定九条，每条用自己的键填入，在任何题目都一样。留空即取消。</p>
        {commentKeys.map((key) => (
          <TextField
            key={key}
            name={key}
            label={key.toUpperCase()}
            aria-label={`${key.toUpperCase()} 键的评语`}
            maxLength={commentLimit}
            list={written.length > 0 ? writtenList : undefined}
            className={styles.pinned}
          />
        ))}
        <datalist id={writtenList}>
          {written.map((comment) => (
            <option key={comment} value={comment} />
          ))}
        </datalist>
        <DialogButtons closeHref={closeHref} submit="保存" />
      </Form>
    </Dialog>
  );
}
