import type { Remarks } from './diagnostics.ts';
import type { FileName } from './oneroster-format.ts';
import type { PackedRows } from './rows.ts';

export type Mode = 'bulk' | 'delta';

/** A parsed file; cells in the order of `names`, normalised to the standard's notation. */
export interface RosterTable {
  file: FileName;
  /** File name in the package. */
  shown: string;
  mode: Mode;
  names: readonly string[];
  rows: PackedRows;
  /** Row by id, refused rows too, so that references to them resolve. */
  ids: Map<string, number>;
  /** The file could not be read. */
  isRefused: boolean;
}

export interface RosterRecord {
  row: number;
  id: string;
  isGone: boolean;
  /** '' if empty. */
  get(name: string): string;
}

export interface RosterPackage {
  tables: Map<FileName, RosterTable>;
  /** Refuses the whole package: missing rows would look like departures. */
  isRefused: boolean;
  hasOlderUsers: boolean;
}

export function* recordsOf(table: RosterTable | undefined, remarks: Remarks): Generator<RosterRecord> {
  if (!table) return;
  const places = new Map(table.names.map((name, index) => [name, index]));
  for (const packed of table.rows) {
    const { row } = packed;
    if (remarks.isRefused({ file: table.shown, row })) continue;
    const get = (name: string): string => packed.cell(places.get(name) ?? -1);
    yield { row, id: packed.cell(0), isGone: packed.cell(1) === 'tobedeleted', get };
  }
}
