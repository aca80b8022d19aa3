/**
 * Shows dialogs over the publish form. They are plain pages, but with client JS their HTML is inserted over the form,
 * without leaving it and without entries in the browser's history.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { pathOf } from '../../lib/link.ts';
import { pickedIds } from '../../lib/picked-ids.ts';
import type { PublishScreenProps, PublishView } from './view.ts';

export const islandName = 'publish-form.island';

/** Attribute of the element that holds the dialog. */
export const dialogPlace = { 'data-over': 'publish' };
const placeOf = (page: Document) => page.querySelector<HTMLElement>('[data-over="publish"]');

interface ShownForm {
  view: PublishView;
  /** Id of the stored form in the address. Null if there is none. */
  draftId: string | null;
  /** True while a dialog route is open over the form. */
  covered: boolean;
}

/** Handles links and forms of dialogs. `onFailed` is called if the server cannot be reached. */
export function useDialogs({ view, draftId, covered, links }: PublishScreenProps, onFailed: () => void) {
  const [shown, setShown] = useState<ShownForm>({ view, draftId, covered });
  const failed = useRef(onFailed);
  failed.current = onFailed;

  const go = useCallback(async (address: string, init: RequestInit = {}) => {
    const came = await visit(address, init).catch(failed.current);
    if (!came) return;
    // Keeps the form of this page, unless a dialog has changed the form on the server. The draft id is new then.
    setShown((now) => {
      const isOther = !came.covered && came.draftId !== now.draftId;
      return { view: isOther ? came.view : now.view, draftId: came.draftId, covered: came.covered };
    });
  }, []);

  const { form } = links;
  useEffect(() => {
    const place = placeOf(document);
    if (!place) return undefined;
    const over = new AbortController();
    const { signal } = over;
    place.addEventListener('click', (event) => followLink(event, pathOf(form), go), { signal });
    place.addEventListener('submit', (event) => sendForm(event, go), { signal });
    place.addEventListener('change', countPicked, { signal });
    return () => over.abort();
  }, [form, go]);

  return { ...shown, go };
}

/** Fetches a page and shows its dialog, or none. If the page does not belong to the publish form, navigates to it. */
async function visit(address: string, init: RequestInit): Promise<ShownForm | undefined> {
  const response = await fetch(address, { ...init, headers: { accept: 'text/html' } });
  const html = await response.text();
  const page = new DOMParser().parseFromString(html, 'text/html');
  const props = page.querySelector(`[data-props="${islandName}"]`)?.textContent;
  const [from, to] = [placeOf(page), placeOf(document)];
  window.history.replaceState(window.history.state, '', response.url);
  if (props && from && to) {
    document.title = page.title;
    to.innerHTML = from.innerHTML;
    showMessage(page);
    return JSON.parse(props) as PublishScreenProps;
  }
  document.open();
  document.write(html);
  document.close();
  return undefined;
}

/** Shows the message of a fetched page in place of the one before. */
function showMessage(page: Document): void {
  document.querySelector('[data-flash]')?.remove();
  const message = page.querySelector('[data-flash]');
  if (message) document.querySelector('#screen')?.before(message);
}

type Navigate = (address: string, init?: RequestInit) => Promise<void>;

function followLink(event: MouseEvent, formPath: string, go: Navigate): void {
  const link = (event.target as Element).closest('a');
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || event.defaultPrevented || link.target !== '') return;
  const { origin, pathname, href } = new URL(link.href);
  const isOfForm = pathname === formPath || pathname.startsWith(`${formPath}/`);
  if (origin !== window.location.origin || !isOfForm) return;
  event.preventDefault();
  void go(href);
}

function sendForm(event: SubmitEvent, go: Navigate): void {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented || form.enctype !== 'application/x-www-form-urlencoded') return;
  event.preventDefault();
  const { submitter } = event;
  const isButton = submitter instanceof HTMLButtonElement;
  const fields = fieldsOf(new FormData(form));
  if (isButton && submitter.name) fields.append(submitter.name, submitter.value);
  // A form without an action posts to the address of its page, like in the browser.
  const action = (isButton && submitter.getAttribute('formaction')) || form.getAttribute('action');
  const address = new URL(action || window.location.href, window.location.href);
  const method = (isButton && submitter.getAttribute('formmethod')) || form.method;
  if (method === 'post') {
    void go(address.href, { method: 'POST', body: fields });
    return;
  }
  address.search = fields.toString();
  void go(address.href);
}

/** Encodes form data as application/x-www-form-urlencoded. */
export const fieldsOf = (data: FormData): URLSearchParams =>
  new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));

/** Updates the number of ticked rows, counting those on all pages. */
function countPicked({ target }: Event): void {
  const form = (target as Element).closest('form');
  const count = form?.querySelector<HTMLElement>('[data-picked]');
  const said = count?.firstElementChild;
  if (!form || !count || !said) return;
  count.dataset.live = 'true';
  said.removeAttribute('aria-hidden');
  said.textContent = String(pickedIds(new FormData(form)).length);
}
