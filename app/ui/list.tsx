/** A list: filters, total, rows as a table or in another form, texts for an empty list, pager. */
import type { ReactNode } from 'react';
import type { Page } from '#server/platform/calls/rules.ts';
import type { ListView } from '../lib/list-view.ts';
import { Empty } from './empty.tsx';
import { FilterForm, FilterLinks, type Filters } from './filter-form.tsx';
import styles from './list.module.css';
import { type Column, ListTable } from './list-table.tsx';
import { Pager } from './pager.tsx';

interface FrameProps<Row> {
  /** View of the list at the current address, such as `useAddress(examList)`. */
  view: ListView;
  result: Page<Row>;
  /** Actions on the whole list, shown beside its filters. */
  actions?: ReactNode;
  /** Shown between filters and rows. */
  above?: ReactNode;
  /** Wraps the rows, such as in the form that their buttons submit. */
  around?: (rows: ReactNode) => ReactNode;
  /** Shown if there are no rows although no filter is set. */
  nothing: ReactNode;
  /** Button below the text `nothing` for the first step, such as adding a record, if the user may take it. */
  next?: ReactNode;
}

interface FilteredProps {
  filters: Filters | undefined;
  /** Shown if no row matches the filter, with a link to reset the filter. If undefined, `nothing` is shown. */
  nothingFound: ReactNode;
}

interface UnfilteredProps {
  filters?: undefined;
  nothingFound?: undefined;
}

interface TableProps<Row> {
  body?: undefined;
  caption: string;
  /** Columns of the table. False leaves a column out. */
  columns: (Column<Row> | false)[];
  rowKey?: (row: Row) => number | string;
  /** Renders details that unfold below a row. */
  details?: (row: Row) => ReactNode;
  /**
   * True if cells open something over the table. The table then never scrolls, and its columns must fit into 1024 px.
   */
  overlaid?: boolean;
}

interface BodyProps<Row> {
  /** Renders rows that are not a table, such as cards. */
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
  // A table always shows its total, other lists only if they have several pages.
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
