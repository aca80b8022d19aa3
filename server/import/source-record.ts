import type { ListIdentity, ListUsername } from './rules.ts';

/** Kinds of records in the order of dependency: each kind refers only to earlier ones. */
export const recordKinds = [
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
  'exam',
] as const;

export type RecordKind = (typeof recordKinds)[number];

/** Place in the upload, for messages to people. `row` counts from 1, including headings. */
export type Place = { file: string; row: number };

/**
 * A message about an upload, worded for a school's office. `field`: as the upload names it; '' if the message is about
 * the whole row.
 */
export type Remark = Place & { field: string; message: string };

/**
 * Refers by source id to a record of this upload, or of an earlier upload of the same source. `name`: the text in the
 * upload, an id or a name, if the upload does not contain the record.
 */
export type Reference = { kind: RecordKind; sourceId: string; name?: string };

export type Value = string | number | boolean | null | Reference | Reference[] | string[];

export const isReference = (value: Value | undefined): value is Reference =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the references in a value, which may be one reference or a list. */
export const referencesIn = (value: Value | undefined): Reference[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is Reference => isReference(one));

/** Returns a string or number as text; '' for anything else. */
export const textOf = (value: Value | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * A record as its source wants it, not compared with stored data yet. `fields` have the names of the administrators'
 * call that creates such a record. A missing field stays unchanged; null removes it.
 */
export type SourceRecord = {
  kind: RecordKind;
  /**
   * Id of the record, unique per kind and source; '' if the source has no ids. Then records are matched by name, which
   * a person confirms.
   */
  sourceId: string;
  fields: Record<string, Value>;
  /** `gone`: the source says that the record has ended; only in a delta. */
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
 * | course | title, course_type?, school_id?, classify_id?, grade_id?, subject_id?, parent_id?, introduction?, course_extend?, cover_of_id? (of a new one: whose cover it brings), own_class_id? (of a new one: its only class, which must exist) |
 * | period | course_id, title, chapter_title?, periods_type, lecturer_id?, start_play (seconds), minutes, advance_time? |
 * | class | name, school_id?, grade_id?, classify_id?, large_class_name?, valid_type?, valid_day?, term_ids? |
 * | group_class | name, class_type (3, 1), school_id?, grade_id?, classify_id?, lecturer_id?, subject_id?, room_id?, teaching_mode?, sign_type?, schedule?, remarks?, start_day? |
 * | class_course | class_id (class or group_class), course_id |
 * | class_staff | class_id (class or group_class), staff_id, duty (head, assistant) |
 * | membership | class_id (class or group_class), student_id, joined_at?, left_at? (seconds), left_reason?; of a group_class contracts_number?, sign_type?, remaining_lessons?, periods_price?, lesson_minutes? |
 * | group | class_id, course_id, group_name, staff_ids? |
 * | group_member | group_id, student_id |
 * | exam | name, introduce?, category_name?, pass_score? (points), limit_minutes?, attempts?, start_at?, end_at? (seconds), school_ids?, grade_ids? (of a new one: given to all classes of them), class_ids? |
 * | lesson | class_id (group_class), course_id, period_id?, chapter_title?, lecturer_id, room_id?, teaching_mode?, day, start, end (hh:mm) |
 */

/** How the columns of a list are read. */
export type Mapping = {
  kind: 'staff' | 'student';
  /** Meaning of each column, by its heading: a heading of our own workbook, or '' if the column is ignored. */
  columns: Record<string, string>;
  /** Class of each sheet of this file, for rows that name none; null if the sheet is not read. */
  classes?: Record<string, string | null>;
  /** Classes that a person confirmed, by the class that a list's title or sheet name tells; for further lists. */
  titledClasses?: Record<string, string>;
  /** True: classes that do not exist yet are added. Undefined: nobody has chosen. */
  newClasses?: boolean;
  /**
   * Class meant by a name that no class has, but a similar one: that class, or the name itself if a new class is added.
   * A name that is missing here waits for a person.
   */
  meantClasses?: Record<string, string>;
  /** School of the people whose row names none. */
  school?: string;
  /** Identity, and form of user names, for staff whose row does not say them; without these such rows are refused. */
  identity?: ListIdentity;
  username?: ListUsername;
};

/**
 * A sheet that contains a list; a text file has exactly one. `className` '': neither its name nor its title tells a
 * class. `titled`: the class that they tell, before a person changed it.
 */
export type ListSheet = { name: string; className: string; isRead: boolean; titled?: string };

/** A list of people, from one sheet or several, as the screen for assigning columns shows it. */
export type ListPreview = {
  /** Headings as written, each once; 第1列 and so on if the list has no headings. */
  heads: string[];
  /** The first rows, with long cells cut. */
  examples: string[][];
  mapping: Mapping;
  /** Row number of the headings; 0 if there are none. */
  headRow: number;
  /** True if the columns were guessed and nobody has confirmed them. */
  isGuessed: boolean;
  /** Previews that older versions stored have no sheets. */
  sheets?: ListSheet[];
  /** Names of classes as the list has them, each once, the first `maxClassNames`. */
  classNames?: string[];
};

/** An upload after reading: records and messages. Rows in `refused` give no records. */
export type ParsedUpload = {
  /** `bulk`: a complete list of its kinds, so that missing records have left. `delta`: only changes. */
  mode: 'bulk' | 'delta';
  /** Kinds that the upload covers; a bulk upload ends missing records of these kinds only. */
  kinds: RecordKind[];
  intended: Iterable<SourceRecord>;
  /** Earlier import of the same file, read in the same way: its rows are copied, and `intended` is empty. */
  before?: number;
  /** Hash of the reader's version and options; '' for records that did not come as a file. */
  readAs?: string;
  /** Messages about refused rows. One with row 0 refuses the whole upload. */
  refused: Remark[];
  /** Messages about values that were read despite their notation. */
  forgiven: Remark[];
  /** Messages about values that were read as written but are probably mistakes. */
  doubted: Remark[];
  /** For a single list: its columns, to be shown, corrected and remembered. */
  list?: ListPreview;
};

/** True if nothing of the upload can be used: unreadable, or not of the format that it claims. */
export const isWhollyRefused = ({ kinds: spoken, refused }: Pick<ParsedUpload, 'kinds' | 'refused'>): boolean =>
  refused.some(({ row }) => row === 0) || (spoken.length === 0 && refused.length > 0);
