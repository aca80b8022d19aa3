/** Returns the periods, child courses and classes of a course as JSON, for the hydrated form. */
import { api } from '../../api/client.server.ts';
import { publishChoices } from '../screens.ts';
import type { Route } from './+types/choices';
import { loadChoices } from './load.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const place = publishChoices.at(url);
  const wanted = {
    course_basis_id: String(place.course_basis_id ?? ''),
    publish_scope: place.publish_scope ?? '',
    child_course_basis_ids: place.child_course_basis_ids.map(String),
  };
  return Response.json(await loadChoices(context.get(api), wanted, place.arrange_id));
}
