/** What is written, kind by kind; asked for more than once where others are to be called by name. */
import type { Kind, SourceRecord } from '../source-record.ts';

export type Records = (kind: Kind) => Iterable<SourceRecord> | AsyncIterable<SourceRecord>;
