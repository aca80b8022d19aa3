/** The dialog that reports a post, over whichever screen shows it. */
import { reportPost, showPost } from '#server/community/contract.ts';
import { reportLimit, reportTypes } from '#server/community/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/report';
import styles from './report.module.css';
import { circlePost, postReport } from './screens.ts';
import { reportTypeNames } from './terms.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => titled('举报帖子');

/** The post of the screen behind: in its path, or in its search params. */
const postIdOf = (params: object, url: URL) => ('id' in params ? String(params.id) : circlePost.at(url).id);

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const post = await context.get(api).send(showPost, { params: { id: postIdOf(params, url) }, query: { limit: 1 } });
  mustBeAllowed(context, post.refusals.report);
  return {
    postId: post.id,
    nickname: post.nickname,
    closeHref: postReport.behind(url),
    idempotencyKey: crypto.randomUUID(),
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context.get(api).ask(reportPost, {
    body: {
      post_id: postIdOf(params, url),
      type: String(form.get('type') ?? ''),
      content: String(form.get('content') ?? ''),
    },
    idempotencyKey: idempotencyField(form),
  });
  return outcome.ok ? done(context, outcome.msg, postReport.behind(url)) : refused(outcome, form);
}

export default function ReportPost({ loaderData, actionData }: Route.ComponentProps) {
  const { postId, nickname, closeHref, idempotencyKey } = loaderData;
  const typed = Object.fromEntries(actionData?.typed ?? []);
  const errors = actionData?.errors;
  return (
    <Dialog title="举报帖子" closeHref={closeHref} message={actionData?.msg}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={actionData?.key ?? idempotencyKey}
        submit="提交"
        draft={`report ${postId}`}
      >
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
