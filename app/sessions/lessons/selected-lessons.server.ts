/** Loads the lessons of a bulk action. The address has their ids as `pick`. */
import { type LessonRow, listLessons } from '#server/sessions/lessons.contract.ts';
import { maxLessonsAtOnce } from '#server/sessions/rules.ts';
import { api } from '../../api/client.server.ts';
import { pickedIds } from '../../lib/picked-ids.ts';
import type { RequestContext } from '../../shell/form-request.ts';

export async function selectedLessons(context: RequestContext, url: URL): Promise<LessonRow[]> {
  const ids = pickedIds(url.searchParams);
  if (ids.length === 0) return [];
  const { list } = await context.get(api).send(listLessons, { query: { ids: ids.join(','), limit: maxLessonsAtOnce } });
  return list;
}
