import { addQuestion, pickablePoints } from '#server/questions/contract.ts';
import { api } from '../api/client.server.ts';
import { homeworkManage } from '../homework/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/add';
import { pathsOf } from './point-paths.ts';
import { emptyDraft } from './question-codec.ts';
import { questionFormAction } from './question-form-action.server.ts';
import { QuestionPage } from './question-page.tsx';
import { questionList } from './screens.ts';
import { tagNames } from './tag-names.server.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '作业管理', href: homeworkManage.href() },
    { label: '我的题目', href: questionList.href() },
    { label: '添加题目' },
  ],
};

export const meta: Route.MetaFunction = () => titleMeta('添加题目');

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, addQuestion);
  const client = context.get(api);
  const [tree, tags] = await Promise.all([client.send(pickablePoints, {}), tagNames(client)]);
  const draft = { ...emptyDraft(1), point: '', tags: '' };
  return { draft, idempotencyKey: crypto.randomUUID(), points: pathsOf(tree), tags };
}

export function action(args: Route.ActionArgs) {
  return questionFormAction(args, (client, draft, idempotencyKey) =>
    client.ask(addQuestion, { body: draft, idempotencyKey }),
  );
}

export default function AddQuestion({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPage title="添加题目" draftName="new question" {...loaderData} answer={actionData} />;
}
