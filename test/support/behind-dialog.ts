import { parseHTML } from 'linkedom';

/** Lists controls and links outside a page's open dialog that can still be reached. Empty if no dialog is open. */
export function inReachBeside(html: string): string[] {
  if (!html.includes('<dialog open')) return [];
  const { document } = parseHTML(html);
  return [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
    .filter((element) => !element.closest('dialog, [inert], template'))
    .map((element) => element.outerHTML.slice(0, 120));
}
