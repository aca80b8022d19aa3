/** A new question (document 3, section 5). */
import { addQuestion } from '#server/questions/contract.ts';
import type { Route } from './+types/add';
import { questionFormAction } from './question-form-action.server.ts';
import { emptyDraft } from './question-form-data.ts';
import { QuestionPage } from './question-page.tsx';

export const handle = {
  hydrate: true,
  crumbs: [
    { label: '作业管理', href: '/homework' },
    { label: '我的题目', href: '/homework?tab=ques' },
    { label: '添加题目' },
  ],
};

export const meta: Route.MetaFunction = () => [{ title: '添加题目 · 教学后台' }];

export function loader() {
  return { draft: emptyDraft(1), idempotencyKey: crypto.randomUUID() };
}

export function action(args: Route.ActionArgs) {
  return questionFormAction(args, (client, draft, idempotencyKey) =>
    client.ask(addQuestion, { body: draft, idempotencyKey }),
  );
}

export default function AddQuestion({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPage title="添加题目" {...loaderData} answer={actionData} />;
}
