/** What an upload speaks of, in the order in which records can be made: each refers to kinds before it only. */
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

/** Where a record stands in what was uploaded, so that a person finds it again: `row` counts from 1, heads included. */
export type Place = { file: string; row: number };

/** Something said of one place, in words for a school's office; `field` as it is written in the upload, '' for a whole row. */
export type Remark = Place & { field: string; message: string };

/**
 * Another record of the same upload or of an earlier one of the same source, named by the source's own id. `name`: what
 * the upload calls a record that it does not hold, which may be the id or the name of it.
 */
export type Reference = { kind: Kind; sourceId: string; name?: string };

export type Value = string | number | boolean | null | Reference | Reference[] | string[];

export const isReference = (value: Value | undefined): value is Reference =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Those of a list, or a single one. */
export const referencesIn = (value: Value | undefined): Reference[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is Reference => isReference(one));

/** A text or a number as it is written; '' of anything else. */
export const textOf = (value: Value | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * One record as a source says it should be, before it is held against what is stored.
 *
 * `fields` bear the names of the administrators' call that makes such a record. One that is absent leaves what is stored
 * as it is; null takes it away.
 */
export type SourceRecord = {
  kind: Kind;
  /** The source's id, one of its kind in the source; '' where the source has none (matched by name once confirmed). */
  sourceId: string;
  fields: Record<string, Value>;
  /** `gone`: the source says that it has ended (delta only). */
  state: 'active' | 'gone';
  place: Place;
};

/**
 * What the fields of each kind are. Those that end in `_id` are references, in `_ids` lists of them; `?` may be absent.
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

/** What each column of a single list is, by its head: a head of our own sheet; '' for one that is not read. */
export type Mapping = { kind: 'staff' | 'student'; columns: Record<string, string> };

/** A single list as a person is shown it, to say which column is what. */
export type ShownList = {
  /** As they are written, each once; 第1列 and so on where the list has none. */
  heads: string[];
  /** The first rows, long cells cut. */
  examples: string[][];
  mapping: Mapping;
  /** In which row the heads stand; 0: there are none. */
  headRow: number;
  /** Nobody has said of its columns what they are. */
  isGuessed: boolean;
};

/** An upload, read: what it wants, and what was said of its rows. Rows in `refused` are not in `intended`. */
export type Reading = {
  /** `bulk` names all there is of its kinds, so that what it leaves out has left; `delta` what changed. */
  mode: 'bulk' | 'delta';
  /** The kinds that it speaks of: only of these does a bulk upload end what it leaves out. */
  kinds: Kind[];
  intended: Iterable<SourceRecord>;
  /** The import of the same file that was read in the same way: its rows are this one's, and `intended` is empty. */
  before?: number;
  /** By what it was read; '' of what was no file. */
  readAs?: string;
  /** The whole upload is refused when one of these has row 0. */
  refused: Remark[];
  /** Read although written otherwise than it should be. */
  forgiven: Remark[];
  /** Read as written, and probably not meant. */
  doubted: Remark[];
  /** Of a single list: which of its columns was taken for what, to be shown, corrected and kept for the next one. */
  list?: ShownList;
};

/** Nothing of it can be taken: it could not be read, or is not what it says to be. */
export const isRefusedWhole = ({ kinds: spoken, refused }: Pick<Reading, 'kinds' | 'refused'>): boolean =>
  refused.some(({ row }) => row === 0) || (spoken.length === 0 && refused.length > 0);
