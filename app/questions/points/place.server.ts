/** Where new knowledge points go: below another, or into a subject. */
import { listCatalogue } from '#server/catalogue/contract.ts';
import { everyRow } from '#server/platform/calls/fields.ts';
import { showPoint } from '#server/questions/points.contract.ts';
import { api } from '../../api/client.server.ts';
import { mustShare } from '../../catalogue/shared.server.ts';
import type { RequestContext } from '../../shell/form-request.ts';
import { pointList } from '../screens.ts';

/** Of the point that the dialog was opened at, and the subjects with the one that the list is narrowed to. 403 who may not. */
export async function placeOfNew(context: RequestContext, { under, url }: { under: number | undefined; url: URL }) {
  mustShare(context, 'subjects');
  const client = context.get(api);
  const [parent, subjects] = await Promise.all([
    under === undefined ? undefined : client.send(showPoint, { params: { id: under } }),
    client.send(listCatalogue, { params: { kind: 'subjects' }, query: { limit: everyRow } }),
  ]);
  return { parent, subjects: subjects.list, subject_id: pointList.at(url).filter.subject_id };
}
