/** The school's switches and values, set by the staff command and kept in `setting`. */
import { createHash } from 'node:crypto';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolNameLimit } from './rules.ts';

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
  /** In the header and at the sign-in; empty: the product's. */
  school_name: string;
  /** The picture beside it is kept apart (`schoolLogo`): this tells one from the next. Empty: the product's sign. */
  school_logo: string;
}

export const defaultSettings: SchoolSettings = {
  timezone: 'Asia/Shanghai',
  switch_question_module: true,
  class_homework_module: true,
  community_module: true,
  class_circle: true,
  show_grade: true,
  show_classify: true,
  school_name: '',
  school_logo: '',
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
    if (name === 'timezone' || name === 'school_name') settings[name] = value;
    else if (name === 'school_logo') settings.school_logo = value && hashOf(value);
    else if (name in settings) Object.assign(settings, { [name]: value === '1' });
  }
  kept.set(db, { until: now + keptFor, settings });
  return settings;
}

const hashOf = (value: string) => createHash('sha256').update(value).digest('hex').slice(0, 8);

/** The school's own logo, a PNG; undefined where it has none. */
export async function schoolLogo(db: Database): Promise<Buffer | undefined> {
  const kept = await db.selectFrom('setting').select('value').where('name', '=', 'school_logo').executeTakeFirst();
  return kept?.value ? Buffer.from(kept.value, 'base64') : undefined;
}

export type SettingName = keyof SchoolSettings;
export const settingNames = Object.keys(defaultSettings) as SettingName[];
export const isSettingName = (name: string): name is SettingName => Object.hasOwn(defaultSettings, name);

/** A value as it is kept, from what an administrator writes; undefined where it is none of that setting's. */
export function storedSetting(name: Exclude<SettingName, 'school_logo'>, written: string): string | undefined {
  if (name === 'school_name') {
    const shown = written.trim().replaceAll(/\s+/g, ' ');
    return [...shown].length <= schoolNameLimit ? shown : undefined;
  }
  if (name === 'timezone') return isTimezone(written) ? written : undefined;
  if (/^(1|on|true|yes)$/i.test(written)) return '1';
  return /^(0|off|false|no)$/i.test(written) ? '0' : undefined;
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Keeps a value that `storedSetting` gave; running servers see it within seconds. */
export async function storeSetting(db: Database, name: SettingName, value: string): Promise<void> {
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  kept.delete(db);
}

/** What tells this school's records from another's where both meet: made with the database, never changed. */
export async function installationOf(db: Database): Promise<string> {
  const made = await db.selectFrom('setting').select('value').where('name', '=', 'installation').executeTakeFirst();
  return made?.value ?? '';
}
