import { redirect } from 'react-router';

/** The same address with another page. */
export const pageOf =
  ({ pathname, searchParams }: URL) =>
  (page: number): string => {
    const params = new URLSearchParams(searchParams);
    params.set('page', String(page));
    return `${pathname}?${params}`;
  };

/**
 * The last page of a list may have been emptied, by deleting or because others decided, or an old address names a page
 * that is gone: then the last one that there is is shown, not an empty list.
 */
export function redirectToLastPage(
  list: { total: number; page: number; limit: number },
  href: (page: number) => string,
): void {
  const last = Math.max(1, Math.ceil(list.total / list.limit));
  if (list.page > last) throw redirect(href(last));
}
