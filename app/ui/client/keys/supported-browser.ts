/**
 * True if client JS may run. It is written and tested for Chrome 105, Safari 16, Firefox 110 and later. In older
 * browsers it could fail half way, so there this shows the noscript content instead.
 */
export function isSupportedBrowser(): boolean {
  const isAble = CSS.supports('container-type', 'inline-size');
  if (!isAble) for (const unread of document.querySelectorAll('noscript')) unread.outerHTML = unread.textContent;
  return isAble;
}
