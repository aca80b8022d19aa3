/** Previous, pages, next, total, and a jump to a page. All links and one GET form. */
import { AddressForm } from './address-form.tsx';
import styles from './pager.module.css';

interface PagerProps {
  page: number;
  limit: number;
  total: number;
  /** The address of a page of the same list. */
  href: (page: number) => string;
}

export function Pager({ page, limit, total, href }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / limit));
  const here = Math.min(page, last);
  return (
    <nav className={`${styles.pager} no-print`} aria-label="分页">
      <span className={styles.total}>共 {total} 条</span>
      {last > 1 && (
        <>
          {here > 1 ? (
            <a href={href(here - 1)} rel="prev">
              上一页
            </a>
          ) : (
            <span aria-disabled="true">上一页</span>
          )}
          {pagesToShow(here, last).map((number, index) =>
            number === undefined ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no number of its own.
              <span key={`gap${index}`} className={styles.gap}>
                …
              </span>
            ) : (
              <a
                key={number}
                href={href(number)}
                aria-current={number === here ? 'page' : undefined}
                aria-label={`第 ${number} 页`}
              >
                {number}
              </a>
            ),
          )}
          {here < last ? (
            <a href={href(here + 1)} rel="next">
              下一页
            </a>
          ) : (
            <span aria-disabled="true">下一页</span>
          )}
          <AddressForm href={href(1)} className={styles.jump}>
            <label>
              前往
              <input name="page" type="number" min={1} max={last} defaultValue={here} />页
            </label>
            <button type="submit">跳转</button>
          </AddressForm>
        </>
      )}
    </nav>
  );
}

/** First, last, and two on each side of the present page; undefined for a gap. */
export function pagesToShow(here: number, last: number): (number | undefined)[] {
  const shown: (number | undefined)[] = [];
  for (let number = 1; number <= last; number += 1) {
    if (number === 1 || number === last || Math.abs(number - here) <= 2) shown.push(number);
    else if (shown.at(-1) !== undefined) shown.push(undefined);
  }
  return shown;
}
