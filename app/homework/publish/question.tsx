/** Writes a question of the homework itself, or changes one: the bank is left as it is. */
import { redirect } from 'react-router';
import { checkQuestion, draftMessages, normaliseDraft } from '#server/questions/contract.ts';
import { api } from '../../api.server.ts';
import { questionFormAction } from '../../questions/question-form-action.server.ts';
import { emptyDraft } from '../../questions/question-form-data.ts';
import { QuestionPage } from '../../questions/question-page.tsx';
import type { Route } from './+types/question';
import { backWith, closeHref, formBehind } from './chosen.server.ts';
import { withEditedQuestion, withQuestions } from './form.ts';

export const handle = {
  hydrate: true,
  crumbs: [{ label: '作业管理', href: '/homework' }, { label: '布置作业' }, { label: '编辑题目' }],
};

export const meta: Route.MetaFunction = () => [{ title: '编辑题目 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const form = await formBehind(context.get(api), url.searchParams);
  const key = url.searchParams.get('key');
  const question = form.questions.find((one) => String(one.key) === key);
  // Removed in another tab, or never there.
  if (key && !question) throw redirect(closeHref(url.searchParams));
  return {
    title: question ? '编辑题目' : '新建题目',
    draft: question?.draft ?? emptyDraft(),
    idempotencyKey: '',
    backHref: closeHref(url.searchParams),
  };
}

export async function action(args: Route.ActionArgs) {
  const { searchParams } = args.url;
  return questionFormAction(args, async (client, written) => {
    const draft = normaliseDraft(written);
    const errors = checkQuestion(draft);
    if (Object.keys(errors).length > 0) return { ok: false, status: 422, msg: draftMessages.incomplete, errors };
    const form = await formBehind(client, searchParams);
    const key = searchParams.get('key');
    const changed = key
      ? withEditedQuestion(form, Number(key), draft)
      : withQuestions(form, [{ source_id: null, draft }]);
    return backWith(client, changed, searchParams, '#question');
  });
}

export default function Question({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPage {...loaderData} answer={actionData} />;
}
