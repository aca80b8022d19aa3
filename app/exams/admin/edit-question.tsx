/** Page that edits a question of a paper. The question in the bank does not change. */
import { showAdminExam } from '#server/exams/admin.contract.ts';
import { editExamQuestion, showExamQuestion } from '#server/exams/composing.contract.ts';
import { api } from '../../api/client.server.ts';
import { draftOf } from '../../questions/question-codec.ts';
import { questionFormAction } from '../../questions/question-form-action.server.ts';
import { QuestionPage } from '../../questions/question-page.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requireAllowed, requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { adminExams, examPaper, examQuestionEdit } from '../screens.ts';
import type { Route } from './+types/edit-question';

export const handle: ScreenHandle = {
  crumbs: [{ label: '考试', href: adminExams.href() }, { label: '编辑题目' }],
};

export const meta: Route.MetaFunction = () => titleMeta('编辑题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, editExamQuestion);
  const { id, question } = examQuestionEdit.at(url);
  const client = context.get(api);
  const exam = await client.send(showAdminExam, { params: { id } });
  requireAllowed(context, exam.refusals.paper);
  const written = await client.send(showExamQuestion, { params: { id, questionId: question } });
  return {
    draft: draftOf(written),
    hidden: { seen: written.seen },
    draftName: `exam question ${question}`,
    backHref: examPaper.href({ id }),
    idempotencyKey: crypto.randomUUID(),
  };
}

export function action(args: Route.ActionArgs) {
  const { id, question } = examQuestionEdit.at(args.url);
  return questionFormAction(
    args,
    (client, draft, idempotencyKey, form) =>
      client.ask(editExamQuestion, {
        params: { id, questionId: question },
        body: { ...draft, seen: String(form.get('seen') ?? '') },
        idempotencyKey,
      }),
    examPaper.href({ id }),
  );
}

export default function EditExamQuestion({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPage title="编辑题目" {...loaderData} answer={actionData} />;
}
