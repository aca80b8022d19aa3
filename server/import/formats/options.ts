/** Options for reading an upload. */
import type { Kind, Mapping } from '../source-record.ts';

/** True if an earlier upload of the source had this record; a delta may then omit what it is. */
export type IsKnownRecord = (kind: Extract<Kind, 'staff' | 'student' | 'class_course'>, sourceId: string) => boolean;

export interface Holidays {
  closed: Iterable<string>;
  worked: ReadonlyMap<string, number>;
}

export interface ReadOptions {
  /** Strict: follow the standard and forgive nothing. */
  strict?: boolean;
  source?: string;
  /** Assigned columns of a single list; guessed if omitted. */
  mapping?: Mapping;
  /** Columns assigned for the source's previous list; preferred to guesses. */
  remembered?: Mapping;
  /** Bulk: records missing from the file have left. OneRoster packages say it themselves. */
  mode?: 'bulk' | 'delta';
  timeZone?: string;
  /** Names of the schools, to notice a list of another school. Loaded only for lists with a title. */
  schools?: () => Promise<string[]>;
  /** Loaded only for packages that name just the changes of a person. */
  known?: () => Promise<IsKnownRecord>;
  /** Holidays, and make-up days with the weekday they follow. */
  holidays?: () => Promise<Holidays>;
}

export const defaultTimeZone = 'Asia/Shanghai';
