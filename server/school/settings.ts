/** The school's switches and values, set by the staff command and kept in `setting`. */
import type { Database } from '#server/db/engine.ts';

export interface SchoolSettings {
  /** IANA name; days in filters and on screens are this zone's. */
  timezone: string;
  /** The public question bank is offered. */
  switch_question_module: boolean;
  /** Homework of scheduled lessons is offered. */
  class_homework_module: boolean;
  community_module: boolean;
  class_circle: boolean;
  show_grade: boolean;
  show_classify: boolean;
}

export const defaultSettings: SchoolSettings = {
  timezone: 'Asia/Shanghai',
  switch_question_module: true,
  class_homework_module: true,
  community_module: true,
  class_circle: true,
  show_grade: true,
  show_classify: true,
};

/** Seconds for which a change by another process may go unseen. */
const keptFor = 5;
const kept = new WeakMap<object, { until: number; settings: SchoolSettings }>();

export async function schoolSettings(db: Database, now: number): Promise<SchoolSettings> {
  const known = kept.get(db);
  if (known && now < known.until) return known.settings;
  const rows = await db.selectFrom('setting').selectAll().execute();
  const settings: SchoolSettings = { ...defaultSettings };
  for (const { name, value } of rows) {
    if (name === 'timezone') settings.timezone = value;
    else if (name in settings) Object.assign(settings, { [name]: value === '1' });
  }
  kept.set(db, { until: now + keptFor, settings });
  return settings;
}
