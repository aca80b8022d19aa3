/** What a course and a scope offer, and how texts look, for the form in the browser. */
import { api } from '../../api.server.ts';
import type { Route } from './+types/choices';
import { choicesFor, displaysOf } from './load.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const text = (name: string) => url.searchParams.get(name) ?? '';
  const wanted = {
    course_basis_id: text('course_basis_id'),
    publish_scope: text('publish_scope'),
    child_course_basis_ids: text('child_course_basis_ids').split(',').filter(Boolean),
  };
  return { wanted: url.search, choices: await choicesFor(context.get(api), wanted, text('arrange_id') || null) };
}

/** A list of texts; answers with those that plain text does not show. */
export async function action({ request, context }: Route.ActionArgs) {
  const texts: unknown = await request.json();
  const strings = Array.isArray(texts) ? texts.filter((one) => typeof one === 'string') : [];
  return displaysOf(context.get(api), strings);
}
