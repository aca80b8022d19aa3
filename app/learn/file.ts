/** Streams a picture or attachment to a signed-in learner. */
import type { Route } from './+types/file';
import { learnerContext } from './client.server.ts';
import { learnFile } from './screens.ts';

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { year, month, file } = learnFile.at(url);
  return context.get(learnerContext).file(`${year}/${month}/${encodeURIComponent(file)}${url.search}`, request);
}
