/** A list: its filters, its rows as a table or otherwise, what it says without rows, and its pager. */
import type { ReactNode } from 'react';
import type { Page } from '#server/platform/calls/fields.ts';
import type { ListView } from '../lib/list-view.ts';
import { FilterForm } from './filter-form.tsx';
import { type Column, ListTable } from './list-table.tsx';
import { Pager } from './pager.tsx';

interface FrameProps<Row> {
  /** As the address shows it: `useAddress(examList)`. */
  view: ListView;
  /** What the call answered. */
  result: Page<Row>;
  /** The fields of the filter form. */
  filters?: ReactNode;
  /** Between the filters and the rows. */
  above?: ReactNode;
  /** What the table stands in, such as the form that its buttons submit. */
  around?: (table: ReactNode) => ReactNode;
  /** Without rows and without a filter. */
  nothing: ReactNode;
  /** Without rows that the filter leaves; the way to the list without it follows. */
  nothingFound?: ReactNode;
}

interface TableProps<Row> {
  body?: undefined;
  /** Says what the list holds, for those who do not see it. */
  caption: string;
  columns: Column<Row>[];
  rowKey?: (row: Row) => number | string;
  /** More about a row, opened under it. */
  details?: (row: Row) => ReactNode;
  /** Cells show something over the table: it never scrolls, so its columns must fit into 1024 px. */
  overlaid?: boolean;
}

interface BodyProps<Row> {
  /** The rows where they are no table, such as cards; `empty` is what stands instead of them. */
  body: (rows: Row[], empty: ReactNode) => ReactNode;
}

type ListProps<Row> = FrameProps<Row> & (TableProps<Row> | BodyProps<Row>);

const idOf = (row: unknown) => (row as { id: number | string }).id;

export function List<Row>(props: ListProps<Row>) {
  const { view, result, filters, above, around = (table) => table, nothing, nothingFound } = props;
  const found = view.isFiltered && nothingFound !== undefined;
  const empty = found ? (
    <>
      {nothingFound}，<a href={view.reset}>清除筛选</a>
    </>
  ) : (
    nothing
  );
  return (
    <>
      {filters && (
        <FilterForm action={view.pathname} keep={view.kept} resetHref={view.reset}>
          {filters}
        </FilterForm>
      )}
      {above}
      {props.body
        ? props.body(result.list, empty)
        : around(<ListTable rowKey={idOf} {...props} rows={result.list} sorting={view.sorting} empty={empty} />)}
      <Pager {...result} href={view.page} />
    </>
  );
}
