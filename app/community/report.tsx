import { reportPost, showPost } from '#server/community/contract.ts';
import { reportLimit, reportTypes } from '#server/community/rules.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/report';
import { eitherPost, postReport } from './screens.ts';
import { reportTypeNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('举报帖子');

export async function loader({ context, url }: Route.LoaderArgs) {
  const post = await context.get(api).send(showPost, { params: { id: eitherPost.at(url).id }, query: { limit: 1 } });
  mustBeAllowed(context, post.refusals.report);
  return {
    postId: post.id,
    nickname: post.nickname,
    ...postReport.opened(url),
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, postReport.behind(url), (client, idempotencyKey, form) =>
    client.ask(reportPost, {
      body: { ...readForm(reportPost, form), post_id: eitherPost.at(url).id },
      idempotencyKey,
    }),
  );

const { AreaField, DialogForm, RadioField } = formOf<typeof reportPost>();

export default function ReportPost({ loaderData, actionData }: Route.ComponentProps) {
  const { postId, nickname, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="举报帖子" closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="提交"
        draft={`report ${postId}`}
      >
        <p>举报{nickname}的帖子</p>
        <RadioField
          name="type"
          label="举报原因"
          withAsterisk
          choices={reportTypes.map((type) => [type, reportTypeNames[type]] as const)}
        />
        <AreaField name="content" label="举报说明" limit={reportLimit} rows={3} />
      </DialogForm>
    </Dialog>
  );
}
