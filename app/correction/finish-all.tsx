/** The end of a pass by question: every report of the homework whose answers are marked, in one go. */
import { redirect } from 'react-router';
import { reviewByQuestion, storeReviews } from '#server/correction/contract.ts';
import { api } from '../api.server.ts';
import { idempotencyField, refused } from '../homework/dialog-action.server.ts';
import { getSession } from '../shell/session.server.ts';
import { buttonClass } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import type { Route } from './+types/finish-all';
import { addressOfReport, addressSearch, readAddress } from './address.ts';
import { homeworkPlaces } from './places.ts';

export const meta: Route.MetaFunction = () => [{ title: '完成批改 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const address = readAddress(url.searchParams);
  const { report_id, class_id, ques_id } = address;
  const { finishable_count } = await context
    .get(api)
    .send(reviewByQuestion, { body: { report_id, class_id, ques_id, skip: [] } });
  return {
    count: finishable_count,
    closeHref: `${homeworkPlaces.base}${addressSearch(address)}`,
    key: crypto.randomUUID(),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const address = readAddress(url.searchParams);
  const { report_id, class_id, skip } = address;
  const outcome = await context
    .get(api)
    .ask(storeReviews, { body: { report_id, class_id, skip: [...skip] }, idempotencyKey: idempotencyField(form) });
  if (!outcome.ok) return refused(outcome, form);
  const { count, next_report_id: next } = outcome.data;
  getSession(context).flash('flash', { kind: 'success', msg: `已完成 ${count} 份报告的批改` });
  const onwards = next === null ? undefined : addressOfReport({ ...address, by: undefined }, next);
  throw redirect(onwards ? `${homeworkPlaces.base}${addressSearch(onwards)}` : homeworkPlaces.list(0));
}

export default function FinishAll({ loaderData, actionData }: Route.ComponentProps) {
  const { count, closeHref, key } = loaderData;
  return (
    <Dialog title="完成全部已批改的报告" closeHref={closeHref} message={actionData?.msg}>
      <form method="post">
        <input type="hidden" name="idempotency_key" value={actionData?.key ?? key} />
        <p>本作业有 {count} 份报告的题目已全部批改。完成后不能再修改评分。</p>
        <DialogActions>
          <a href={closeHref} className={buttonClass('plain')}>
            取消
          </a>
          <button type="submit" className={buttonClass('primary')} disabled={count === 0}>
            完成批改
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
