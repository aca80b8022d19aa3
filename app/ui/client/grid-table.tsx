/**
 * A list as a grid that fills the screen. Its columns can be hidden, reordered, pinned and resized; a cookie keeps
 * these settings. It takes the same columns as the list table.
 */
import { Menu } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import {
  MantineReactTable,
  type MRT_ColumnDef,
  type MRT_ColumnOrderState,
  type MRT_ColumnPinningState,
  type MRT_ColumnSizingState,
  type MRT_RowData,
  type MRT_VisibilityState,
  useMantineReactTable,
} from 'mantine-react-table';
import { MRT_Localization_ZH_HANS } from 'mantine-react-table/locales/zh-Hans/index.esm.mjs';
import { type ReactNode, useEffect, useState } from 'react';
import './grid-table.script.css';
import type { Sorting } from '../../lib/list-view.ts';
import { type Column, type GridColumn, HeaderContent } from '../list-table.tsx';
import { readArrangement, rememberArrangement } from './grid-arrangement.ts';

interface GridTableProps<Row extends MRT_RowData> {
  caption: string;
  name: string;
  columns: GridColumn<Row>[];
  rows: Row[];
  rowKey: (row: Row) => number | string;
  sorting?: Sorting;
  /** Renders details that unfold below a row. */
  details?: (row: Row) => ReactNode;
  empty: string;
}

export function GridTable<Row extends MRT_RowData>(props: GridTableProps<Row>) {
  const { caption, name, columns, rows, rowKey, sorting, details, empty } = props;
  const [kept] = useState(() => readArrangement(name));
  const [columnVisibility, onColumnVisibilityChange] = useState<MRT_VisibilityState>(kept.hidden);
  const [columnOrder, onColumnOrderChange] = useState<MRT_ColumnOrderState>(
    completeOrder(kept.order, columns, details !== undefined),
  );
  const [columnPinning, onColumnPinningChange] = useState<MRT_ColumnPinningState>(kept.pinned);
  const [columnSizing, onColumnSizingChange] = useState<MRT_ColumnSizingState>(kept.sizes);
  useEffect(() => {
    rememberArrangement(name, {
      hidden: columnVisibility,
      order: columnOrder,
      pinned: columnPinning,
      sizes: columnSizing,
    });
  }, [name, columnVisibility, columnOrder, columnPinning, columnSizing]);

  const table = useMantineReactTable<Row>({
    columns: columns.map((column) => gridColumn(column, sorting)),
    data: rows,
    getRowId: (row) => String(rowKey(row)),
    localization: { ...MRT_Localization_ZH_HANS, noRecordsToDisplay: empty },
    // The server sorts, filters and pages the rows, as the address says.
    enableSorting: false,
    enableColumnFilters: false,
    enableGlobalFilter: false,
    enablePagination: false,
    enableBottomToolbar: false,
    enableColumnOrdering: true,
    // Columns are moved by a menu: drag handles would leave no room for the header text.
    enableColumnDragging: false,
    enableColumnPinning: true,
    enableColumnResizing: true,
    enableHiding: true,
    enableFullScreenToggle: true,
    enableDensityToggle: false,
    columnResizeMode: 'onEnd',
    ...(details ? { renderDetailPanel: ({ row }) => details(row.original) } : {}),
    state: { columnVisibility, columnOrder, columnPinning, columnSizing },
    onColumnVisibilityChange,
    onColumnOrderChange,
    onColumnPinningChange,
    onColumnSizingChange,
    initialState: { density: 'xs' },
    displayColumnDefOptions: { 'mrt-row-spacer': { Header: () => <span className="visually-hidden">空白列</span> } },
    renderColumnActionsMenuItems: ({ column, internalColumnMenuItems }) => (
      <>
        <Menu.Item
          leftSection={<IconArrowLeft />}
          onClick={() => onColumnOrderChange((order) => moveColumn(order, column.id, -1))}
        >
          左移一列
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowRight />}
          onClick={() => onColumnOrderChange((order) => moveColumn(order, column.id, 1))}
        >
          右移一列
        </Menu.Item>
        <Menu.Divider />
        {internalColumnMenuItems}
      </>
    ),
    mantineTableProps: { 'aria-label': caption },
    // Chinese label, because the library's own is English.
    mantineProgressProps: { 'aria-label': '加载中', value: 100 },
  });
  return <MantineReactTable table={table} />;
}

/** Initial width of a column in pixels. The header fits with sort button, hint and menu. */
function widthOf({ minWidth, sortField, hint, nowrap }: Omit<Column<never>, 'cell'>): number {
  if (minWidth) return Math.max(110, minWidth + 60);
  if (sortField) return 160;
  return hint ? 140 : nowrap ? 130 : 110;
}

function gridColumn<Row extends MRT_RowData>(
  column: GridColumn<Row>,
  sorting: Sorting | undefined,
): MRT_ColumnDef<Row> {
  // A hint opens over the table, so its cell must not clip it.
  const style = { overflow: 'visible', whiteSpace: 'normal' };
  return {
    id: column.key,
    header: column.header,
    accessorFn: () => null,
    size: widthOf(column),
    minSize: 60,
    Header: () => (
      <div>
        <HeaderContent column={column} sorting={sorting} />
      </div>
    ),
    Cell: ({ row }) => column.cell(row.original),
    mantineTableHeadCellProps: { style },
    mantineTableBodyCellProps: { style, ...(column.align ? { align: column.align } : {}) },
  };
}

/** Returns the order with one column moved left or right. */
function moveColumn(order: string[], key: string, by: 1 | -1): string[] {
  const from = order.indexOf(key);
  const to = from + by;
  const other = order[to];
  if (from < 0 || other === undefined) return order;
  const next = [...order];
  next[from] = other;
  next[to] = key;
  return next;
}

/** Returns the stored order of the columns, with new columns appended. */
function completeOrder(order: string[], columns: readonly { key: string }[], detailed: boolean): string[] {
  const all = [...(detailed ? ['mrt-row-expand'] : []), ...columns.map(({ key }) => key)];
  const known = order.filter((key) => all.includes(key));
  return [...known, ...all.filter((key) => !known.includes(key))];
}
