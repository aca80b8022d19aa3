/**
 * Stores the form as a draft in this browser (app/ui/client/drafts/draft-store.ts) and shortly after on the server,
 * where any browser can continue it. Separate from the drafts of other forms, because this form is JSON, not plain
 * fields.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type FormOwner, ownerHeaders } from '../../lib/form-owner.ts';
import { DraftStore, type StoredForm } from '../../ui/client/drafts/draft-store.ts';
import { draftDelay } from '../../ui/client/drafts/keep-form.ts';
import { type PublishForm, unsavedContent } from './form.ts';

interface LocalDraftOptions {
  person: FormOwner;
  /** Starting point of the form as search params. Part of the draft's key. */
  way: string;
  form: PublishForm;
  /** Id of the stored form in the address. Only drafts with the same id are offered. */
  draftId: string | null;
  starting: PublishForm;
  onRestore: (form: PublishForm) => void;
  /** Address to which the draft is sent. */
  address: string;
}

/** Milliseconds between the last change and the request to the server. */
const serverDelay = 2000;
/** Maximum size in bytes of a request that browsers still send while a page closes (keepalive). */
const maxLeavingShare = 60_000;

interface Saved {
  slot: string;
  /** Milliseconds since 1970. */
  savedAt: number;
  draftId: string | null;
  form: PublishForm;
}

export interface LocalDraft {
  offered: Saved | null;
  /** Status of the draft, shown beside the buttons. */
  note: string;
  restore: () => void;
  discard: () => void;
  saveNow: (form: PublishForm) => void;
  /** Cancels the scheduled save and resolves once a running save has ended. */
  settle: () => Promise<void>;
  /** Deletes the draft. Called after publishing. */
  drop: () => void;
}

export function useLocalDraft({
  person,
  way,
  form,
  draftId,
  starting,
  onRestore,
  address,
}: LocalDraftOptions): LocalDraft {
  const [offers, setOffers] = useState<Saved[]>([]);
  const [note, setNote] = useState('');
  const store = useRef<DraftStore | undefined>(undefined);
  const latest = useRef({ form, draftId });
  latest.current = { form, draftId };
  /** Once anything was stored, an emptied form is stored too. */
  const isWritten = useRef(false);
  const startingContent = useRef('');
  startingContent.current = unsavedContent(starting);

  useEffect(() => {
    const opened = new DraftStore(person.id, `publish ${way}`);
    store.current = opened;
    let isOver = false;
    const kept = opened.listOffers((one) => {
      const { draftId: ofDraft = null, form: written } = parseDraft(one);
      if (!written || (draftId !== null && ofDraft !== draftId)) return false;
      return unsavedContent(written) !== startingContent.current;
    });
    setOffers([]);
    const offer = async () => {
      const [found, living] = await Promise.all([read(kept), opened.openSlots()]);
      if (!isOver) setOffers(found.filter(({ slot }) => !living.has(slot)));
    };
    void offer();
    return () => {
      isOver = true;
      opened.close();
    };
  }, [person.id, way, draftId]);

  const server = useServerDraft(address, person, setNote);
  const write = useCallback(
    (written: PublishForm) => {
      if (!store.current) return;
      isWritten.current = true;
      const isKept = store.current.keep(JSON.stringify({ draftId: latest.current.draftId, form: written }), '');
      // Storage may be full or disabled. The draft on the server does not depend on it.
      server.later(written, isKept ? `草稿已存在本机 ${clock(Date.now())}` : '内容过多，本机草稿未能保存');
    },
    [server],
  );

  // An untouched form is not stored. A form that returned from another screen counts as touched.
  const isTouched = useCallback(
    (present: PublishForm) =>
      latest.current.draftId !== null || isWritten.current || unsavedContent(present) !== startingContent.current,
    [],
  );
  useEffect(() => {
    if (!isTouched(form)) return;
    const timer = setTimeout(() => write(form), draftDelay);
    return () => clearTimeout(timer);
  }, [form, write, isTouched]);
  useEffect(() => {
    const leave = () => {
      if (isTouched(latest.current.form)) write(latest.current.form);
      server.now();
      store.current?.close();
    };
    const comeBack = () => store.current?.open();
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', comeBack);
    };
  }, [write, isTouched, server]);

  const drop = useCallback(() => {
    store.current?.drop();
    store.current?.close();
    // Once the page is being left, it stores nothing more.
    store.current = undefined;
  }, []);
  const [offered = null] = offers;
  return {
    offered,
    note,
    saveNow(written) {
      if (isTouched(written)) write(written);
    },
    settle: server.settle,
    drop,
    restore() {
      if (!offered) return;
      // Stores the current form as a draft before the restored one replaces it.
      if (isTouched(latest.current.form)) {
        write(latest.current.form);
        store.current?.startSlot();
      }
      write(offered.form);
      store.current?.remove(offered.slot);
      onRestore({ ...offered.form, panel: null });
      setOffers([]);
    },
    discard() {
      if (!offered) return;
      store.current?.remove(offered.slot);
      if (offered.form.submit_key !== form.submit_key) server.giveUp(offered.form);
      setOffers(offers.slice(1));
    },
  };
}

