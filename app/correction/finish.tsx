/** The end of a report as a dialog over it, with an optional comment (document 1, section 2). */
import { redirect } from 'react-router';
import { commentLimit } from '#server/correction/contract.ts';
import { api } from '../api.server.ts';
import { idempotencyField, refused } from '../homework/dialog-action.server.ts';
import { getSession } from '../shell/session.server.ts';
import { buttonClass } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/finish';
import { addressOfReport, addressSearch, readAddress } from './address.ts';
import { finishReport } from './grading.server.ts';
import { homeworkPlaces } from './places.ts';

export const meta: Route.MetaFunction = () => [{ title: '完成批改 · 教学后台' }];

export function loader({ url }: Route.LoaderArgs) {
  return {
    closeHref: `${homeworkPlaces.base}${addressSearch(readAddress(url.searchParams))}`,
    key: crypto.randomUUID(),
  };
}

/** On to the next report, or back to the list (document 1, section 2). */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const address = readAddress(url.searchParams);
  const comment = String(form.get('comment') ?? '');
  const outcome = await finishReport(context.get(api), address, comment, idempotencyField(form));
  if (!outcome.ok) return refused(outcome, form);
  getSession(context).flash('flash', { kind: 'success', msg: outcome.msg });
  const next = outcome.data.next_report_id;
  throw redirect(
    next === null ? homeworkPlaces.list : `${homeworkPlaces.base}${addressSearch(addressOfReport(address, next))}`,
  );
}

export default function Finish({ loaderData, actionData }: Route.ComponentProps) {
  const { closeHref, key } = loaderData;
  const error = actionData?.errors?.comment?.[0];
  return (
    <Dialog title="完成批改" closeHref={closeHref} message={error ? undefined : actionData?.msg}>
      <form method="post" noValidate>
        <input type="hidden" name="idempotency_key" value={actionData?.key ?? key} />
        <p>完成后不能再修改评分。</p>
        <Field label="总评语" id="comment" error={error} hint={`选填，最多${commentLimit}个字`}>
          <textarea
            id="comment"
            name="comment"
            rows={4}
            className={controlClass}
            defaultValue={new Map<string, string>(actionData?.typed).get('comment')}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'comment-error' : undefined}
          />
        </Field>
        <DialogActions>
          <a href={closeHref} className={buttonClass('plain')}>
            取消
          </a>
          <button type="submit" className={buttonClass('primary')}>
            完成批改
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
