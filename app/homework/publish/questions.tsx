/** Dialog that picks questions from the user's own bank or the public one. */
import { noQuestionFault } from '#server/homework/rules.ts';
import { type QuestionDetail, showPublicQuestions, showQuestions } from '#server/questions/contract.ts';
import { type ApiClient, api } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import { readScores } from '../../questions/imported-scores.ts';
import { pickerData } from '../../questions/picker.server.ts';
import { QuestionPicker } from '../../questions/picker.tsx';
import { draftOf } from '../../questions/question-codec.ts';
import { pickQuestions } from '../../questions/screens.ts';
import { handlePickerForm, refusedForm } from '../../shell/form-action.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titleMeta } from '../../shell/title.ts';
import type { Route } from './+types/questions';
import { addQuestionsAndReturn, loadStoredForm } from './kept-form.server.ts';

export const meta: Route.MetaFunction = () => titleMeta('选择题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { switch_question_module } = signedInPerson(context).settings;
  const client = context.get(api);
  const { questions } = await loadStoredForm(context, url);
  const present = questions.flatMap(({ source_id }) => source_id ?? []);
  return pickerData(client, url, { offersPublic: switch_question_module, present });
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handlePickerForm(sent, noQuestionFault, async (client, picked, form) => {
    const { switch_question_module } = signedInPerson(sent.context).settings;
    const questions = await pickedQuestions(client, picked, switch_question_module);
    if (!questions.ok) return refusedForm(questions, form);
    const scores = readScores(pickQuestions.at(url).place.scores);
    const added = questions.data.map((question) => ({
      source_id: question.id,
      draft: draftOf(question),
      scores: scores.get(question.id) ?? [],
    }));
    return addQuestionsAndReturn(sent.context, added, url);
  });

/** Loads the picked questions from both banks, in the order in which they were picked. */
function pickedQuestions(client: ApiClient, ids: number[], offersPublic: boolean): Promise<Outcome<QuestionDetail[]>> {
  return client.ask(offersPublic ? showPublicQuestions : showQuestions, { params: { ids: ids.join(',') } });
}

export default function ChooseQuestions({ loaderData, actionData }: Route.ComponentProps) {
  return <QuestionPicker data={loaderData} refused={actionData} />;
}
