/** The dialog that reports a post, over whichever screen shows it. */
import { reportLimit, reportPost, reportTypes, showPost } from '#server/community/contract.ts';
import { api } from '../api.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/report';
import styles from './report.module.css';
import { reportTypeNames } from './terms.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '举报帖子 · 教学后台' }];

/** The post of the screen behind: in its path, or in its search params. */
const postIdOf = (url: URL) => /\/show\/(\d+)\/report$/.exec(url.pathname)?.[1] ?? url.searchParams.get('id') ?? '0';
const behind = (url: URL) => url.pathname.replace(/\/report$/, '') + url.search;

export async function loader({ context, url }: Route.LoaderArgs) {
  const post = await context.get(api).send(showPost, { params: { id: postIdOf(url) }, query: { limit: 1 } });
  return { nickname: post.nickname, closeHref: behind(url), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context.get(api).ask(reportPost, {
    body: { post_id: postIdOf(url), type: String(form.get('type') ?? ''), content: String(form.get('content') ?? '') },
    idempotencyKey: idempotencyField(form),
  });
  return outcome.ok ? done(context, outcome.msg, behind(url)) : refused(outcome, form);
}

export default function ReportPost({ loaderData, actionData }: Route.ComponentProps) {
  const { nickname, closeHref, idempotencyKey } = loaderData;
  const typed = Object.fromEntries(actionData?.typed ?? []);
  const errors = actionData?.errors;
  return (
    <Dialog title="举报帖子" closeHref={closeHref} message={actionData?.msg}>
      <DialogForm closeHref={closeHref} idempotencyKey={actionData?.key ?? idempotencyKey} submit="提交">
        <p>举报{nickname}的帖子</p>
        <fieldset className={styles.types}>
          <legend>举报原因</legend>
          {reportTypes.map((type) => (
            <label key={type}>
              <input type="radio" name="type" value={type} defaultChecked={typed.type === String(type)} />
              {reportTypeNames[type]}
            </label>
          ))}
          {errors?.type && <p className={styles.error}>{errors.type[0]}</p>}
        </fieldset>
        <Field label="举报说明" id="report-content" error={errors?.content?.[0]}>
          <textarea
            id="report-content"
            name="content"
            rows={3}
            defaultValue={typed.content}
            placeholder={`选填，最多${reportLimit}个字`}
            className={controlClass}
            aria-invalid={errors?.content ? true : undefined}
            aria-describedby={errors?.content ? 'report-content-error' : undefined}
          />
        </Field>
      </DialogForm>
    </Dialog>
  );
}
