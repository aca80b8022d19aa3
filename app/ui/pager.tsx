/**
 * Pager: previous page, page numbers, next page, and a field to jump to a page. Made of links and a GET form, or of
 * buttons of the form around it.
 */
import { Button, Input, Pagination } from '@mantine/core';
import { useId } from 'react';
import { AddressForm } from './address-form.tsx';
import { cachedHtml } from './cached-html.tsx';
import styles from './pager.module.css';

interface Pages {
  page: number;
  limit: number;
  total: number;
}

interface PagerProps extends Pages {
  href: (page: number) => string;
}

/** Links to pages. Their HTML is cached, like filter forms. */
export function Pager({ href, ...pages }: PagerProps) {
  const id = useId();
  const { here, last } = placeIn(pages);
  const html = last > 1 ? linksHtml({ id, here, last, first: href(1), second: href(2) }) : '';
  return (
    <nav
      className={`${styles.pager} no-print`}
      aria-label="分页"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by React.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

interface LinksProps extends Place {
  id: string;
  /** Addresses of pages 1 and 2. Every other address differs from page 2's in the number. */
  first: string;
  second: string;
}

function Links({ here, last, first, second }: LinksProps) {
  const hrefOf = (page: number) => (page === 1 ? first : second.replace(/\bpage=2\b/, `page=${page}`));
  return (
    <>
      <Controls here={here} last={last} lead={(page) => ({ component: 'a', href: hrefOf(page) })} />
      <AddressForm href={first} className={styles.jump}>
        <JumpField name="page" here={here} last={last} />
        <Button type="submit" variant="default">
          跳转
        </Button>
      </AddressForm>
    </>
  );
}

const linksHtml = cachedHtml(Links);

/**
 * Pager whose buttons submit the form around it (with `page`, or `jump` and `go`), so that ticks of this page are kept.
 */
export function FormPager(pages: Pages) {
  const { here, last } = placeIn(pages);
  return (
    <fieldset className={styles.pager} aria-label="分页">
      <span className={styles.total}>共 {pages.total} 条</span>
      {last > 1 && (
        <>
          <Controls here={here} last={last} lead={(page) => ({ type: 'submit', name: 'page', value: page })} />
          <div className={styles.jump}>
            <JumpField key={here} name="jump" here={here} last={last} />
            <Button type="submit" variant="default" name="go" value="1">
              跳转
            </Button>
          </div>
        </>
      )}
    </fieldset>
  );
}

function placeIn({ page, limit, total }: Pages) {
  const last = Math.max(1, Math.ceil(total / limit));
  return { here: Math.min(page, last), last };
}

interface Place {
  here: number;
  last: number;
}

function Controls({ here, last, lead }: Place & { lead: (page: number) => Record<string, unknown> }) {
  const edge = (page: number, rel: 'prev' | 'next') => ({
    ...(page >= 1 && page <= last && { ...lead(page), rel }),
    withPadding: true,
  });
  return (
    <Pagination
      total={last}
      value={here}
      siblings={2}
      gap={6}
      getItemProps={(page) => ({ ...lead(page), 'aria-label': `第 ${page} 页` })}
      getControlProps={(control) => (control === 'previous' ? edge(here - 1, 'prev') : edge(here + 1, 'next'))}
      previousIcon={() => '上一页'}
      nextIcon={() => '下一页'}
    />
  );
}

function JumpField({ name, here, last }: Place & { name: string }) {
  const id = useId();
  return (
    <label htmlFor={id}>
      前往
      <Input id={id} name={name} type="number" min={1} max={last} defaultValue={here} />页
    </label>
  );
}
