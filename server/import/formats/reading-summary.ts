/** Sums up the reading of a file for the command line. */
import type { ParsedUpload, Remark } from '../source-record.ts';
import { byteOrderMark } from './diagnostics.ts';

export interface ReadingSummary {
  verdict: 'ok' | 'warn' | 'err';
  faults: Remark[];
  /** Messages about values that were read despite their notation, or that are doubtful. */
  forgiven: Remark[];
}

export function summariseReading({
  refused,
  forgiven,
  doubted,
}: Pick<ParsedUpload, 'refused' | 'forgiven' | 'doubted'>): ReadingSummary {
  const notes = [...forgiven, ...doubted];
  const toLookAt = notes.some(({ message }) => message !== byteOrderMark);
  return { verdict: refused.length > 0 ? 'err' : toLookAt ? 'warn' : 'ok', faults: refused, forgiven: notes };
}
