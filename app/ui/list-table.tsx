/** A list as a native table, without client JS. */
import { Fragment, type ReactNode, useId } from 'react';
import type { Sorting } from '../lib/list-view.ts';
import { Hint } from './hint.tsx';
import styles from './list-table.module.css';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  /** Explanation of the header, shown on hover and focus. */
  hint?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Set for numbers. */
  align?: 'right';
  /** True to keep the text on one line. */
  nowrap?: boolean;
  /** Minimum width in pixels. In a narrow window the column may be narrower. */
  minWidth?: number;
  /**
   * Role of the cell on a phone, where a row is a card. `name`: title of the card, with the actions beside it (by
   * default the first column). `lead`: before the title. `bare`: without a label. `line`: on a line of its own.
   * `hidden`: left out, to keep cards short.
   */
  phone?: 'name' | 'lead' | 'bare' | 'line' | 'hidden';
  /** Name of the sort field in the call. */
  sortField?: string;
  /** Order after the first click. Default: descending. */
  sortFirst?: 'asc' | 'desc';
}

/** A column whose header is plain text, as the menus of the grid need it. */
export type GridColumn<Row> = Column<Row> & { header: string };

interface ListTableProps<Row> {
  /** Table caption for screen readers. */
  caption: string;
  /** Columns. False leaves a column out. */
  columns: (Column<Row> | false)[];
  rows: Row[];
  rowKey: (row: Row) => number | string;
  sorting?: Sorting | undefined;
  empty: ReactNode;
  /** Renders details that unfold below a row. */
  details?: ((row: Row) => ReactNode) | undefined;
  /**
   * True if cells open something over the table. The table then never scrolls, and its columns must fit into 1024 px.
   */
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

/** Keys of checkbox columns. The column after such a column has the name. */
const ticks = ['choose', 'pick', 'select'];

/**
 * Returns the CSS that labels each cell with its column, for cards on a phone. Once per table: labels in each cell
 * would make the page a tenth larger.
 */
function cards<Row>(id: string, columns: readonly Column<Row>[]): string {
  const phoneColumn = columns.findIndex(({ phone }) => phone === 'name');
  const name = phoneColumn >= 0 ? phoneColumn : ticks.includes(columns[0]?.key ?? '') ? 1 : 0;
  const rules = columns.flatMap(({ key, header, phone }, place) => {
    const cell = `#${id}>tbody>tr>td:nth-child(${place + 1})`;
    if (place === name) return [`${cell}{flex:1 1 50%;order:-2;font-size:15px}`];
    if (phone === 'hidden') return [`${cell}{display:none}`];
    if (phone === 'lead') return [`${cell}{flex:none;order:-3}`];
    const names =
      key !== 'actions' && !ticks.includes(key) && phone !== 'bare' && typeof header === 'string' && header !== '';
    return [
      ...(names ? [`${cell}::before{content:${cssString(`${header} `)}}`] : []),
      ...(phone === 'line' ? [`${cell}{flex:1 0 100%}`] : []),
    ];
  });
  return `@media(max-width:699px){${rules.join('')}}`;
}

const cssString = (text: string) =>
  `"${text.replaceAll(/["\\<\n]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;

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

/** Header text with sort link and hint. */
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
  // Clicks go from the first order to the other one, and then to unsorted.
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
