/**
 * Keeps the fields of a form as a draft (draft-store.ts), and offers the draft when the form is opened again. Plain DOM
 * code, so that screens without other client JS need no framework (form-draft.island.tsx).
 */
import { formOwnerField } from '../../../lib/form-owner.ts';
import { newId } from '../../../lib/new-id.ts';
import { type DraftOwner, DraftStore, markSending, type StoredForm } from './draft-store.ts';
import { writeInto } from './write-into.ts';

/** Milliseconds between the last key press and the save. */
export const draftDelay = 500;

/** Event that a script fires on a form that it has posted, once the server has accepted it. */
export const acceptedEvent = 'form-taken';

export type Fields = [name: string, value: string][];

export interface FormDraft {
  person: DraftOwner;
  /** Name of the form, with its record. */
  name: string;
  /**
   * For forms whose fields React controls: receives the values of the draft. Hidden fields are kept then too, because
   * editors write into them.
   */
  restore?: (fields: Fields) => void;
}

/**
 * Starts keeping a form. `place` is the `DraftOfferBox` that offers its draft. Returns a function that stops keeping it.
 */
export function keepForm(form: HTMLFormElement, place: HTMLElement, draft: FormDraft): () => void {
  // The browser's filling after Back does not affect fields that React controls, so there is nothing to wait for.
  if (draft.restore || !isRestoredLater()) return watchForm(form, place, draft);
  let end: (() => void) | undefined;
  const waiting = new AbortController();
  const begin = () => {
    waiting.abort();
    end = watchForm(form, place, draft);
  };
  window.addEventListener('pageshow', begin, { signal: waiting.signal });
  form.addEventListener('input', begin, { signal: waiting.signal });
  return () => {
    waiting.abort();
    end?.();
  };
}

/**
 * True if the browser will fill in fields after Back. It does so only once the page is complete and scripts have run.
 */
function isRestoredLater(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'back_forward' && document.readyState !== 'complete';
}

function watchForm(form: HTMLFormElement, place: HTMLElement, draft: FormDraft): () => void {
  const hasOwnFields = draft.restore !== undefined;
  const read = () => JSON.stringify(fieldsOf(form, hasOwnFields));
  const shown = read();
  const served = hasOwnFields ? shown : JSON.stringify(servedFieldsOf(form));
  const store = new DraftStore(draft.person, draft.name);
  // A refused form returns with the typed values. Its draft continues, compared with the values that the server had
  // earlier.
  const own = store.ownDraft();
  const base = own?.sent && own.content === served ? own.base : served;
  let last = shown;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const save = () => {
    clearTimeout(timer);
    const content = read();
    if (content === last) return;
    last = content;
    if (content === base) store.drop();
    else store.keep(content, base);
  };
  const arm = () => {
    clearTimeout(timer);
    timer = setTimeout(save, draftDelay);
  };

  let offers = store.listOffers(({ slot, content, sent }) => {
    if (content === served && !sent) store.remove(slot);
    return content !== served && content !== shown;
  });
  const [words, ...buttons] = place.children;
  const showOffer = () => {
    const [offered] = offers;
    place.hidden = !offered;
    if (offered) place.setAttribute('role', 'alert');
    else place.removeAttribute('role');
    if (words) words.textContent = offered ? wordsOf(offered, offered.base !== base) : '';
  };
  const restore = (kept: StoredForm) => {
    save();
    // Keeps the text that was typed since as a separate draft.
    if (last !== served) store.startSlot();
    const fields = JSON.parse(kept.content) as Fields;
    if (draft.restore) draft.restore(fields);
    else fillFields(form, fields);
    store.remove(kept.slot);
    store.keep(kept.content, base);
    last = kept.content;
    offers = [];
    showOffer();
    form.querySelector<HTMLElement>('textarea, input:not([type=hidden]), [role=textbox]')?.focus();
  };
  const discard = (kept: StoredForm) => {
    store.remove(kept.slot);
    offers = offers.filter(({ slot }) => slot !== kept.slot);
    showOffer();
  };
  let isOver = false;
  void store.openSlots().then((living) => {
    offers = offers.filter(({ slot }) => !living.has(slot));
    if (!isOver) showOffer();
  });
  // The values differ because the browser restored them after Back, or because the user typed before the script ran.
  if (shown !== served) {
    last = served;
    arm();
  }

  const submit = (event: SubmitEvent) => {
    if (event.target !== form || event.defaultPrevented || form.method !== 'post') return;
    clearTimeout(timer);
    const content = read();
    if (content === base && content === last) return;
    last = content;
    const id = newId();
    store.keep(content, base, id);
    const action = event.submitter?.getAttribute('formaction') ?? form.getAttribute('action');
    markSending(id, action ?? '');
  };
  /** Handles the event acceptedEvent, which scripts fire when they have posted the form. */
  const forget = () => {
    clearTimeout(timer);
    last = read();
    store.drop();
  };
  const hide = () => {
    save();
    store.close();
  };
  const show = (event: PageTransitionEvent) => {
    if (event.persisted) store.open();
  };
  const answer = (act: (kept: StoredForm) => void) => () => {
    if (offers[0]) act(offers[0]);
  };
  const answers = [answer(restore), answer(discard)];
  const typing = ['input', 'change', 'click', 'keyup'] as const;
  for (const name of typing) form.addEventListener(name, arm);
  for (const [index, act] of answers.entries()) buttons[index]?.addEventListener('click', act);
  form.addEventListener(acceptedEvent, forget);
  // Listens on the window, so that handlers on the form can prevent the submit first.
  window.addEventListener('submit', submit);
  window.addEventListener('pagehide', hide);
  window.addEventListener('pageshow', show);
  document.addEventListener('visibilitychange', save);
  return () => {
    isOver = true;
    hide();
    for (const name of typing) form.removeEventListener(name, arm);
    for (const [index, act] of answers.entries()) buttons[index]?.removeEventListener('click', act);
    form.removeEventListener(acceptedEvent, forget);
    window.removeEventListener('submit', submit);
    window.removeEventListener('pagehide', hide);
    window.removeEventListener('pageshow', show);
    document.removeEventListener('visibilitychange', save);
    place.hidden = true;
  };
}

