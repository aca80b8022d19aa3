/** Columns that many lists share. */
import type { ReactNode } from 'react';
import type { Column, GridColumn } from './list-table.tsx';
import { type RowActionProps, RowActions } from './row-action.tsx';

type ColumnOptions<Row> = Partial<Omit<Column<Row>, 'key' | 'header' | 'cell'>>;

export function numberColumn<Row>(
  key: string,
  header: string,
  cell: (row: Row) => ReactNode,
  more?: ColumnOptions<Row>,
): GridColumn<Row> {
  return { key, header, align: 'right', cell, ...more };
}

export function mobileColumn<Row extends { mobile: string }>(): GridColumn<Row> {
  return { key: 'mobile', header: '手机号', nowrap: true, phone: 'bare', cell: (row) => row.mobile || '-' };
}

/**
 * Column with the actions of a row. The first one is the primary action. False leaves an action out. `none` is shown if
 * a row has no actions.
 */
export function actionsColumn<Row>(
  actions: (row: Row) => (RowActionProps | false)[],
  { none = '-', ...more }: ColumnOptions<Row> & { none?: string } = {},
): GridColumn<Row> {
  return {
    key: 'actions',
    header: '操作',
    cell: (row) => {
      const offered = actions(row).filter((action) => action !== false);
      return offered.length === 0 ? none : <RowActions actions={offered} />;
    },
    ...more,
  };
}
