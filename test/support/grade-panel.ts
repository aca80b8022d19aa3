/** Uses the grading panel without client JS. */
import type { Page, Visitor } from './app.ts';

/** Returns the fields of the panel as a browser would send them with this button. */
export function panel(page: Page, intent: string, changes: Record<string, string> = {}): Record<string, string> {
  const form = page.document.querySelector('form#grade');
  if (!form) throw new Error('no panel');
  const fields: Record<string, string> = { intent };
  for (const control of form.querySelectorAll('input, textarea')) {
    const name = control.getAttribute('name') ?? '';
    const type = control.getAttribute('type');
    if (name === '' || type === 'file') continue;
    if ((type === 'radio' || type === 'checkbox') && !control.hasAttribute('checked')) continue;
    fields[name] = control.tagName === 'TEXTAREA' ? (control.textContent ?? '') : (control.getAttribute('value') ?? '');
  }
  return { ...fields, ...changes };
}

/** Posts the panel of a page and follows the redirects. */
export async function send(visitor: Visitor, at: string, page: Page, intent: string, changes?: Record<string, string>) {
  return visitor.post(at, panel(page, intent, changes));
}

/** Opens an address where grading must be refused. `back` is the link that the error page offers. */
export async function refusalAt(visitor: Visitor, path: string) {
  const { status, document } = await visitor.get(path);
  return {
    status,
    said: document.querySelector('main [role=alert]')?.textContent?.trim(),
    forms: document.querySelectorAll('main form, dialog form').length,
    back: document.querySelector('main a')?.getAttribute('href'),
  };
}
