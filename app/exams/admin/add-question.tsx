/** Adds a question that exists only on this paper, not in a question bank. */
import { showAdminExam } from '#server/exams/admin.contract.ts';
import { addWrittenQuestion } from '#server/exams/composing.contract.ts';
import { api } from '../../api/client.server.ts';
import { emptyDraft } from '../../questions/question-codec.ts';
import { questionFormAction } from '../../questions/question-form-action.server.ts';
import { QuestionPage } from '../../questions/question-page.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requireAllowed, requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { adminExams, examPaper, examQuestionAdd } from '../screens.ts';
import type { Route } from './+types/add-question';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: adminExams.href() }, { label: '添加题目' }],
};

export const meta: Route.MetaFunction = () => titleMeta('添加题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, addWrittenQuestion);
  const { id, section } = examQuestionAdd.at(url);
  const exam = await context.get(api).send(showAdminExam, { params: { id } });
  requireAllowed(context, exam.refusals.paper);
  return {
    draft: emptyDraft(1),
    draftName: `question of section ${section}`,
    backHref: examPaper.href({ id }),
    idempotencyKey: crypto.randomUUID(),
  };
}

export function action(args: Route.ActionArgs) {
  const { id, section } = examQuestionAdd.at(args.url);
  return questionFormAction(
    args,
    (client, draft, idempotencyKey) =>
      client.ask(addWrittenQuestion, { params: { id }, body: { ...draft, section_id: section }, idempotencyKey }),
    examPaper.href({ id }),
  );
}

export default function AddExamQuestion({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPage title="添加题目" {...loaderData} answer={actionData} />;
}
