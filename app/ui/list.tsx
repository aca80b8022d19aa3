/** A list: its filters, its rows as a table or otherwise, what it says without rows, and its pager. */
import type { ReactNode } from 'react';
import type { Page } from '#server/platform/calls/rules.ts';
import type { ListView } from '../lib/list-view.ts';
import { Empty } from './empty.tsx';
import { FilterForm } from './filter-form.tsx';
import { type Column, ListTable } from './list-table.tsx';
import { Pager } from './pager.tsx';

interface FrameProps<Row> {
  /** As the address shows it: `useAddress(examList)`. */
  view: ListView;
  /** What the call answered. */
  result: Page<Row>;
  /** Between the filters and the rows. */
  above?: ReactNode;
  /** What the rows stand in, such as the form that their buttons submit. */
  around?: (rows: ReactNode) => ReactNode;
  /** Without rows and without a filter. */
  nothing: ReactNode;
}

interface FilteredProps {
  /** The fields of the filter form. */
  filters: ReactNode;
  /** Without rows that the filter leaves; the way to the list without it follows. Undefined: as without a filter. */
  nothingFound: ReactNode;
}

interface UnfilteredProps {
  filters?: undefined;
  nothingFound?: undefined;
}

interface TableProps<Row> {
  body?: undefined;
  /** Says what the list holds, for those who do not see it. */
  caption: string;
  /** Those that are not offered are false. */
  columns: (Column<Row> | false)[];
  rowKey?: (row: Row) => number | string;
  /** More about a row, opened under it. */
  details?: (row: Row) => ReactNode;
  /** Cells show something over the table: it never scrolls, so its columns must fit into 1024 px. */
  overlaid?: boolean;
}

interface BodyProps<Row> {
  /** The rows where they are no table, such as cards. */
  body: (rows: Row[]) => ReactNode;
}

type ListProps<Row> = FrameProps<Row> & (FilteredProps | UnfilteredProps) & (TableProps<Row> | BodyProps<Row>);

const idOf = (row: unknown) => (row as { id: number | string }).id;

export function List<Row>(props: ListProps<Row>) {
  const { view, result, filters, above, around = (rows) => rows, nothing, nothingFound } = props;
  const empty =
    view.isFiltered && nothingFound !== undefined ? (
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
      {around(<Rows {...props} empty={empty} />)}
      {/* A table says how many rows it has; what is none has a pager where there are several pages. */}
      {(!props.body || result.total > result.limit) && <Pager {...result} href={view.page} />}
    </>
  );
}

function Rows<Row>({ empty, ...props }: ListProps<Row> & { empty: ReactNode }) {
  const { view, result } = props;
  if (props.body) return result.list.length > 0 ? props.body(result.list) : <Empty>{empty}</Empty>;
  const { caption, columns, rowKey = idOf, details, overlaid } = props;
  return (
    <ListTable
      caption={caption}
      columns={columns}
      rows={result.list}
      rowKey={rowKey}
      sorting={view.sorting}
      details={details}
      overlaid={overlaid}
      empty={empty}
    />
  );
}
