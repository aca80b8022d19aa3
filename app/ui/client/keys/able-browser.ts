/**
 * Whether client JS may take this page over: where it would fail half way, in browsers before those that it is written
 * and tested for, the page is a better one as it came. Chrome says yes from 105 on, Safari from 16, Firefox from 110.
 * In all others the page becomes what it is without client JS.
 */
export function isAbleBrowser(): boolean {
  const isAble = CSS.supports('container-type', 'inline-size');
  if (!isAble) for (const unread of document.querySelectorAll('noscript')) unread.outerHTML = unread.textContent;
  return isAble;
}
