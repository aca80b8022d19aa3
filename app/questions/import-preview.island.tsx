/**
 * Keys and saving for an import preview. Sends its forms in the background and replaces the preview by the server's
 * HTML; text that was typed meanwhile is kept. Plain DOM code.
 */
import '../ui/client/keys/menus.ts';
import '../ui/client/keys/quick-keys.ts';
import { isComposing } from '../lib/composing.ts';
import { askBeforeLeaving } from '../lib/leave-warning.ts';
import { isSupportedBrowser } from '../ui/client/keys/supported-browser.ts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const preview = () => document.querySelector<HTMLElement>('[data-import]');
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')];
const current = () => document.querySelector<HTMLElement>('[data-row][aria-current]');
const fieldsIn = (place: ParentNode) => [
  ...place.querySelectorAll<Field>('input:not([type=hidden], [type=checkbox]), select, textarea'),
];

let pending = 0;
let queue = Promise.resolve();
/** Values of fields when the server last drew or received them, by id. */
const sent = new Map<string, string>();

if (preview() && isSupportedBrowser()) {
  document.addEventListener('submit', onSubmit);
  document.addEventListener('change', onChange);
  document.addEventListener('focusin', ({ target }) =>
    setCurrent((target as Element).closest<HTMLElement>('[data-row]')),
  );
  document.addEventListener('click', ({ target }) =>
    setCurrent((target as Element).closest<HTMLElement>('[data-row]')),
  );
  document.addEventListener('keydown', onKey);
  window.addEventListener('beforeunload', (event) => {
    if (pending > 0 || fieldsIn(preview() ?? document).some(isUnsaved)) askBeforeLeaving(event);
  });
  begin();
}

function begin(): void {
  sent.clear();
  for (const field of fieldsIn(preview() ?? document)) {
    // A refused value is not saved, so leaving the page asks.
    sent.set(field.id, field.getAttribute('aria-invalid') ? '\0' : field.value);
  }
  for (const keys of document.querySelectorAll<HTMLElement>('[data-keys]')) keys.hidden = false;
}

const isUnsaved = (field: Field): boolean =>
  field.form?.dataset.live === '' && sent.has(field.id) && sent.get(field.id) !== field.value;

function onSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const button = event.submitter as HTMLButtonElement | null;
  if (form.dataset.live === undefined || event.defaultPrevented) return;
  event.preventDefault();
  post(form, button?.value || 'save');
}

/** Saves a field when it was changed. The places of a split and a material are sent with their buttons. */
function onChange({ target }: Event): void {
  const field = target as Field;
  if (field.form?.dataset.live === '' && !['line', 'count'].includes(field.name)) post(field.form, 'save');
}

/** Sends forms one after the other, because each gets the version that the one before has made. */
function post(form: HTMLFormElement, intent: string): void {
  const id = form.closest('[data-row]')?.id;
  pending += 1;
  queue = queue
    .then(() => send((id && document.getElementById(id)?.querySelector('form')) || form, intent))
    .catch(() => location.reload())
    .finally(() => {
      pending -= 1;
    });
}

async function send(form: HTMLFormElement, intent: string): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (name !== 'intent') body.append(name, String(value));
  body.set('intent', intent);
  for (const field of fieldsIn(form)) sent.set(field.id, field.value);
  const response = await fetch(form.action || location.href, { method: 'POST', body });
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  const old = preview();
  const next = fresh.querySelector<HTMLElement>('[data-import]');
  // Another page: signed out, or the import was finished elsewhere.
  if (!old || !next) return location.reload();
  keepRefused(old, next, form.closest('[data-row]')?.id);
  replace(old, next);
  const place = new URL(response.url).hash.slice(1);
  setCurrent(document.getElementById(place) ?? current());
}

/** Keeps the forms of other questions that were refused, with what was typed and why. */
function keepRefused(old: HTMLElement, next: HTMLElement, sentId: string | undefined): void {
  for (const row of old.querySelectorAll<HTMLElement>('[data-row]')) {
    const fresh = next.querySelector(`[id="${row.id}"]`);
    if (fresh && row.id !== sentId && row.querySelector('[aria-invalid=true]')) {
      fresh.replaceWith(document.adoptNode(row.cloneNode(true)));
      for (const field of fieldsIn(row)) {
        const copy = next.querySelector<Field>(`[id="${field.id}"]`);
        if (copy) copy.value = field.value;
      }
    }
  }
}

