/**
 * Settings and feature switches of the school (table `setting`), which administrators or the staff command change.
 * Cached in each process.
 */

import { createHash } from 'node:crypto';
import { secondFactorRules } from '#server/platform/auth/rules.ts';
import type { SignInPolicy } from '#server/platform/auth/sign-in.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolNameLimit } from '#server/schools/rules.ts';
import {
  isRoomAddress,
  isServiceAddress,
  normalizeSite,
  type PasswordRule,
  policyLimits,
} from '#server/settings/rules.ts';

/** Settings that every screen may know. */
export interface SchoolSettings {
  /** IANA time zone in which days are shown and filtered. */
  timezone: string;
  /** Feature switch of the public question bank. */
  switch_question_module: boolean;
  /** Feature switch of homework for scheduled lessons. */
  class_homework_module: boolean;
  community_module: boolean;
  class_circle: boolean;
  show_grade: boolean;
  show_classify: boolean;
  /** Feature switch of the learners' page `/learn` (app/learn/). */
  learn_page: boolean;
  /** Name in the header and on the sign-in page; '': the product's name. */
  school_name: string;
  /** Version of the logo, which is stored elsewhere (`schoolLogo`); '': the product's logo. */
  school_logo: string;
}

/** Settings that only the server and administrators may know. `keep_…`: retention periods in days. */
export interface SchoolPolicy extends SignInPolicy {
  /** Maximum number of wrong passwords per user name and address within ten minutes. */
  sign_in_tries: number;
  keep_sign_ins: number;
  keep_messages: number;
  keep_imports: number;
  keep_uploads: number;
  keep_exports: number;
  keep_drafts: number;
  keep_previews: number;
  /** Webhook for text messages; '': the one from the environment. */
  sms_webhook_url: string;
  /** Service for live rooms; if all its settings are '', those from the environment apply. */
  live_url: string;
  live_playback_url: string;
  bbb_url: string;
  bbb_secret: string;
  /** `one`: only `emergency_staff` can sign in with a password; all others must use an identity provider. */
  password_sign_in: PasswordRule;
  /** Id of the emergency account's administrator; '' if there is none. */
  emergency_staff: string;
  /** Public address of this product (`https://…` without a path), to which identity providers redirect. */
  site_address: string;
}

export const defaultSettings: SchoolSettings = {
  timezone: 'Asia/Shanghai',
  switch_question_module: true,
  class_homework_module: true,
  community_module: true,
  class_circle: true,
  show_grade: true,
  show_classify: true,
  learn_page: false,
  school_name: '',
  school_logo: '',
};

export const defaultPolicy: SchoolPolicy = {
  sign_in_tries: 10,
  sign_in_hours: 12,
  second_factor: 'none',
  keep_sign_ins: 365,
  keep_messages: 90,
  keep_imports: 30,
  keep_uploads: 1,
  keep_exports: 7,
  keep_drafts: 180,
  keep_previews: 7,
  sms_webhook_url: '',
  live_url: '',
  live_playback_url: '',
  bbb_url: '',
  bbb_secret: '',
  password_sign_in: 'all',
  emergency_staff: '',
  site_address: '',
};

/** Seconds for which settings are cached; changes by other processes take effect after that. */
const keptFor = 5;
interface CachedSettings {
  /** When the settings were read, by `performance.now()`, which tests do not change. */
  readAt: number;
  until: number;
  settings: SchoolSettings;
  policy: SchoolPolicy;
}
const kept = new WeakMap<object, CachedSettings>();
const reading = new WeakMap<object, Promise<CachedSettings>>();
/** Milliseconds after a change during which nothing is cached, because the change may not be committed yet. */
const settling = 2_000;
let changedAt = Number.NEGATIVE_INFINITY;

export const schoolSettings = async (db: Database, now: number): Promise<SchoolSettings> =>
  (await cachedSettings(db, now)).settings;

export const schoolPolicy = async (db: Database, now: number): Promise<SchoolPolicy> =>
  (await cachedSettings(db, now)).policy;

/** Returns the webhook for text messages: the school's setting, or else SMS_WEBHOOK_URL; '' if there is none. */
export const smsWebhookUrl = async (db: Database, now: number): Promise<string> =>
  (await schoolPolicy(db, now)).sms_webhook_url || setting('SMS_WEBHOOK_URL');

/**
 * True if text messages are delivered. For a demo school, whose people are invented, writing them to the log is enough.
 */
export async function deliversTextMessages(db: Database, now: number): Promise<boolean> {
  if ((await smsWebhookUrl(db, now)) !== '') return true;
  const demo = await db.selectFrom('setting').select('value').where('name', '=', 'demo').executeTakeFirst();
  return demo?.value === '1';
}

async function cachedSettings(db: Database, now: number): Promise<CachedSettings> {
  const before = kept.get(db);
  const readAt = performance.now();
  const isSettled = readAt - changedAt > settling;
  // A cached value that was read before the last change is not used.
  if (before && before.readAt - changedAt > settling && now < before.until) return before;
  if (!isSettled) return read(db, now, readAt);
  // Callers at the same time share one read.
  const loading = reading.get(db) ?? read(db, now, readAt).finally(() => reading.delete(db));
  reading.set(db, loading);
  const found = await loading;
  kept.set(db, found);
  return found;
}

