/** How an upload is to be read. */
import type { Kind, Mapping } from '../source-record.ts';

/** Whether an earlier upload of the same source had such a record: what changes of it need not say what it is. */
export type Known = (kind: Extract<Kind, 'staff' | 'student' | 'class_course'>, sourceId: string) => boolean;

export interface Holidays {
  closed: Iterable<string>;
  worked: ReadonlyMap<string, number>;
}

export interface ReadOptions {
  /** As the standard says, without forgiving. */
  strict?: boolean;
  source?: string;
  /** Of a single list: which column is what. Without, it is guessed. */
  mapping?: Mapping;
  /** What was said of an earlier list of the same source. It goes before what is guessed. */
  remembered?: Mapping;
  /** Whether whoever is left out has left. Of OneRoster the package says so. */
  mode?: 'bulk' | 'delta';
  /** The school's. */
  timeZone?: string;
  /** Asked for where a package says of somebody only what has changed. */
  known?: () => Promise<Known>;
  /** Days without lessons, and those on which another weekday's are held. */
  holidays?: () => Promise<Holidays>;
}

export const schoolTimeZone = 'Asia/Shanghai';