/** Stores drafts on the server, one request at a time, so that the latest form arrives last. */
function useServerDraft(address: string, person: FormOwner, say: (note: string) => void) {
  const place = useRef(address);
  place.current = address;
  return useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waiting: PublishForm | undefined;
    let kept = '';
    let sending = Promise.resolve();
    /**
     * Returns true if the draft was stored. 409 means that another user has signed in meanwhile; the status says so.
     */
    const post = async (to: string, body: string) => {
      const keepalive = new Blob([body]).size < maxLeavingShare;
      const answer = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...ownerHeaders(person) },
        body,
        keepalive,
      }).catch(() => undefined);
      const refusal =
        answer?.status === 409 ? ((await answer.json().catch(() => ({}))) as { msg?: string }) : undefined;
      if (refusal?.msg) say(refusal.msg);
      return answer?.ok === true;
    };
    const now = () => {
      clearTimeout(timer);
      const form = waiting;
      waiting = undefined;
      if (!form) return;
      const body = JSON.stringify({ ...form, panel: null });
      const isPresent = unsavedContent(form) === kept;
      sending = sending.then(async () => {
        if (!isPresent && !(await post(place.current, body))) return;
        kept = unsavedContent(form);
        // If the form has changed meanwhile, it is not completely stored yet.
        if (!waiting) say(`草稿已保存 ${clock(Date.now())}`);
      });
    };
    return {
      later(form: PublishForm, note: string) {
        say(note);
        waiting = form;
        clearTimeout(timer);
        timer = setTimeout(now, serverDelay);
      },
      now,
      settle() {
        clearTimeout(timer);
        waiting = undefined;
        return sending;
      },
      giveUp(form: PublishForm) {
        const to = `${place.current}${place.current.includes('?') ? '&' : '?'}given_up=yes`;
        sending = sending.then(async () => void (await post(to, JSON.stringify(form))));
      },
    };
  })[0];
}

function parseDraft({ content }: StoredForm): Partial<Saved> {
  try {
    return (JSON.parse(content) as Partial<Saved> | null) ?? {};
  } catch {
    return {};
  }
}

/**
 * Parses stored drafts and drops drafts of older versions of the product. Loads the parser only if there are drafts.
 */
async function read(kept: StoredForm[]): Promise<Saved[]> {
  if (kept.length === 0) return [];
  const { parseForm } = await import('./parse-form.ts');
  return kept.flatMap((one) => {
    const { draftId = null, form: written } = parseDraft(one);
    const form = parseForm(JSON.stringify(written));
    return form ? [{ slot: one.slot, savedAt: one.savedAt, draftId, form }] : [];
  });
}

const clock = (milliseconds: number) =>
  new Intl.DateTimeFormat('zh-CN', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(milliseconds);
