/** The screens below the publish form: they add to the form that was kept, and lead back to it. */
import { redirect } from 'react-router';
import { usualScore } from '#server/homework/publication.contract.ts';
import { type QuestionDetail, showQuestions } from '#server/questions/contract.ts';
import { type ApiClient, api } from '../../api/client.server.ts';
import { draftOf } from '../../questions/question-codec.ts';
import { flash } from '../../shell/form-action.server.ts';
import type { RequestContext } from '../../shell/form-request.ts';
import { publish } from '../screens.ts';
import {
  emptyForm,
  type NewQuestion,
  type PublishForm,
  presentNotice,
  type Scores,
  withNewQuestions,
  withScores,
} from './form.ts';
import { keepForm, readKept } from './load.server.ts';

/** The form that the screen was opened from, or an empty one where that is no longer kept. */
export async function formBehind(client: ApiClient, url: URL): Promise<PublishForm> {
  const form = await readKept(client, publish.at(url).draft);
  return form ?? { ...emptyForm, submit_key: crypto.randomUUID() };
}

/** Keeps the form with what was chosen, and goes back to the place of it that has changed. */
export async function backWith(
  client: ApiClient,
  form: PublishForm,
  url: URL,
  place: '' | '#question' = '',
): Promise<never> {
  const draft = await keepForm(client, form);
  throw redirect(publish.href({ ...publish.at(url), draft }) + place);
}

/** What the person's questions are usually worth; where it cannot be told, nothing is filled in. */
export async function usualScoresOf(client: ApiClient): Promise<Scores> {
  const usual = await client.ask(usualScore);
  return new Map(usual.ok ? usual.data.map(({ ques_type, ques_score }) => [ques_type, ques_score]) : []);
}

/** The type that no homework has. */
const fillIn = 7;

/** Details that are asked for at once. */
const detailsAtOnce = 100;

/** Adds questions that were imported for the homework; fill-ins, which none can have, stay in the bank alone. */
export async function backWithImported(context: RequestContext, ids: readonly number[], url: URL): Promise<never> {
  const client = context.get(api);
  const imported: QuestionDetail[] = [];
  for (let from = 0; from < ids.length; from += detailsAtOnce) {
    const asked = ids.slice(from, from + detailsAtOnce).join(',');
    imported.push(...(await client.send(showQuestions, { params: { ids: asked } })));
  }
  const usable = imported.filter(({ ques_type }) => ques_type !== fillIn);
  const left = imported.length - usable.length;
  const kept = left > 0 ? `，另有${left}道填空题已存入我的题目，不能布置为作业` : '';
  flash(context, 'success', `已导入${usable.length}道题目并加入作业${kept}`);
  return backWithQuestions(
    context,
    usable.map((question) => ({ source_id: question.id, draft: draftOf(question) })),
    url,
  );
}

/** Adds questions that were chosen in a list, each once, and says which were there already. */
export async function backWithQuestions(
  context: RequestContext,
  added: readonly NewQuestion[],
  url: URL,
): Promise<never> {
  const client = context.get(api);
  const before = await formBehind(client, url);
  const usual = before.is_set_score === '2' ? await usualScoresOf(client) : new Map();
  const { form, present } = withNewQuestions(
    before,
    added.map((question) => withScores(question, usual)),
  );
  if (present.length > 0) flash(context, 'warning', presentNotice(present));
  return backWith(client, form, url, '#question');
}
