import { data } from 'react-router';
import { showAdminExam, showAdminPaper } from '#server/exams/admin.contract.ts';
import { removeExamQuestion } from '#server/exams/composing.contract.ts';
import { missingExamQuestion } from '#server/exams/rules.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { examPaper, examQuestionRemove } from '../screens.ts';

const dialog = confirmDialog({
  call: removeExamQuestion,
  at: examQuestionRemove,
  params: (url) => ({ id: examPaper.at(url).id, questionId: examQuestionRemove.at(url).question }),
  verb: '移除',
  kind: '题目',
  question: '从这份试卷移除该题目，题库中的题目不变，确定移除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params, url }) => {
  const exam = await client.send(showAdminExam, { params });
  const { detail } = await client.send(showAdminPaper, { params });
  const asked = detail.flatMap(({ question }) => question);
  const found = asked.find(({ id }) => id === examQuestionRemove.at(url).question);
  if (!found) throw data({ msg: missingExamQuestion }, { status: 404 });
  return { name: `第${found.sort}题`, refusal: exam.refusals.paper };
});

export const action = dialogAction(dialog);

export default dialog.Page;
