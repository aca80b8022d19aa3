/** Returns the records of a kind to export. May be called several times for a kind, for instance to look up names. */
import type { RecordKind, SourceRecord } from '../source-record.ts';

export type Records = (kind: RecordKind) => Iterable<SourceRecord> | AsyncIterable<SourceRecord>;
