import { redirect } from 'react-router';

/** The last page of a list may have been emptied by deleting: then the one before it is shown. */
export function redirectToLastPage(
  list: { total: number; page: number; limit: number },
  href: (page: number) => string,
): void {
  const last = Math.max(1, Math.ceil(list.total / list.limit));
  if (list.page > last) throw redirect(href(last));
}
