/**
 * What was filled in, kept in this browser (app/ui/client/drafts/draft-store.ts), and a little later on the server, from where it can be
 * gone on with anywhere: the form is no plain form, but JSON.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type FormOwner, ownerHeaders } from '../../lib/form-owner.ts';
import { DraftStore, type StoredForm } from '../../ui/client/drafts/draft-store.ts';
import { draftDelay } from '../../ui/client/drafts/keep-form.ts';
import { type PublishForm, writtenIn } from './form.ts';

interface LocalDraftOptions {
  person: FormOwner;
  /** The way into the form, as search params. */
  way: string;
  form: PublishForm;
  /** The kept form that the address names: a newer draft than it belongs to it, an older one is out of date. */
  draftId: string | null;
  /** The form as the server sent it. */
  starting: PublishForm;
  onRestore: (form: PublishForm) => void;
  /** Where the server keeps it. */
  address: string;
}

/** Milliseconds after the last change until the server has it too. */
const serverDelay = 2000;
/** Bytes that a browser still sends of a page that is left. */
const maxLeavingShare = 60_000;

interface Saved {
  slot: string;
  /** Unix milliseconds. */
  savedAt: number;
  draftId: string | null;
  form: PublishForm;
}

export interface LocalDraft {
  offered: Saved | null;
  /** Said beside the buttons. */
  note: string;
  restore: () => void;
  discard: () => void;
  saveNow: (form: PublishForm) => void;
  /** What is on its way to the server has come there, and nothing more follows until something is changed. */
  settle: () => Promise<void>;
  /** After publishing. */
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
  /** Once written, a form is written again even when it was emptied. */
  const isWritten = useRef(false);
  const startingContent = useRef('');
  startingContent.current = writtenIn(starting);

  useEffect(() => {
    const opened = new DraftStore(person.id, `publish ${way}`);
    store.current = opened;
    let isOver = false;
    const kept = opened.offers((one) => {
      const { draftId: ofDraft = null, form: written } = peek(one);
      if (!written || (draftId !== null && ofDraft !== draftId)) return false;
      return writtenIn(written) !== startingContent.current;
    });
    setOffers([]);
    const offer = async () => {
      const [found, living] = await Promise.all([read(kept), opened.living()]);
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
      // Full, or not allowed: nothing else of the form depends on it.
      server.later(written, isKept ? `草稿已保存在本机 ${clock(Date.now())}` : '内容过多，本机草稿未能保存');
    },
    [server],
  );

  // A form that nobody has touched is no draft; one that came back from a list has been.
  const isTouched = useCallback(
    (present: PublishForm) =>
      latest.current.draftId !== null || isWritten.current || writtenIn(present) !== startingContent.current,
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
    // What is left of this page keeps nothing more.
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
      // What was filled in meanwhile is not lost either.
      if (isTouched(latest.current.form)) {
        write(latest.current.form);
        store.current?.turnPage();
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

/** One request at a time: what was typed last comes last. */
function useServerDraft(address: string, person: FormOwner, say: (note: string) => void) {
  const place = useRef(address);
  place.current = address;
  return useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waiting: PublishForm | undefined;
    let kept = '';
    let sending = Promise.resolve();
    /** Returns whether the draft was kept. 409: another person has signed in meanwhile; the note says so. */
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
      const isPresent = writtenIn(form) === kept;
      sending = sending.then(async () => {
        if (!isPresent && !(await post(place.current, body))) return;
        kept = writtenIn(form);
        // What was typed meanwhile is not there yet.
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

function peek({ content }: StoredForm): Partial<Saved> {
  try {
    return (JSON.parse(content) as Partial<Saved> | null) ?? {};
  } catch {
    return {};
  }
}

/** Of those that are forms: what was kept may be of an older version of the product. As a rule there is nothing. */
async function read(kept: StoredForm[]): Promise<Saved[]> {
  if (kept.length === 0) return [];
  const { parseForm } = await import('./parse-form.ts');
  return kept.flatMap((one) => {
    const { draftId = null, form: written } = peek(one);
    const form = parseForm(JSON.stringify(written));
    return form ? [{ slot: one.slot, savedAt: one.savedAt, draftId, form }] : [];
  });
}

const clock = (milliseconds: number) =>
  new Intl.DateTimeFormat('zh-CN', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(milliseconds);
