/** The publish form where client JS runs: the same operations as on the server, without a request for each. */
import { useForm } from '@mantine/form';
import { type FormEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFetcher, useSubmit } from 'react-router';
import { useHydrated } from 'remix-utils/use-hydrated';
import { callMessages } from '#server/platform/calls/rules.ts';
import { wordsOf } from '../../lib/form-data.ts';
import { searchIn } from '../../lib/link.ts';
import { shownTexts } from '../../questions/formulas.ts';
import { messagesOf, putAwayFlash } from '../../ui/form-messages.ts';
import { useAddress } from '../../ui/screen.tsx';
import { type PublishPlace, publish, publishChoices, publishSend } from '../screens.ts';
import type { loader as choicesLoader } from './choices.ts';
import { checkForm, summaryOf } from './faults.ts';
import type { PublishForm } from './form.ts';
import { heldField, readFields } from './form-data.ts';
import { leadsToPage, type Notice, operate, screenOf } from './operations.ts';
import type { PublishScreenProps } from './publish-screen.tsx';
import type { PublishAnswer } from './send.ts';
import { useLocalDraft } from './use-local-draft.ts';
import { type Choices, needsDisplay, type PublishRefused, type PublishView, textsOf } from './view.ts';

/** What is shown beside the fields. */
export interface PublishFormState {
  notice: Notice | undefined;
  /** Above the form, why it was not published; the messages at its fields are the form's own. */
  refusal: { msg: string; signedOut?: boolean } | undefined;
  /** Counts how often the fields were given values that nobody typed. */
  revision: number;
}

/** What the form starts with, wherever it leads back to, as search params. */
const startOf = (place: PublishPlace): string =>
  searchIn(publish.href({ ...place, back: undefined, draft: undefined }));

export function usePublishForm({ view, place, personId, dialog }: PublishScreenProps) {
  const draftId = useAddress(publish).draft ?? null;
  const hydrated = useHydrated();
  const held = useForm<PublishForm>({
    initialValues: view.form,
    initialErrors: view.refusal?.errors ?? {},
    clearInputErrorOnChange: false,
    validate: checkForm,
  });
  const { values: form, setValues, setErrors } = held;
  const [state, setState] = useState<PublishFormState>(() => stateOf(view, 0));
  const [sending, setSending] = useState(false);
  const [shownView, setShownView] = useState(view);
  // Back from a dialog: what the server made of the form is the form now.
  if (view !== shownView) {
    setShownView(view);
    setValues(view.form);
    setErrors(view.refusal?.errors ?? {});
    setState(({ revision }) => stateOf(view, revision + 1));
  }
  const element = useRef<HTMLFormElement>(null);
  const latest = useRef(form);
  latest.current = form;

  const choices = useChoices(form, view.choices, place);
  const replaceForm = useCallback(
    (replacement: PublishForm) => {
      setValues(replacement);
      setErrors({});
      setState(({ revision }) => ({ notice: undefined, refusal: undefined, revision: revision + 1 }));
    },
    [setValues, setErrors],
  );
  const localDraft = useLocalDraft({
    personId,
    // A draft is of what is published, wherever the form leads back to.
    way: startOf(place),
    form,
    draftId,
    starting: view.form,
    onRestore: replaceForm,
  });

  const said = messagesOf(held.errors);
  const latestSaid = useRef(said);
  latestSaid.current = said;
  // What has been put right is not complained about any longer; what only the server knows, until its field is changed.
  const recheck = useCallback(
    (typed: PublishForm, changed = '') => {
      const complaints = Object.entries(latestSaid.current);
      if (complaints.length === 0) return;
      const [found, before] = [checkForm(typed), checkForm(latest.current)];
      const left = complaints.flatMap(([field, messages]) => {
        if (found[field]) return [[field, found[field]]];
        return before[field] || field === changed ? [] : [[field, messages]];
      });
      setErrors(Object.fromEntries(left));
      if (left.length === 0) setState((now) => ({ ...now, refusal: undefined }));
    },
    [setErrors],
  );

  const focus = useFocusAfter(form, dialog !== null);
  const apply = useCallback(
    (operation: string) => {
      if (!element.current) return;
      const typed = readFields(new FormData(element.current), latest.current);
      const { form: next, notice } = operate(typed, wordsOf(operation));
      focus.after(operation);
      setValues(next);
      setState((before) => ({
        notice,
        refusal: before.refusal,
        revision: before.revision + (showsOtherValues(operation) ? 1 : 0),
      }));
      recheck(next);
    },
    [focus, setValues, recheck],
  );
  const onMove = useCallback((key: number, index: number) => apply(`move ${key} ${index}`), [apply]);

  const submit = useSubmit();
  const refuse = ({ errors, ...refusal }: PublishRefused & { signedOut?: boolean }) => {
    putAwayFlash();
    setErrors(errors);
    setState((before) => ({ ...before, notice: undefined, refusal }));
    focus.after('refusal');
  };
  const publishNow = async (typed: PublishForm) => {
    localDraft.saveNow(typed);
    setValues(typed);
    const found = held.validate();
    if (found.hasErrors) {
      const errors = messagesOf(found.errors);
      refuse({ msg: summaryOf(errors), errors });
      return;
    }
    setSending(true);
    const sent = await send(typed, place);
    if (sent.published) {
      localDraft.drop();
      window.location.assign(sent.to);
      return;
    }
    setSending(false);
    setValues({ ...typed, submit_key: sent.submit_key ?? typed.submit_key });
    refuse({ msg: sent.msg, errors: sent.errors, ...(sent.signedOut && { signedOut: true }) });
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const operation = submitter instanceof HTMLButtonElement ? submitter.value : 'keep';
    const data = new FormData(event.currentTarget);
    const typed = readFields(data, form);
    if (operation === 'publish') {
      void publishNow(typed);
    } else if (screenOf(wordsOf(operation))) {
      localDraft.saveNow(typed);
      focus.after(operation);
      data.set(heldField, JSON.stringify(typed));
      data.set('intent', operation);
      // A dialog is no step of its own in the browser's history: the way back leads out of the form, not into an older one.
      const isDialog = !leadsToPage(wordsOf(operation));
      void submit(data, {
        method: 'post',
        action: publish.href(place),
        replace: isDialog,
        preventScrollReset: isDialog,
      });
    } else {
      apply(operation);
    }
  };
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    const typed = readFields(new FormData(event.currentTarget), form);
    setValues(typed);
    recheck(typed, (event.target as HTMLInputElement).name);
  };

  return {
    form,
    errors: said,
    state,
    choices,
    displays: useDisplays(view, form),
    hydrated,
    sending,
    localDraft,
    onMove,
    formProps: { ref: element, onSubmit, onInput },
  };
}

