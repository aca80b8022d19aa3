import type { Mapping, RecordKind } from '../source-record.ts';

/** True if an earlier upload of the source contained this record; a delta may then leave out part of its data. */
export type IsKnownRecord = (
  kind: Extract<RecordKind, 'staff' | 'student' | 'class_course'>,
  sourceId: string,
) => boolean;

export interface Holidays {
  closed: Iterable<string>;
  worked: ReadonlyMap<string, number>;
  /** Years whose days are the days off by law alone. */
  yearsByLaw?: readonly number[];
}

export interface KnownClass {
  name: string;
  school: string;
}

/** Grades that new classes can belong to. */
export interface KnownGrades {
  names: readonly string[];
  /** True if the importer may add this grade. */
  mayAdd(name: string): boolean;
}

export interface ReadOptions {
  /** True: follows the standard exactly and forgives nothing. */
  strict?: boolean;
  source?: string;
  /** Columns that a person assigned for a single list; if omitted, they are guessed. */
  mapping?: Mapping;
  /** Columns that a person assigned for the source's previous list; they take precedence over guesses. */
  remembered?: Mapping;
  /** `bulk`: records that are missing from the file have left. A OneRoster package says its mode itself. */
  mode?: 'bulk' | 'delta';
  timeZone?: string;
  /**
   * Returns the names of our schools, to notice a list that is about another school. Called only for lists with a
   * title.
   */
  schools?: () => Promise<string[]>;
  /** Classes that have not ended, with the names of their schools. Loaded only to add those that do not exist. */
  classes?: () => Promise<KnownClass[]>;
  /** Returns the grades in use. Loaded only to add classes. */
  grades?: () => Promise<KnownGrades>;
  /** Returns which records earlier uploads had. Called only for packages that contain just changes of people. */
  known?: () => Promise<IsKnownRecord>;
  /** Returns the holidays, and the make-up workdays with the weekday whose lessons are held. */
  holidays?: () => Promise<Holidays>;
}

export const defaultTimeZone = 'Asia/Shanghai';
