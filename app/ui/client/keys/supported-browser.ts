/**
 * True if client JS may run: from Chrome 105, Safari 16 and Firefox 110 on, which it is written and tested for. In
 * older browsers it could fail half way, so this shows the noscript content instead.
 */
export function isSupportedBrowser(): boolean {
  const isAble = CSS.supports('container-type', 'inline-size');
  if (!isAble) for (const unread of document.querySelectorAll('noscript')) unread.outerHTML = unread.textContent;
  return isAble;
}