const stateOf = ({ notice, refusal }: PublishView, revision: number): PublishFormState => ({
  notice,
  refusal: refusal && { msg: refusal.msg },
  revision,
});

/** Ticks, scores and the fields of a panel that an operation sets. */
const showsOtherValues = (operation: string) => /^(?:select-all|apply-batch|confirm-remove|deadline)/.test(operation);

async function send(form: PublishForm, place: PublishPlace): Promise<PublishAnswer & { signedOut?: boolean }> {
  const refused = (msg: string, signedOut = false) => ({ published: false as const, msg, errors: {}, signedOut });
  try {
    const response = await fetch(publishSend.href(place), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...form, panel: null }),
    });
    if (response.status === 401) return refused('登录已过期，请重新登录。填写的内容已保存在本机草稿中。', true);
    if (response.status === 413) return refused(callMessages.tooLarge);
    return (await response.json()) as PublishAnswer;
  } catch {
    return refused('网络异常，暂未提交。填写的内容已保存在本机草稿中，请稍后再试。');
  }
}

/** Periods, child courses and classes of what is chosen now. */
function useChoices(form: PublishForm, known: Choices, { arrange_id }: PublishPlace): Choices {
  const { course_basis_id, publish_scope } = form;
  const wanted = publishChoices.href({
    course_basis_id: Number(course_basis_id) || undefined,
    publish_scope,
    child_course_basis_ids: form.child_course_basis_ids.map(Number),
    arrange_id,
  });
  // What the page brought along is of the form that it brought along.
  const [first, setFirst] = useState({ wanted, known });
  if (first.known !== known) setFirst({ wanted, known });
  const { load, data } = useFetcher<typeof choicesLoader>();
  const isKnown = first.wanted === wanted || data?.wanted === wanted;
  useEffect(() => {
    if (!isKnown) void load(wanted);
  }, [isKnown, wanted, load]);
  if (first.wanted === wanted) return first.known;
  return data?.wanted === wanted ? data.choices : (data?.choices ?? known);
}

/** The shown texts of the page, and of a restored draft those that the page did not bring along. */
function useDisplays(view: PublishView, form: PublishForm): ReadonlyMap<string, string> {
  const [displays, setDisplays] = useState(() => ({ of: view, map: new Map(view.displays) }));
  if (displays.of !== view) setDisplays({ of: view, map: new Map([...displays.map, ...view.displays]) });
  const { map } = displays;
  const { questions } = form;
  useEffect(() => {
    const unknown = [...new Set(textsOf({ questions }).filter(needsDisplay))].filter((text) => !map.has(text));
    if (unknown.length === 0) return;
    let isCurrent = true;
    shownTexts(unknown).then((shown) => {
      if (!isCurrent) return;
      // Where the server cannot be asked, the texts stay plain.
      if (!shown) return;
      const found = unknown.map((text, index) => [text, shown[index] ?? text] as const);
      setDisplays((before) => ({ ...before, map: new Map([...before.map, ...found]) }));
    });
    return () => {
      isCurrent = false;
    };
  }, [questions, map]);
  return map;
}

/** After an operation the keyboard goes on where it was, or at what has to be read. */
function useFocusAfter(form: PublishForm, hasDialog: boolean) {
  const wanted = useRef<string | undefined>(undefined);
  const opener = useRef<string | undefined>(undefined);
  const [, again] = useState(0);
  useLayoutEffect(() => {
    const operation = wanted.current;
    wanted.current = undefined;
    if (operation === undefined || hasDialog) return;
    if (form.panel) {
      opener.current = operation;
      document.querySelector<HTMLElement>('[data-autofocus]')?.focus();
      return;
    }
    const button = document.querySelector<HTMLElement>(`[data-op="${CSS.escape(operation)}"]`);
    const fallback = document.querySelector<HTMLElement>(`[data-op="${CSS.escape(opener.current ?? '')}"]`);
    const place = operation === 'refusal' ? 'refusal' : 'question';
    (button ?? fallback ?? document.getElementById(place))?.focus();
    if (operation === 'refusal') document.getElementById('refusal')?.scrollIntoView({ block: 'center' });
  });
  return useRef({
    after(operation: string) {
      wanted.current = operation;
      again((count) => count + 1);
    },
  }).current;
}
