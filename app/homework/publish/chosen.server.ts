/** The screens below the publish form: they add to the form that was kept, and lead back to it. */
import { redirect } from 'react-router';
import type { ApiClient } from '../../api.server.ts';
import { emptyForm, type PublishForm } from './form.ts';
import { keepForm, readKept } from './load.server.ts';
import { publishPath, waySearch } from './view.ts';

/** The form that the screen was opened from, or an empty one where that is no longer kept. */
export async function formBehind(client: ApiClient, params: URLSearchParams): Promise<PublishForm> {
  const form = await readKept(client, params.get('draft') ?? '');
  return form ?? { ...emptyForm, submit_key: crypto.randomUUID() };
}

/** Keeps the form with what was chosen, and goes back to the place of it that has changed. */
export async function backWith(
  client: ApiClient,
  form: PublishForm,
  params: URLSearchParams,
  place: '' | '#question' = '',
): Promise<never> {
  const draft = await keepForm(client, form);
  throw redirect(publishPath + waySearch(params, { draft }) + place);
}

/** The address of the form behind a dialog, as it was left. */
export function closeHref(params: URLSearchParams): string {
  const draft = params.get('draft');
  return publishPath + waySearch(params, draft ? { draft } : {});
}
