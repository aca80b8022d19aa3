/** Returns the periods, child courses and classes of a course as JSON, for the hydrated form. */
import { api } from '../../api/client.server.ts';
import { publishChoices } from '../screens.ts';
import type { Route } from './+types/choices';
import { loadChoices } from './load.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = publishChoices.at(url);
  const wanted = {
    course_basis_id: String(asked.course_basis_id ?? ''),
    publish_scope: asked.publish_scope ?? '',
    child_course_basis_ids: asked.child_course_basis_ids.map(String),
  };
  return Response.json(await loadChoices(context.get(api), wanted, asked.arrange_id));
}
