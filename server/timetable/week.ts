import { mondayOf } from '#server/courses/term-days.ts';
import { loadPlanNames, type PlannedEntry, plannedEntries, storedClashes } from '#server/import/clashes.ts';
import { missingImport } from '#server/import/rules.ts';
import { visibleImports } from '#server/import/visible.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { ImportWeek } from './contract.ts';

/** Returns one week of an import. 404: no such import. */
export async function importWeek(
  { db, actor, now, settings }: RuleContext<'actor' | 'now' | 'settings'>,
  id: number,
  asked: string | undefined,
): Promise<ImportWeek | Refusal> {
  const { timezone } = settings;
  const found = await visibleImports(db, actor)
    .select(['import.id', 'import.file_name', 'import.state'])
    .where('import.id', '=', id)
    .executeTakeFirst();
  if (!found) return missing(missingImport);
  const planned = await plannedEntries(db, id, timezone);
  const weekOf = ({ start }: PlannedEntry) => mondayOf(dayOf(start, timezone));
  const weeks = new Map<string, { count: number; clashes: number }>();
  for (const one of planned) {
    const week = getOrAdd(weeks, weekOf(one), () => ({ count: 0, clashes: 0 }));
    week.count += 1;
    if (storedClashes(one).length > 0) week.clashes += 1;
  }
  const first = planned.find(({ verdict }) => verdict !== 'unchanged') ?? planned[0];
  const monday = mondayOf(asked ?? dayOf(first?.start ?? now, timezone));
  const shown = planned.filter((one) => weekOf(one) === monday);
  const names = await loadPlanNames(db, shown);
  return {
    ...found,
    monday,
    weeks: [...weeks].map(([day, week]) => ({ monday: day, ...week })).sort((a, b) => (a.monday < b.monday ? -1 : 1)),
    entries: shown.map((one) => ({
      row: one.row,
      kind: one.kind,
      verdict: one.verdict,
      start_time: one.start,
      end_time: one.end,
      title: [names.course(one.courseId), one.title].filter(Boolean).join(' '),
      class_name: names.class(one.classId),
      lecturer: names.staff(one.lecturerId),
      room: names.room(one.roomId),
      clashes: storedClashes(one),
    })),
  };
}
