/** One's own question, to be changed (document 3, section 5). What was published keeps its own version. */
import { data } from 'react-router';
import { showQuestions, updateQuestion } from '#server/questions/contract.ts';
import { api } from '../api.server.ts';
import type { Route } from './+types/edit';
import { questionFormAction } from './question-form-action.server.ts';
import { draftOf } from './question-form-data.ts';
import { QuestionPage } from './question-page.tsx';

export const handle = {
  hydrate: true,
  crumbs: [
    { label: '作业管理', href: '/homework' },
    { label: '我的题目', href: '/homework?tab=ques' },
    { label: '编辑题目' },
  ],
};

export const meta: Route.MetaFunction = () => [{ title: '编辑题目 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const ids = url.searchParams.get('id') || '0';
  const [question] = await context.get(api).send(showQuestions, { params: { ids } });
  if (!question) throw data({ msg: '题目不存在' }, { status: 404 });
  return { draft: draftOf(question), idempotencyKey: crypto.randomUUID() };
}

export function action(args: Route.ActionArgs) {
  const id = args.url.searchParams.get('id') || '0';
  return questionFormAction(args, (client, draft, idempotencyKey) =>
    client.ask(updateQuestion, { params: { id }, body: draft, idempotencyKey }),
  );
}

export default function EditQuestion({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPage title="编辑题目" {...loaderData} answer={actionData} />;
}
