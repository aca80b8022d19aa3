/** A list as a native table: no client JS, one pass on the server. */
import type { ReactNode } from 'react';
import styles from './list-table.module.css';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers stand on the right, under each other. */
  align?: 'right';
  /** Stays on one line. */
  nowrap?: boolean;
  /** Pixels that the column keeps at least. */
  minWidth?: number;
  /** The column sorts by this field. */
  sortField?: string;
}

export interface Sorting {
  field: string | undefined;
  direction: 'asc' | 'desc' | undefined;
  /** The address of the list in another order. */
  href: (field: string | undefined, direction: 'asc' | 'desc' | undefined) => string;
}

interface ListTableProps<Row> {
  /** Says what the list holds, for those who do not see it. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => number | string;
  sorting?: Sorting;
  /** Shown instead of rows. */
  empty: ReactNode;
  /** Cells show something over the table: it never scrolls, so its columns must fit into 1024 px. */
  overlaid?: boolean;
}

export function ListTable<Row>({ caption, columns, rows, rowKey, sorting, empty, overlaid }: ListTableProps<Row>) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <section
      className={overlaid ? styles.overlaid : styles.scroll}
      aria-label={caption}
      tabIndex={overlaid ? undefined : 0}
    >
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, cell, align, nowrap }) => (
                <td key={key} data-align={align} className={nowrap ? styles.nowrap : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <div className={styles.empty}>{empty}</div>}
    </section>
  );
}

function HeaderCell<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { header, align, minWidth, sortField } = column;
  const style = minWidth ? { minWidth } : undefined;
  if (!sortField || !sorting) {
    return (
      <th scope="col" data-align={align} style={style}>
        {header}
      </th>
    );
  }
  const direction = sorting.field === sortField ? (sorting.direction ?? 'desc') : undefined;
  // Off, most first, least first, off.
  const next = direction === undefined ? 'desc' : direction === 'desc' ? 'asc' : undefined;
  const label = next === 'desc' ? '按降序排列' : next === 'asc' ? '按升序排列' : '取消排序';
  return (
    <th
      scope="col"
      data-align={align}
      style={style}
      aria-sort={direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : undefined}
    >
      <a className={styles.sort} href={sorting.href(next && sortField, next)} title={label}>
        {header}
        <span aria-hidden="true">{direction === 'asc' ? '▲' : direction === 'desc' ? '▼' : '↕'}</span>
      </a>
    </th>
  );
}
