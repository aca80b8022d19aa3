/** Returns the records of a kind to export. May be called several times for a kind, for instance to look up names. */
import type { Kind, SourceRecord } from '../source-record.ts';

export type Records = (kind: Kind) => Iterable<SourceRecord> | AsyncIterable<SourceRecord>;
