/** The screens below the publish form: they add to the form that was kept, and lead back to it. */
import { redirect } from 'react-router';
import { usualScore } from '#server/homework/publication.contract.ts';
import { type ApiClient, api } from '../../api/client.server.ts';
import { flash } from '../../shell/form-action.server.ts';
import type { RequestContext } from '../../shell/form-request.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { publish } from '../screens.ts';
import {
  type NewQuestion,
  type PublishForm,
  presentNotice,
  type Scores,
  withNewQuestions,
  withScores,
} from './form.ts';
import { keepForm, startingForm } from './load.server.ts';

/** The form that the screen was opened from: as its address starts it where none is kept. */
export async function formBehind(context: RequestContext, url: URL): Promise<PublishForm> {
  const { timezone } = signedInPerson(context).settings;
  const { form } = await startingForm(context.get(api), publish.at(url), timezone);
  return form;
}

/** Keeps the form with what was chosen, and goes back to the place of it that has changed. */
export async function backWith(
  context: RequestContext,
  form: PublishForm,
  url: URL,
  part: '' | '#question' = '',
): Promise<never> {
  const place = publish.at(url);
  const { timezone } = signedInPerson(context).settings;
  const draft = await keepForm(context.get(api), form, place, timezone);
  throw redirect(publish.href({ ...place, draft }) + part);
}

/** What the person's questions are usually worth; where it cannot be told, nothing is filled in. */
export async function usualScoresOf(client: ApiClient): Promise<Scores> {
  const usual = await client.ask(usualScore);
  return new Map(usual.ok ? usual.data.map(({ ques_type, ques_score }) => [ques_type, ques_score]) : []);
}

/** Adds questions that were chosen in a list, each once, and says which were there already. */
export async function backWithQuestions(
  context: RequestContext,
  added: readonly NewQuestion[],
  url: URL,
): Promise<never> {
  const client = context.get(api);
  const before = await formBehind(context, url);
  const usual = before.is_set_score === '2' ? await usualScoresOf(client) : new Map();
  const { form, present } = withNewQuestions(
    before,
    added.map((question) => withScores(question, usual)),
  );
  if (present.length > 0) flash(context, 'warning', presentNotice(present));
  return backWith(context, form, url, '#question');
}