function replace(old: HTMLElement, next: HTMLElement): void {
  const typed = fieldsIn(old).filter((field) => sent.get(field.id) !== field.value);
  const focused = document.activeElement;
  const selection = focused instanceof HTMLInputElement && focused.type === 'text' ? focused.selectionStart : null;
  const opened = [...old.querySelectorAll<HTMLDetailsElement>('[data-row] details[open]')].map(pathOf);
  const paper = old.querySelector('[data-paper-lines] > div')?.scrollTop ?? 0;
  const isFolded = old.querySelector<HTMLDetailsElement>('[data-paper-lines]')?.open === false;
  const currentId = current()?.id;
  old.replaceWith(document.adoptNode(next));
  begin();
  for (const details of next.querySelectorAll<HTMLDetailsElement>('[data-row] details')) {
    if (opened.includes(pathOf(details))) details.open = true;
  }
  const lines = next.querySelector<HTMLDetailsElement>('[data-paper-lines]');
  if (lines && isFolded) lines.open = false;
  lines?.querySelector('div')?.scrollTo({ top: paper });
  if (currentId) setCurrent(document.getElementById(currentId));
  for (const before of typed) {
    const field = document.getElementById(before.id) as Field | null;
    if (field) field.value = before.value;
  }
  const again = focused?.id ? document.getElementById(focused.id) : undefined;
  if (again && !again.contains(document.activeElement)) {
    again.focus({ preventScroll: true });
    if (selection !== null && again instanceof HTMLInputElement) again.setSelectionRange(selection, selection);
  }
}

/** Identifies a foldable part of a question. */
const pathOf = (details: HTMLDetailsElement): string =>
  `${details.closest('[data-row]')?.id} ${details.querySelector('summary')?.textContent}`;

function setCurrent(row: HTMLElement | null): void {
  if (!row || row === current()) return;
  for (const other of rows()) other.removeAttribute('aria-current');
  row.setAttribute('aria-current', 'true');
  const { from, to } = row.dataset;
  const box = document.querySelector<HTMLElement>('[data-paper-lines] > div');
  let first: HTMLElement | undefined;
  for (const line of document.querySelectorAll<HTMLElement>('[data-line]')) {
    const isInside =
      from !== undefined && Number(line.dataset.line) >= Number(from) && Number(line.dataset.line) <= Number(to);
    line.toggleAttribute('data-current', isInside);
    if (isInside) first ??= line;
  }
  if (box && first) box.scrollTo({ top: first.offsetTop - 40 });
}

const writes = 'input:not([type=checkbox], [type=hidden]), textarea, select, [contenteditable]';

function onKey(event: KeyboardEvent): void {
  const { target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || isComposing(event) || event.defaultPrevented) return;
  if (target instanceof Element && target.closest(writes)) {
    if (event.key === 'Escape') (target as HTMLElement).blur();
    return;
  }
  const key = event.key === '？' ? '?' : event.key.toLowerCase();
  if (press(key)) event.preventDefault();
}

function press(key: string): boolean {
  if (key === 'j' || key === 'k') return step(rows(), key === 'j' ? 1 : -1);
  if (key === 'n') {
    const next = document.querySelector<HTMLAnchorElement>('[data-next-page]');
    if (
      step(
        rows().filter((row) => row.dataset.look !== undefined),
        1,
      )
    )
      return true;
    next?.click();
    return true;
  }
  const of = current();
  const target =
    of?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ??
    document.querySelector<HTMLElement>(`[data-import] > * [data-key="${CSS.escape(key)}"]:not([data-row] *)`);
  if (!target) return false;
  if (target.matches(writes)) target.focus();
  else target.click();
  return true;
}

/** Goes to the next or previous of these rows; false if there is none. */
function step(list: readonly HTMLElement[], direction: 1 | -1): boolean {
  const at = current();
  const all = rows();
  const place = at ? all.indexOf(at) : -1;
  const ordered = direction === 1 ? list : [...list].reverse();
  const next = ordered.find((row) => (all.indexOf(row) - place) * direction > 0 && (place !== -1 || direction === 1));
  if (!next) return false;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'start' });
  setCurrent(next);
  return true;
}
