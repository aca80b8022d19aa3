/** Records to export, by kind. May be called several times for a kind, to look up names. */
import type { Kind, SourceRecord } from '../source-record.ts';

export type Records = (kind: Kind) => Iterable<SourceRecord> | AsyncIterable<SourceRecord>;
