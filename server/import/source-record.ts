import type { ListIdentity, ListUsername } from './rules.ts';

/** Kinds of records in dependency order: each refers only to earlier kinds. */
export const kinds = [
  'school',
  'term',
  'category',
  'grade',
  'subject',
  'room',
  'staff',
  'student',
  'course',
  'period',
  'class',
  'group_class',
  'class_course',
  'class_staff',
  'membership',
  'group',
  'group_member',
  'lesson',
] as const;

export type Kind = (typeof kinds)[number];

/** Place in the upload, for people: `row` counts from 1, headings included. */
export type Place = { file: string; row: number };

/** A diagnostic in words for a school's office; `field` as written in the upload, '' for the whole row. */
export type Remark = Place & { field: string; message: string };

/**
 * Reference by source id to a record of this upload, or an earlier one of the same source. `name`: the text in the
 * upload, an id or a name, if the upload does not contain the record.
 */
export type Reference = { kind: Kind; sourceId: string; name?: string };

export type Value = string | number | boolean | null | Reference | Reference[] | string[];

export const isReference = (value: Value | undefined): value is Reference =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** References of a list or a single value. */
export const referencesIn = (value: Value | undefined): Reference[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is Reference => isReference(one));

/** Text of a string or number; '' for anything else. */
export const textOf = (value: Value | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * A record as its source wants it, before it is compared with stored data. `fields` are named as in the administrators'
 * call that creates such a record. A missing field stays unchanged; null removes it.
 */
export type SourceRecord = {
  kind: Kind;
  /** Unique per kind and source; '' if the source has no ids (matched by name after confirmation). */
  sourceId: string;
  fields: Record<string, Value>;
  /** `gone`: the source reports its end (delta only). */
  state: 'active' | 'gone';
  place: Place;
};

/**
 * Fields of each kind. Fields ending in `_id` are references, in `_ids` lists of references; `?` marks optional ones.
 *
 * | kind | fields |
 * |---|---|
 * | school | name |
 * | term | name, type?, first_day, last_day (inclusive), parent_id? |
 * | category | name, parent_id? |
 * | grade, subject | name |
 * | room | name, school_id?, seats? |
 * | staff | identity, username?, real_name, mobile?, school_id?, permissions?, every_school? (0, 1), school_ids? |
 * | student | nickname, number?, mobile?, guardian_mobile?, school_id? |
 * | course | title, course_type?, school_id?, classify_id?, grade_id?, subject_id?, parent_id?, introduction?, course_extend?, cover_of_id? (of a new one: whose cover it brings) |
 * | period | course_id, title, chapter_title?, periods_type, lecturer_id?, start_play (seconds), minutes, advance_time? |
 * | class | name, school_id?, grade_id?, classify_id?, large_class_name?, valid_type?, valid_day?, term_ids? |
 * | group_class | name, class_type (3, 1), school_id?, grade_id?, classify_id?, lecturer_id?, subject_id?, room_id?, teaching_mode?, sign_type?, schedule?, remarks?, start_day? |
 * | class_course | class_id (class or group_class), course_id |
 * | class_staff | class_id (class or group_class), staff_id, duty (head, assistant) |
 * | membership | class_id (class or group_class), student_id, joined_at?, left_at? (seconds), left_reason?; of a group_class contracts_number?, sign_type?, remaining_lessons?, periods_price?, lesson_minutes? |
 * | group | class_id, course_id, group_name, staff_ids? |
 * | group_member | group_id, student_id |
 * | lesson | class_id (group_class), course_id, period_id?, chapter_title?, lecturer_id, room_id?, teaching_mode?, day, start, end (hh:mm) |
 */

/** How a list is read. */
export type Mapping = {
  kind: 'staff' | 'student';
  /** Meaning of each column, by heading: a heading of our own sheet; '' for ignored. */
  columns: Record<string, string>;
  /** Class of each sheet, for rows that name none; null: the sheet is not read. */
  classes?: Record<string, string | null>;
  /** Name of the school of people whose row tells none. */
  school?: string;
  /** Identity and user name of staff whose row tells none; without them such rows are refused. */
  identity?: ListIdentity;
  username?: ListUsername;
};

/** A sheet with a list; the only one of a text file. `className` '': its name and title tell no class. */
export type ListSheet = { name: string; className: string; isRead: boolean };

/** A list of people, of one sheet or several, as shown for the assignment of columns. */
export type ListPreview = {
  /** Unique headings as written; 第1列 and so on without headings. */
  heads: string[];
  /** First rows, long cells cut. */
  examples: string[][];
  mapping: Mapping;
  /** Row of the headings; 0: none. */
  headRow: number;
  /** The columns were guessed, and not confirmed. */
  isGuessed: boolean;
  /** Missing in previews that were stored before sheets had classes. */
  sheets?: ListSheet[];
};

/** A parsed upload: its records and diagnostics. Rows in `refused` give no records. */
export type ParsedUpload = {
  /** `bulk`: the full list of its kinds, so missing records have left. `delta`: only changes. */
  mode: 'bulk' | 'delta';
  /** Kinds that it covers; a bulk upload ends missing records of these only. */
  kinds: Kind[];
  intended: Iterable<SourceRecord>;
  /** Earlier import of the same file, read the same way: its rows are copied, and the records are empty. */
  before?: number;
  /** Hash of reader and options; '' for records that were no file. */
  readAs?: string;
  /** One of these with row 0 refuses the whole upload. */
  refused: Remark[];
  /** Read despite another notation. */
  forgiven: Remark[];
  /** Read as written, but probably unintended. */
  doubted: Remark[];
  /** For a single list: its columns, to be shown, corrected and remembered. */
  list?: ListPreview;
};

/** True if nothing can be used: unreadable, or not the format it claims. */
export const isWhollyRefused = ({ kinds: spoken, refused }: Pick<ParsedUpload, 'kinds' | 'refused'>): boolean =>
  refused.some(({ row }) => row === 0) || (spoken.length === 0 && refused.length > 0);
