/** Page that adds or edits a question of this homework only. The question bank does not change. */
import { redirect } from 'react-router';
import { publishHomework } from '#server/homework/publication.contract.ts';
import { checkQuestion, draftMessages, normaliseDraft } from '#server/questions/rules.ts';
import { emptyDraft } from '../../questions/question-codec.ts';
import { questionFormAction } from '../../questions/question-form-action.server.ts';
import { QuestionPage } from '../../questions/question-page.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { homeworkManage, publish, publishQuestion } from '../screens.ts';
import type { Route } from './+types/question';
import { withEditedQuestion, withQuestions } from './form.ts';
import { loadStoredForm, storeAndReturn } from './kept-form.server.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '作业管理', href: homeworkManage.href() }, { label: '布置作业' }, { label: '编辑题目' }],
};

export const meta: Route.MetaFunction = () => titleMeta('编辑题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, publishHomework);
  const form = await loadStoredForm(context, url);
  const { key, draft } = publishQuestion.at(url);
  const question = form.questions.find((one) => one.key === key);
  const backHref = publish.href(publish.at(url));
  // The question was removed in another tab, or its key is invalid.
  if (key && !question) throw redirect(backHref);
  return {
    title: question ? '编辑题目' : '新建题目',
    draft: question?.draft ?? emptyDraft(),
    idempotencyKey: '',
    draftName: `question ${key ?? 'new'} of ${draft}`,
    backHref,
  };
}

export async function action(args: Route.ActionArgs) {
  const { context, url } = args;
  return questionFormAction(args, async (_client, written) => {
    const draft = normaliseDraft(written);
    const errors = checkQuestion(draft);
    if (Object.keys(errors).length > 0) return { ok: false, status: 422, msg: draftMessages.incomplete, errors };
    const form = await loadStoredForm(context, url);
    const { key } = publishQuestion.at(url);
    const changed = key ? withEditedQuestion(form, key, draft) : withQuestions(form, [{ source_id: null, draft }]);
    return storeAndReturn(context, changed, url, '#question');
  });
}

export default function Question({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPage {...loaderData} answer={actionData} />;
}
