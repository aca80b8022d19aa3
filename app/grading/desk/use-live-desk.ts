/**
 * Hydrates the desk: connects the store to network, draft storage and address, and warns before leaving with unsaved
 * work.
 */
import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';
import { callMessages } from '#server/platform/calls/rules.ts';
import { type FormOwner, ownerHeaders } from '../../lib/form-owner.ts';
import { askBeforeLeaving } from '../../lib/leave-warning.ts';
import { pageTitle } from '../../shell/title.ts';
import type { DeskAddress } from '../screens.ts';
import type { Desk } from './desk.ts';
import { DraftStorage } from './draft-storage.ts';
import { GradingStore } from './grading-store.ts';
import type { DeskAddresses } from './links.ts';
import type { RefusedMark } from './refused-mark.ts';
import type { SaveReply } from './save-queue.ts';

export function useLiveDesk(desk: Desk, hrefs: DeskAddresses, person: FormOwner, refused?: RefusedMark) {
  const [store] = useState(() => new GradingStore(desk, refused));
  const view = useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot);
  /** False on the server and until hydration: until then everything is a plain form. */
  const [live, setLive] = useState(false);
  // In a transition, like the hydration itself, so that a slow PC stays responsive.
  useEffect(() => startTransition(() => setLive(true)), []);

  useEffect(() => {
    store.start({
      draftStorage: new DraftStorage(localBox(), person.id, hrefs.draftPrefix),
      send: (save) => postJson(hrefs.save, save, person),
      load: (address) => getJson(hrefs.data(address), person),
      show: (address) => window.history.replaceState(window.history.state, '', hrefs.desk(address)),
      leave: (to, address) => {
        const left = {
          list: hrefs.endOfPass,
          same: (at: DeskAddress) => hrefs.sameMark(at, store.snapshot().draft),
          comments: hrefs.comments,
          'finish-all': hrefs.finishAll,
        };
        window.location.assign(left[to](address));
      },
      preload,
      whenQuiet: runWhenIdle,
    });
    const online = () => store.retry();
    const leaving = (event: BeforeUnloadEvent) => {
      if (store.asksBeforeLeaving()) askBeforeLeaving(event);
    };
    window.addEventListener('online', online);
    window.addEventListener('beforeunload', leaving);
    return () => {
      window.removeEventListener('online', online);
      window.removeEventListener('beforeunload', leaving);
    };
  }, [store, hrefs, person]);

  const { nickname } = view.desk.report;
  // Updates the title: the page was rendered with the first student's name.
  useEffect(() => {
    document.title = pageTitle(`批改 ${nickname}`);
  }, [nickname]);

  return { store, view, live, person };
}

export type LiveDesk = ReturnType<typeof useLiveDesk>;
function localBox(): globalThis.Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

/** Timeout of a request in milliseconds. */
const requestTimeout = 20_000;

async function postJson(path: string, body: unknown, person: FormOwner): Promise<SaveReply> {
  return readReply(
    await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ownerHeaders(person) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeout),
    }),
  );
}

const getJson = async (path: string, person: FormOwner): Promise<SaveReply> =>
  readReply(await fetch(path, { headers: ownerHeaders(person), signal: AbortSignal.timeout(requestTimeout) }));

/**
 * Reads a response. If it is not JSON of this application (but a proxy's page or the sign-in page), only its status
 * counts.
 */
async function readReply(response: Response): Promise<SaveReply> {
  if (response.redirected) return { status: 401, msg: callMessages.expired };
  const reply: unknown = await response.json().catch(() => undefined);
  const isReply = typeof reply === 'object' && reply !== null && 'msg' in reply;
  if (!isReply) return { status: response.ok ? 503 : response.status, msg: callMessages.away };
  return { ...(reply as SaveReply), status: response.status };
}

/** Milliseconds before prefetching starts, or earlier at the first use: a slow PC first loads the open answer. */
const prefetchDelay = 1_500;

function runWhenIdle(work: () => void): void {
  const begun = new AbortController();
  const begin = () => {
    begun.abort();
    clearTimeout(timer);
    work();
  };
  const timer = setTimeout(begin, prefetchDelay);
  for (const use of ['keydown', 'pointerdown']) window.addEventListener(use, begin, { signal: begun.signal });
}

const preloaded = new Set<string>();

function preload(urls: readonly string[]): void {
  for (const url of urls) {
    if (preloaded.has(url) || url.startsWith('data:')) continue;
    preloaded.add(url);
    const image = new Image();
    image.decoding = 'async';
    image.src = url;
  }
}