function wordsOf({ savedAt }: StoredForm, isOutdated: boolean): string {
  const changed = isOutdated ? '此后原内容有过修改，恢复后请核对。' : '';
  return `有一份上次未提交的内容（${draftTime(savedAt)}）。${changed}`;
}

export const draftTime = (milliseconds: number): string =>
  new Intl.DateTimeFormat('zh-CN', { dateStyle: 'medium', timeStyle: 'short' }).format(milliseconds);

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Types of controls that are never kept: passwords, files (scripts cannot set them) and buttons. */
const unkeptTypes = new Set(['password', 'file', 'submit', 'button', 'image', 'reset']);

/** Returns the controls to keep. Skips those within `[data-unkept]`: their values mean something else the next time. */
const controlsOf = (form: HTMLFormElement, withHidden: boolean): Control[] =>
  [...form.elements].filter((element): element is Control => {
    if (!(element instanceof HTMLElement) || !/^(?:INPUT|TEXTAREA|SELECT)$/.test(element.tagName)) return false;
    const { name, type } = element as Control;
    if (name === '' || name === 'idempotency_key' || name === formOwnerField || unkeptTypes.has(type)) return false;
    if (element.closest('[data-unkept]')) return false;
    return withHidden || type !== 'hidden';
  });

const isChoice = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio';

const fieldsOf = (form: HTMLFormElement, withHidden: boolean): Fields =>
  controlsOf(form, withHidden).flatMap((control): Fields => {
    if (isChoice(control)) return control.checked ? [[control.name, control.value]] : [];
    if (control instanceof HTMLSelectElement)
      return [...control.selectedOptions].map(({ value }) => [control.name, value]);
    return [[control.name, control.value]];
  });

/** Returns the field values as the server rendered them. */
const servedFieldsOf = (form: HTMLFormElement): Fields =>
  controlsOf(form, false).flatMap((control): Fields => {
    if (isChoice(control)) return control.defaultChecked ? [[control.name, control.value]] : [];
    if (control instanceof HTMLSelectElement) {
      const chosen = [...control.options].filter(({ defaultSelected }) => defaultSelected);
      const [first] = control.options;
      const served = chosen.length === 0 && !control.multiple && first ? [first] : chosen;
      return served.map(({ value }) => [control.name, value]);
    }
    return [[control.name, control.defaultValue]];
  });

/** Writes values into the fields, as if they were typed. */
export function fillFields(form: HTMLFormElement, fields: Fields): void {
  const left = new Map<string, string[]>();
  for (const [name, value] of fields) left.set(name, [...(left.get(name) ?? []), value]);
  for (const control of controlsOf(form, false)) {
    const values = left.get(control.name) ?? [];
    if (isChoice(control)) {
      control.checked = values.includes(control.value);
      control.dispatchEvent(new Event('input', { bubbles: true }));
    } else if (control instanceof HTMLSelectElement && control.multiple) {
      for (const option of control.options) option.selected = values.includes(option.value);
      control.dispatchEvent(new Event('input', { bubbles: true }));
    } else {
      const value = values.shift();
      if (value === undefined || (!(control instanceof HTMLSelectElement) && control.readOnly)) continue;
      writeInto(control, value);
    }
    control.dispatchEvent(new Event('change', { bubbles: true }));
  }
}
