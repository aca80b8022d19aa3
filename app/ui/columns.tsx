/** Columns that many lists have, in a line each. */
import type { ReactElement, ReactNode } from 'react';
import styles from './columns.module.css';
import type { Column, GridColumn } from './list-table.tsx';
import { RowAction, type RowActionProps } from './row-action.tsx';

type More<Row> = Partial<Omit<Column<Row>, 'key' | 'header' | 'cell'>>;

export function numberColumn<Row>(
  key: string,
  header: string,
  cell: (row: Row) => ReactNode,
  more?: More<Row>,
): GridColumn<Row> {
  return { key, header, align: 'right', cell, ...more };
}

export function mobileColumn<Row extends { mobile: string }>(): GridColumn<Row> {
  return { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' };
}

/**
 * What can be done with a row: what is not offered is left out, what is more than a word brings its own element. With a
 * `minWidth` the actions may stand below each other on a tablet; `none` is what stands where nothing can be done.
 */
export function actionsColumn<Row>(
  actions: (row: Row) => (RowActionProps | ReactElement | false)[],
  { none = '-', ...more }: More<Row> & { none?: string } = {},
): GridColumn<Row> {
  return {
    key: 'actions',
    header: '操作',
    cell: (row) => {
      const offered = actions(row).filter((action) => action !== false);
      if (offered.length === 0) return none;
      return (
        <div className={more.minWidth ? `${styles.actions} ${styles.wrapping}` : styles.actions}>
          {offered.map((action) => ('label' in action ? <RowAction key={action.label} {...action} /> : action))}
        </div>
      );
    },
    ...more,
  };
}
