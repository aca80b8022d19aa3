/** A list as a native table: no client JS, one pass on the server. */
import { Fragment, type ReactNode, useId } from 'react';
import type { Sorting } from '../lib/list-view.ts';
import { Hint } from './hint.tsx';
import styles from './list-table.module.css';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  /** What the header means, shown on hover and on focus. */
  hint?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers stand on the right, under each other. */
  align?: 'right';
  /** Stays on one line. */
  nowrap?: boolean;
  /** Pixels that the column keeps at least; fewer where the window is narrow. */
  minWidth?: number;
  /**
   * On a phone, where a row is a card: its name, which is the first column unless one says so, with its actions beside it,
   * and its facts in lines below. `lead`: before the name; `bare`: a fact that says by itself what it is; `line`: one in
   * a line of its own; `hidden`: the record's page has it, or the cards would be longer than anybody reads.
   */
  phone?: 'name' | 'lead' | 'bare' | 'line' | 'hidden';
  /** The column sorts by this field. */
  sortField?: string;
  /** The order of the first click; most first unless it says otherwise. */
  sortFirst?: 'asc' | 'desc';
}

/** A column that the grid can name in its menus as well. */
export type GridColumn<Row> = Column<Row> & { header: string };

interface ListTableProps<Row> {
  /** Says what the list holds, for those who do not see it. */
  caption: string;
  /** Those that are not offered are false. */
  columns: (Column<Row> | false)[];
  rows: Row[];
  rowKey: (row: Row) => number | string;
  sorting?: Sorting | undefined;
  /** Shown instead of rows. */
  empty: ReactNode;
  /** More about a row, opened under it. */
  details?: ((row: Row) => ReactNode) | undefined;
  /** Cells show something over the table: it never scrolls, so its columns must fit into 1024 px. */
  overlaid?: boolean | undefined;
}

export function ListTable<Row>({
  caption,
  columns: all,
  rows,
  rowKey,
  sorting,
  empty,
  details,
  overlaid,
}: ListTableProps<Row>) {
  const columns = all.filter((column) => column !== false);
  const id = useId();
  return (
    // A region that scrolls must be reachable by keyboard.
    <section
      className={overlaid ? styles.overlaid : styles.scroll}
      aria-label={caption}
      tabIndex={overlaid ? undefined : 0}
    >
      <style>{cards(id, columns)}</style>
      <table className={styles.table} id={id} data-ticks={ticks.includes(columns[0]?.key ?? '') || undefined}>
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
            <Fragment key={rowKey(row)}>
              <tr className={details ? styles.detailed : undefined}>
                {columns.map(({ key, cell, align, nowrap }) => (
                  <td
                    key={key}
                    data-align={align}
                    data-actions={key === 'actions' || undefined}
                    className={nowrap ? styles.nowrap : undefined}
                  >
                    {cell(row)}
                  </td>
                ))}
              </tr>
              {details && (
                <tr className={styles.details}>
                  <td colSpan={columns.length}>{details(row)}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <div className={styles.empty}>{empty}</div>}
    </section>
  );
}

/** Columns in which a row is chosen; the next one has its name. */
const ticks = ['choose', 'pick', 'select'];

/**
 * On a phone each row is a card, and each cell says by itself of which column it is. The columns are said once and not in
 * every cell, which would be a tenth of the page.
 */
function cards<Row>(id: string, columns: readonly Column<Row>[]): string {
  const said = columns.findIndex(({ phone }) => phone === 'name');
  const name = said >= 0 ? said : ticks.includes(columns[0]?.key ?? '') ? 1 : 0;
  const rules = columns.flatMap(({ key, header, phone }, place) => {
    const cell = `#${id}>tbody>tr>td:nth-child(${place + 1})`;
    if (place === name) return [`${cell}{flex:1 1 50%;order:-2;font-size:15px}`];
    if (phone === 'hidden') return [`${cell}{display:none}`];
    if (phone === 'lead') return [`${cell}{flex:none;order:-3}`];
    const names =
      key !== 'actions' && !ticks.includes(key) && phone !== 'bare' && typeof header === 'string' && header !== '';
    return [
      ...(names ? [`${cell}::before{content:${quoted(`${header} `)}}`] : []),
      ...(phone === 'line' ? [`${cell}{flex:1 0 100%}`] : []),
    ];
  });
  return `@media(max-width:699px){${rules.join('')}}`;
}

/** As a string of CSS, whatever is in it. */
const quoted = (text: string) => `"${text.replaceAll(/["\\<\n]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;

function HeaderCell<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { align, minWidth, sortField } = column;
  const style = minWidth ? { minWidth: `min(${minWidth}px,${Math.round(minWidth / 1.2) / 10}vw)` } : undefined;
  const isSorted = sortField !== undefined && sorting?.field === sortField;
  return (
    <th
      scope="col"
      data-align={align}
      data-actions={column.key === 'actions' || undefined}
      data-sorts={sortField && sorting ? true : undefined}
      style={style}
      aria-sort={isSorted ? (sorting.direction === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <HeaderContent column={column} sorting={sorting} />
    </th>
  );
}

/** The header's text with its order and its explanation. */
export function HeaderContent<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { key, header, hint, align, sortField, sortFirst = 'desc' } = column;
  const explained = hint && (
    <Hint id={`about-${key}`} label="说明" align={align === 'right' ? 'end' : 'start'} content={hint}>
      ⓘ
    </Hint>
  );
  if (!sortField || !sorting) {
    return (
      <>
        {header}
        {explained}
      </>
    );
  }
  const direction = sorting.field === sortField ? (sorting.direction ?? 'desc') : undefined;
  // Off, most first, least first, off; or least first before most first.
  const second = sortFirst === 'desc' ? 'asc' : 'desc';
  const next = direction === undefined ? sortFirst : direction === sortFirst ? second : undefined;
  const label = next === 'desc' ? '按降序排列' : next === 'asc' ? '按升序排列' : '取消排序';
  return (
    <>
      <a className={styles.sort} href={sorting.href(next && sortField, next)} title={label}>
        {header}
        <span aria-hidden="true" data-order={direction} />
      </a>
      {explained}
    </>
  );
}
