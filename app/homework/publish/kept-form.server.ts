/** Helpers for the screens that open from the publish form: they load the stored form, change it and return to it. */
import { redirect } from 'react-router';
import { usualScore } from '#server/homework/publication.contract.ts';
import { type ApiClient, api } from '../../api/client.server.ts';
import { flashMessage } from '../../shell/form-action.server.ts';
import type { RequestContext } from '../../shell/form-request.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { publish } from '../screens.ts';
import {
  alreadyPresentNotice,
  type NewQuestion,
  type PublishForm,
  type Scores,
  withNewQuestions,
  withScores,
} from './form.ts';
import { loadStartingForm, storeForm } from './load.server.ts';

/**
 * Returns the stored form from which the screen was opened. Without one, returns a new form as its address describes
 * it.
 */
export async function loadStoredForm(context: RequestContext, url: URL): Promise<PublishForm> {
  const { timezone } = signedInPerson(context).settings;
  const { form } = await loadStartingForm(context.get(api), publish.at(url), timezone);
  return form;
}

/** Stores the changed form and redirects to it, scrolled to the changed part. */
export async function storeAndReturn(
  context: RequestContext,
  form: PublishForm,
  url: URL,
  part: '' | '#question' = '',
): Promise<never> {
  const place = publish.at(url);
  const { timezone } = signedInPerson(context).settings;
  const draft = await storeForm(context.get(api), form, place, timezone);
  throw redirect(publish.href({ ...place, draft }) + part);
}

/** The user's usual points by question type. Empty if the call fails. */
export async function loadUsualScores(client: ApiClient): Promise<Scores> {
  const usual = await client.ask(usualScore);
  return new Map(usual.ok ? usual.data.map(({ ques_type, ques_score }) => [ques_type, ques_score]) : []);
}

/** Adds the questions that the form does not contain yet, and reports those that it contains already. */
export async function addQuestionsAndReturn(
  context: RequestContext,
  added: readonly NewQuestion[],
  url: URL,
): Promise<never> {
  const client = context.get(api);
  const before = await loadStoredForm(context, url);
  const usual = before.is_set_score === '2' ? await loadUsualScores(client) : new Map();
  const { form, present } = withNewQuestions(
    before,
    added.map((question) => withScores(question, usual)),
  );
  if (present.length > 0) flashMessage(context, 'warning', alreadyPresentNotice(present));
  return storeAndReturn(context, form, url, '#question');
}
