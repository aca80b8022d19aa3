/** What a course and a scope offer, for the form in the browser. */
import { api } from '../../api.server.ts';
import type { Route } from './+types/choices';
import { choicesFor } from './load.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const text = (name: string) => url.searchParams.get(name) ?? '';
  const wanted = {
    course_basis_id: text('course_basis_id'),
    publish_scope: text('publish_scope'),
    child_course_basis_ids: text('child_course_basis_ids').split(',').filter(Boolean),
  };
  return { wanted: url.search, choices: await choicesFor(context.get(api), wanted, text('arrange_id') || null) };
}