async function read(db: Database, now: number, readAt: number): Promise<CachedSettings> {
  const rows = await db.selectFrom('setting').selectAll().execute();
  const settings: SchoolSettings = { ...defaultSettings };
  const policy: SchoolPolicy = { ...defaultPolicy };
  for (const { name, value } of rows) {
    if (name === 'timezone' || name === 'school_name') settings[name] = value;
    else if (name === 'school_logo') settings.school_logo = value && hashOf(value);
    else if (name in settings) Object.assign(settings, { [name]: value === '1' });
    else if (name in policyLimits) Object.assign(policy, { [name]: Number(value) });
    else if (name in policy) Object.assign(policy, { [name]: value });
  }
  return { readAt, until: now + keptFor, settings, policy };
}

const hashOf = (value: string) => createHash('sha256').update(value).digest('hex').slice(0, 8);

/** Returns the school's logo as PNG; undefined if there is none. */
export async function schoolLogo(db: Database): Promise<Buffer | undefined> {
  const kept = await db.selectFrom('setting').select('value').where('name', '=', 'school_logo').executeTakeFirst();
  return kept?.value ? Buffer.from(kept.value, 'base64') : undefined;
}

export type SettingName = keyof SchoolSettings | keyof SchoolPolicy;
export const settingNames = [...Object.keys(defaultSettings), ...Object.keys(defaultPolicy)] as SettingName[];
export const isSettingName = (name: string): name is SettingName =>
  Object.hasOwn(defaultSettings, name) || Object.hasOwn(defaultPolicy, name);
export const isSwitch = (name: SettingName): boolean =>
  Object.hasOwn(defaultSettings, name) && typeof defaultSettings[name as keyof SchoolSettings] === 'boolean';

/** Converts typed text to the value that is stored for a setting; undefined if it is invalid. */
export function storedSetting(name: Exclude<SettingName, 'school_logo'>, written: string): string | undefined {
  if (name === 'school_name') {
    const shown = written.trim().replaceAll(/\s+/g, ' ');
    return [...shown].length <= schoolNameLimit ? shown : undefined;
  }
  if (name === 'timezone') return isTimezone(written) ? written : undefined;
  if (name === 'second_factor') return secondFactorRules.find((rule) => rule === written);
  if (isSwitch(name)) {
    if (/^(1|on|true|yes)$/i.test(written)) return '1';
    return /^(0|off|false|no)$/i.test(written) ? '0' : undefined;
  }
  if (Object.hasOwn(policyLimits, name)) {
    const { least, most } = policyLimits[name as keyof typeof policyLimits];
    const number = /^\d{1,6}$/.test(written.trim()) ? Number(written) : Number.NaN;
    return number >= least && number <= most ? String(number) : undefined;
  }
  // Only the screen can limit passwords to one account, because it checks that others can still sign in.
  if (name === 'password_sign_in') return written.trim() === 'all' ? 'all' : undefined;
  const text = written.trim();
  if (name === 'emergency_staff') return undefined;
  if (name === 'site_address') return text === '' ? '' : normalizeSite(text);
  if (name === 'bbb_secret') return text.length <= 200 ? text : undefined;
  const isAddress = name === 'live_url' || name === 'live_playback_url' ? isRoomAddress : isServiceAddress;
  return text === '' || isAddress(text) ? text : undefined;
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Stores a value that `storedSetting` returned; running servers see it within seconds. */
export async function storeSetting(db: Database, name: SettingName, value: string): Promise<void> {
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  kept.delete(db);
  reading.delete(db);
  if (db.isTransaction) changedAt = performance.now();
}

/** Returns the unique id of this installation, which is created with the database and never changes. */
export async function installationId(db: Database): Promise<string> {
  const made = await db.selectFrom('setting').select('value').where('name', '=', 'installation').executeTakeFirst();
  return made?.value ?? '';
}

/** Reads how far a background job has come; '' if it has never stored that. */
async function markOf(db: Database, name: string): Promise<string> {
  const kept = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
  return kept?.value ?? '';
}

async function setMark(db: Database, name: string, value: string): Promise<void> {
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Last day (`yyyy-mm-dd`) for which the retention job has finished; '' if none. */
export const retentionDay = (db: Database): Promise<string> => markOf(db, 'kept_on');
export const storeRetentionDay = (db: Database, day: string): Promise<void> => setMark(db, 'kept_on', day);

/** Since when the server's clock is suspected to be wrong, in unix seconds by that clock; 0 if it is not. */
export const clockSuspectSince = async (db: Database): Promise<number> => Number(await markOf(db, 'clock_doubted_at'));
export const storeClockDoubtedSince = (db: Database, at: number): Promise<void> =>
  setMark(db, 'clock_doubted_at', String(at));

/** Day (`yyyy-mm-dd`) on which the statistics of partitioned tables were last updated; '' if never. */
export const lastAnalyzeDay = (db: Database): Promise<string> => markOf(db, 'sizes_noted_on');
export const storeAnalyzeDay = (db: Database, day: string): Promise<void> => setMark(db, 'sizes_noted_on', day);

/** Last month (`yyyy/mm`) whose uploads were searched for unreferenced files; '' if none. */
export const lastSweptMonth = (db: Database): Promise<string> => markOf(db, 'files_swept_to');

/** `month` as `yyyy/mm`. */
export const storeSweptMonth = (db: Database, month: string): Promise<void> => setMark(db, 'files_swept_to', month);
