/** A list: its filters, how many there are, its rows as a table or otherwise, what it says without rows, and its pager. */
import type { ReactNode } from 'react';
import type { Page } from '#server/platform/calls/rules.ts';
import type { ListView } from '../lib/list-view.ts';
import { Empty } from './empty.tsx';
import { FilterForm, FilterLinks, type Filters } from './filter-form.tsx';
import styles from './list.module.css';
import { type Column, ListTable } from './list-table.tsx';
import { Pager } from './pager.tsx';

interface FrameProps<Row> {
  /** As the address shows it: `useAddress(examList)`. */
  view: ListView;
  /** What the call answered. */
  result: Page<Row>;
  /** What can be done with the list, beside its filters. */
  actions?: ReactNode;
  /** Between the filters and the rows. */
  above?: ReactNode;
  /** What the rows stand in, such as the form that their buttons submit. */
  around?: (rows: ReactNode) => ReactNode;
  /** Without rows and without a filter. */
  nothing: ReactNode;
  /** What to do then, where the person may: a button. */
  next?: ReactNode;
}

interface FilteredProps {
  filters: Filters | undefined;
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
  const { view, result, filters, actions, above, around = (rows) => rows, nothing, next, nothingFound } = props;
  const empty =
    view.isFiltered && nothingFound !== undefined ? (
      <>
        {nothingFound}，<a href={view.reset}>清除筛选</a>
      </>
    ) : (
      <>
        {nothing}
        {next && <span className={styles.next}>{next}</span>}
      </>
    );
  // A table says how many rows it has; what is none does where there are several pages.
  const hasPages = result.total > result.limit;
  const total = (!props.body || hasPages) && <span className={styles.total}>共 {result.total} 条</span>;
  return (
    <>
      {(filters || total || actions) && (
        <div className={styles.bar}>
          {filters && <FilterForm view={view} filters={filters} />}
          {total}
          {actions && <div className={`${styles.actions} no-print`}>{actions}</div>}
        </div>
      )}
      {filters && <FilterLinks view={view} filters={filters} />}
      {above}
      {around(<Rows {...props} empty={empty} />)}
      {hasPages && <Pager {...result} href={view.page} />}
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
