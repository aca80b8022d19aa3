/** The dialog that takes questions of the person's own bank or of the public one. */
import { data } from 'react-router';
import { type QuestionDetail, showPublicQuestions, showQuestions } from '#server/questions/contract.ts';
import { type ApiClient, api, type Outcome } from '../../api.server.ts';
import { pickerData } from '../../questions/picker.server.ts';
import { QuestionPicker } from '../../questions/picker.tsx';
import { pickedIds } from '../../questions/picker-address.ts';
import { draftOf } from '../../questions/question-form-data.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import type { Route } from './+types/questions';
import { backWith, closeHref, formBehind } from './chosen.server.ts';
import { withQuestions } from './form.ts';

export const meta: Route.MetaFunction = () => [{ title: '选择题目 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const { switch_question_module } = signedInPerson(context).settings;
  const picker = await pickerData(context.get(api), url, switch_question_module);
  return { picker, closeHref: closeHref(url.searchParams) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { switch_question_module } = signedInPerson(context).settings;
  const picked = pickedIds(await request.formData());
  if (picked.length === 0) return data({ msg: '请选择题目', picked }, { status: 422 });
  const questions = await pickedQuestions(client, picked, switch_question_module);
  if (!questions.ok) return data({ msg: questions.msg, picked }, { status: questions.status });
  const added = questions.data.map((question) => ({ source_id: question.id, draft: draftOf(question) }));
  return backWith(
    client,
    withQuestions(await formBehind(client, url.searchParams), added),
    url.searchParams,
    '#question',
  );
}

/** Those of both banks, in the order in which they were picked. */
function pickedQuestions(client: ApiClient, ids: number[], offersPublic: boolean): Promise<Outcome<QuestionDetail[]>> {
  return client.ask(offersPublic ? showPublicQuestions : showQuestions, { params: { ids: ids.join(',') } });
}

export default function ChooseQuestions({
  loaderData: { picker, closeHref: close },
  actionData,
}: Route.ComponentProps) {
  return <QuestionPicker data={picker} closeHref={close} refusal={actionData} />;
}
