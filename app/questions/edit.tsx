/** Page that edits a question of the user's own. Published homework keeps its own version of the question. */
import { data } from 'react-router';
import { pickablePoints, showQuestions, updateQuestion } from '#server/questions/contract.ts';
import { joinTags, missingQuestion } from '#server/questions/rules.ts';
import { api } from '../api/client.server.ts';
import { homeworkManage } from '../homework/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/edit';
import { pathsOf } from './point-paths.ts';
import { draftOf } from './question-codec.ts';
import { questionFormAction } from './question-form-action.server.ts';
import { QuestionPage } from './question-page.tsx';
import { questionEdit, questionList } from './screens.ts';
import { tagNames } from './tag-names.server.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '作业管理', href: homeworkManage.href() },
    { label: '我的题目', href: questionList.href() },
    { label: '编辑题目' },
  ],
};

export const meta: Route.MetaFunction = () => titleMeta('编辑题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, updateQuestion);
  const { id } = questionEdit.at(url);
  const client = context.get(api);
  const [[question], tree, tags] = await Promise.all([
    client.send(showQuestions, { params: { ids: String(id) } }),
    client.send(pickablePoints, {}),
    tagNames(client),
  ]);
  if (!question) throw data({ msg: missingQuestion }, { status: 404 });
  const draft = { ...draftOf(question), point: question.point_path, tags: joinTags(question.tags) };
  return { id: question.id, draft, idempotencyKey: crypto.randomUUID(), points: pathsOf(tree), tags };
}

export function action(args: Route.ActionArgs) {
  const { id } = questionEdit.at(args.url);
  return questionFormAction(args, (client, draft, idempotencyKey) =>
    client.ask(updateQuestion, { params: { id }, body: draft, idempotencyKey }),
  );
}

export default function EditQuestion({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPage title="编辑题目" {...loaderData} draftName={`question ${loaderData.id}`} answer={actionData} />;
}
