import { data } from 'react-router';
import { showAdministeredExam, showAdministeredPaper } from '#server/exams/administered.contract.ts';
import { removeExamQuestion } from '#server/exams/composing.contract.ts';
import { missingExamQuestion } from '#server/exams/rules.ts';
import { api } from '../../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { examPaper, examQuestionRemove } from '../screens.ts';
import type { Route } from './+types/remove-question';

const dialog = confirmDialog({
  verb: '移除',
  kind: '题目',
  question: '从这份试卷移除该题目，题库中的题目不变，确定移除吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, removeExamQuestion);
  const client = context.get(api);
  const params = { id: examPaper.at(url).id };
  const exam = await client.send(showAdministeredExam, { params });
  mustBeAllowed(context, exam.refusals.paper);
  const { detail } = await client.send(showAdministeredPaper, { params });
  const asked = detail.flatMap(({ question }) => question);
  const found = asked.find(({ id }) => id === examQuestionRemove.at(url).question);
  if (!found) throw data({ msg: missingExamQuestion }, { status: 404 });
  return { name: `第${found.sort}题`, ...examQuestionRemove.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, examQuestionRemove.behind(url), (client, idempotencyKey) =>
    client.ask(removeExamQuestion, {
      params: { id: examPaper.at(url).id, questionId: examQuestionRemove.at(url).question },
      idempotencyKey,
    }),
  );

export default dialog.Confirm;
