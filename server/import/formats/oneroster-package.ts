import type { Remarks } from './diagnostics.ts';
import type { FileName } from './oneroster-format.ts';
import type { PackedRows } from './rows.ts';

export type TableMode = 'bulk' | 'delta';

/** A data file of a package, after reading. Cells are in the order of `names`, in the standard's notation. */
export interface RosterTable {
  file: FileName;
  /** Name of the file in the package. */
  shown: string;
  mode: TableMode;
  names: readonly string[];
  rows: PackedRows;
  /** Row number by id, including refused rows, so that references to these resolve. */
  ids: Map<string, number>;
  /** True if the file could not be read. */
  isRefused: boolean;
}

export interface RosterRecord {
  row: number;
  id: string;
  isGone: boolean;
  /** Returns a cell of the record; '' if it is empty. */
  get(name: string): string;
}

export interface RosterPackage {
  tables: Map<FileName, RosterTable>;
  /** True if the whole package is refused, because people in missing rows would seem to have left. */
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
