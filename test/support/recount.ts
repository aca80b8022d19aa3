import { expect } from 'vitest';
import type { Database } from '#server/platform/db/engine.ts';

interface Counters {
  homework_count: number;
  submitted_homework_count: number;
  not_revised_homework_count: number;
}

/** Compares every counter of homework and classes with a recount of all reports. */
export async function expectCountersToBeRight(db: Database): Promise<void> {
  const reports = await db.selectFrom('report').select(['homework_id', 'class_id', 'status']).execute();
  const counted = new Map<string, Counters>();
  const of = (key: string) => {
    const known = counted.get(key) ?? {
      homework_count: 0,
      submitted_homework_count: 0,
      not_revised_homework_count: 0,
    };
    counted.set(key, known);
    return known;
  };
  for (const { homework_id, class_id, status } of reports) {
    for (const counters of [of(`${homework_id}`), of(`${homework_id} ${class_id}`)]) {
      counters.homework_count += 1;
      if (status >= 2) counters.submitted_homework_count += 1;
      if (status === 2) counters.not_revised_homework_count += 1;
    }
  }
  const classes = await db.selectFrom('homework_class').selectAll().execute();
  const homeworks = await db.selectFrom('homework').selectAll().execute();
  const wrongClasses = classes.filter((one) => differs(one, of(`${one.homework_id} ${one.class_id}`)));
  const wrongHomeworks = homeworks.filter((one) => {
    const scope = classes.filter((theClass) => theClass.homework_id === one.id);
    const published = scope.filter((theClass) => theClass.published_at !== null).length;
    return differs(one, of(`${one.id}`)) || one.class_count !== scope.length || one.published_class_count !== published;
  });
  expect(wrongClasses, 'classes with wrong counters').toEqual([]);
  expect(wrongHomeworks, 'homeworks with wrong counters').toEqual([]);
}

const differs = (kept: Counters, counted: Counters) =>
  kept.homework_count !== counted.homework_count ||
  kept.submitted_homework_count !== counted.submitted_homework_count ||
  kept.not_revised_homework_count !== counted.not_revised_homework_count;
