/** Timetables as their imports store them. */
import { type Source, sourceOfSchool } from '#server/import/source.ts';
import type { ImportRequest } from '#server/import/store-upload.ts';
import { visibleImports } from '#server/import/visible.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { WrittenTimetable } from './contract.ts';
import { missingTimetable } from './rules.ts';

/** All timetables of a school share one import source, so that a later timetable replaces an earlier one. */
export const timetableSource = (schoolId: number): Source => sourceOfSchool(`课表（学校${schoolId}）`, schoolId);

/** Returns the form data from which a timetable was made. 404: no such timetable. */
export async function planOf(
  { db, actor }: Pick<ImportRequest, 'db' | 'actor'>,
  id: number,
): Promise<WrittenTimetable | Refusal> {
  const found = await visibleImports(db, actor).select('import.plan').where('import.id', '=', id).executeTakeFirst();
  const plan = found?.plan ? (JSON.parse(found.plan) as { timetable?: WrittenTimetable }) : {};
  return plan.timetable ?? missing(missingTimetable);
}

/** Returns the id of the import of the school's latest timetable that was applied; 0 if none. */
export async function latestTimetable(
  { db, actor }: Pick<ImportRequest, 'db' | 'actor'>,
  schoolId: number,
): Promise<number> {
  const { name, owner } = timetableSource(schoolId);
  const latest = await visibleImports(db, actor)
    .innerJoin('import_source', 'import_source.id', 'import.source_id')
    .select('import.id')
    .where('import_source.name', '=', name)
    .where('import_source.owner', '=', owner)
    .where('import.state', '=', 'applied')
    .orderBy('import.id', 'desc')
    .executeTakeFirst();
  return latest?.id ?? 0;
}
