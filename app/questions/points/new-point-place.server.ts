import { listCatalogue } from '#server/catalogue/contract.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { showPoint } from '#server/questions/points.contract.ts';
import { api } from '../../api/client.server.ts';
import { requireEverySchool } from '../../catalogue/shared.server.ts';
import type { RequestContext } from '../../shell/form-request.ts';
import { pointList } from '../screens.ts';

/**
 * Loads what the form for new knowledge points needs: the path of the parent, all subjects, and the subject by which
 * the list is filtered. `draft`: prefix of the name under which the browser keeps a draft. 403: no permission.
 */
export async function loadNewPointPlace(
  context: RequestContext,
  { under, url, draft }: { under: number | undefined; url: URL; draft: string },
) {
  requireEverySchool(context, 'subjects');
  const client = context.get(api);
  const [parent, subjects] = await Promise.all([
    under === undefined ? undefined : client.send(showPoint, { params: { id: under } }),
    client.send(listCatalogue, { params: { kind: 'subjects' }, query: { limit: maxListLimit } }),
  ]);
  return {
    path: parent && [...parent.path, parent.name].join(' / '),
    subjects: subjects.list,
    values: { parent_id: parent?.id ?? '', subject_id: pointList.at(url).filter.subject_id ?? '' },
    draft: `${draft} ${parent?.id ?? ''}`,
  };
}
