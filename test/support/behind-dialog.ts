import { parseHTML } from 'linkedom';

/** What can be pressed, followed or typed into beside the dialog of a page; nothing where it has none. */
export function inReachBeside(html: string): string[] {
  if (!html.includes('<dialog open')) return [];
  const { document } = parseHTML(html);
  return [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
    .filter((element) => !element.closest('dialog, [inert], template'))
    .map((element) => element.outerHTML.slice(0, 120));
}
