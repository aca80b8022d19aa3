/** Previous, pages, next, and a jump to a page: links and one GET form, or buttons of the form around them. */
import { Fragment, type ReactNode } from 'react';
import { AddressForm } from './address-form.tsx';
import styles from './pager.module.css';

interface Pages {
  page: number;
  limit: number;
  total: number;
}

interface PagerProps extends Pages {
  /** The address of a page of the same list. */
  href: (page: number) => string;
}

export function Pager({ href, ...pages }: PagerProps) {
  const { here, last } = placeIn(pages);
  return (
    <nav className={`${styles.pager} no-print`} aria-label="分页">
      <PageLinks {...pages} leadTo={({ page, ...link }) => <a {...link} href={href(page)} />} />
      {last > 1 && (
        <AddressForm href={href(1)} className={styles.jump}>
          <JumpField name="page" here={here} last={last} />
          <button type="submit">跳转</button>
        </AddressForm>
      )}
    </nav>
  );
}

/** Its buttons send `page`, or `jump` with `go`, with the form around it: what is ticked on this page goes along. */
export function FormPager(pages: Pages) {
  const { here, last } = placeIn(pages);
  return (
    <fieldset className={styles.pager} aria-label="分页">
      <span className={styles.total}>共 {pages.total} 条</span>
      <PageLinks
        {...pages}
        leadTo={({ page, rel: _rel, ...button }) => <button {...button} type="submit" name="page" value={page} />}
      />
      {last > 1 && (
        <div className={styles.jump}>
          <JumpField key={here} name="jump" here={here} last={last} />
          <button type="submit" name="go" value="1">
            跳转
          </button>
        </div>
      )}
    </fieldset>
  );
}

function placeIn({ page, limit, total }: Pages) {
  const last = Math.max(1, Math.ceil(total / limit));
  return { here: Math.min(page, last), last };
}

interface PageLink {
  page: number;
  children: ReactNode;
  rel?: 'prev' | 'next';
  'aria-current'?: 'page' | undefined;
  'aria-label'?: string;
}

function PageLinks({ leadTo, ...pages }: Pages & { leadTo: (link: PageLink) => ReactNode }) {
  const { here, last } = placeIn(pages);
  const nowhere = (words: string) => <span aria-disabled="true">{words}</span>;
  return (
    <>
      {last > 1 && (
        <>
          {here > 1 ? leadTo({ page: here - 1, rel: 'prev', children: '上一页' }) : nowhere('上一页')}
          {pagesToShow(here, last).map((page, index) =>
            page === undefined ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no number of its own.
              <span key={`gap${index}`} className={styles.gap}>
                …
              </span>
            ) : (
              <Fragment key={page}>
                {leadTo({
                  page,
                  'aria-current': page === here ? 'page' : undefined,
                  'aria-label': `第 ${page} 页`,
                  children: page,
                })}
              </Fragment>
            ),
          )}
          {here < last ? leadTo({ page: here + 1, rel: 'next', children: '下一页' }) : nowhere('下一页')}
        </>
      )}
    </>
  );
}

function JumpField({ name, here, last }: { name: string; here: number; last: number }) {
  return (
    <label>
      前往
      <input name={name} type="number" min={1} max={last} defaultValue={here} />页
    </label>
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
