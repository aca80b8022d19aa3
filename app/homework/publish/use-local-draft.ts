/** What was filled in, kept in this browser: it survives a reload, a crash and an expired sign-in. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type PublishForm, parseForm } from './form.ts';

interface LocalDraftOptions {
  /** By person and way in. */
  storageKey: string;
  form: PublishForm;
  /** The kept form that the address names: a newer draft than it belongs to it, an older one is out of date. */
  draftId: string | null;
  /** The form as the server sent it. */
  starting: PublishForm;
  onRestore: (form: PublishForm) => void;
}

interface Saved {
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
  /** After publishing. */
  drop: () => void;
}

/** Milliseconds after the last key. */
const delay = 400;

export function useLocalDraft({ storageKey, form, draftId, starting, onRestore }: LocalDraftOptions): LocalDraft {
  const [offered, setOffered] = useState<Saved | null>(null);
  const [note, setNote] = useState('');
  const ready = useRef(false);
  const latest = useRef({ form, draftId, offered });
  latest.current = { form, draftId, offered };
  const startingContent = useRef('');
  startingContent.current = contentOf(starting);

  useEffect(() => {
    const saved = readSaved(storageKey);
    const concerns = saved && (draftId === null || saved.draftId === draftId);
    setOffered(concerns && contentOf(saved.form) !== startingContent.current ? saved : null);
    ready.current = true;
  }, [storageKey, draftId]);

  const write = useCallback(
    (written: PublishForm) => {
      // A draft that waits for a decision is not written over.
      if (!ready.current || latest.current.offered) return;
      try {
        const saved: Saved = { savedAt: Date.now(), draftId: latest.current.draftId, form: written };
        localStorage.setItem(storageKey, JSON.stringify(saved));
        setNote(`草稿已保存 ${clock(saved.savedAt)}`);
      } catch {
        // Full, or not allowed: nothing else of the form depends on it.
        setNote('内容过多，本机草稿未能保存');
      }
    },
    [storageKey],
  );

  // A form that nobody has touched is no draft; one that came back from a list has been.
  const isTouched = useCallback(
    (present: PublishForm) => latest.current.draftId !== null || contentOf(present) !== startingContent.current,
    [],
  );
  useEffect(() => {
    if (!isTouched(form)) return;
    const timer = setTimeout(() => write(form), delay);
    return () => clearTimeout(timer);
  }, [form, write, isTouched]);
  useEffect(() => {
    const leave = () => {
      if (isTouched(latest.current.form)) write(latest.current.form);
    };
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [write, isTouched]);

  const drop = useCallback(() => {
    ready.current = false;
    localStorage.removeItem(storageKey);
  }, [storageKey]);
  return {
    offered,
    note: offered ? '' : note,
    saveNow: write,
    drop,
    restore() {
      if (!offered) return;
      onRestore({ ...offered.form, panel: null });
      setOffered(null);
    },
    discard() {
      localStorage.removeItem(storageKey);
      setOffered(null);
    },
  };
}

/** What would be lost: not the ticks, and not which panel is open. */
const contentOf = ({
  submit_key: _key,
  selected: _selected,
  panel: _panel,
  next_key: _next,
  ...content
}: PublishForm) => JSON.stringify(content);

function readSaved(storageKey: string): Saved | null {
  try {
    const saved = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<Saved> | null;
    const form = saved && parseForm(JSON.stringify(saved.form));
    return form ? { savedAt: Number(saved.savedAt), draftId: saved.draftId ?? null, form } : null;
  } catch {
    return null;
  }
}

const clock = (milliseconds: number) =>
  new Intl.DateTimeFormat('zh-CN', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(milliseconds);
