/** The publish form in the browser. It runs the same button operations as the server, without a request for each. */
import { type FormEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useHydrated } from 'remix-utils/use-hydrated';
import { callMessages } from '#server/platform/calls/rules.ts';
import { splitIntent } from '../../lib/form-data.ts';
import { type FormOwner, ownerHeaders } from '../../lib/form-owner.ts';
import { hrefOf } from '../../lib/link.ts';
import { renderTexts } from '../../questions/render-texts.ts';
import { dismissFlash, type Messages } from '../../ui/client/form-messages.ts';
import { fieldsOf, useDialogs } from './dialogs.ts';
import { exchangeRequest, type NewQuestion, type PublishForm, withExchanged } from './form.ts';
import { packedFormField, readFields, withPlace } from './form-data.ts';
import type { PublishLinks } from './links.server.ts';
import { applyOperation, exchangedNotice, type Notice, opensPage, opensScreen } from './operations.ts';
import type { PublishAnswer } from './send.ts';
import { useLocalDraft } from './use-local-draft.ts';
import {
  type Choices,
  needsDisplay,
  type PublishScreenProps,
  type PublishView,
  type RefusedPublication,
  textsOf,
} from './view.ts';

export interface PublishFormState {
  notice: Notice | undefined;
  /** Reason why publishing failed, shown above the form. Field errors are separate. */
  refusal: { msg: string; signedOut?: boolean } | undefined;
  /** Grows when fields get values that nobody typed. */
  revision: number;
}

/** Loads the checks lazily, at the first key press, because they import the whole API contract. */
const loadChecks = () => import('./faults.ts').catch(() => undefined);

export function usePublishForm(props: PublishScreenProps) {
  const { links, person } = props;
  const { view, draftId, covered, go } = useDialogs(props, () => refuse({ msg: offlineMessage, errors: {} }));
  const hydrated = useHydrated();
  const [form, setValues] = useState(view.form);
  const [said, setErrors] = useState<Messages>(view.refusal?.errors ?? {});
  const [state, setState] = useState<PublishFormState>(() => stateOf(view, 0));
  const [sending, setSending] = useState(false);
  const [shownView, setShownView] = useState(view);
  const [taken, setTaken] = useState(0);
  // After a dialog, the form that the server returned replaces the form of this page.
  if (view !== shownView) {
    setShownView(view);
    setValues(view.form);
    setErrors(view.refusal?.errors ?? {});
    setState(({ revision }) => stateOf(view, revision + 1));
    if (view.notice || view.form.questions.length !== form.questions.length) setTaken(taken + 1);
  }
  // Scrolls to the question table when questions were added or a draft was restored.
  useEffect(() => {
    if (taken > 0) document.getElementById('question')?.scrollIntoView();
  }, [taken]);
  const element = useRef<HTMLFormElement>(null);
  const latest = useRef(form);
  latest.current = form;

  const choices = useChoices(form, view.choices, links);
  const replaceForm = useCallback((replacement: PublishForm) => {
    setValues(replacement);
    setErrors({});
    setState(({ revision }) => ({ notice: undefined, refusal: undefined, revision: revision + 1 }));
  }, []);
  const localDraft = useLocalDraft({
    person,
    // The draft's key contains the starting point of the form, without the address to return to.
    way: links.way,
    form,
    draftId,
    starting: view.form,
    onRestore: replaceForm,
    address: links.keep,
  });

  const latestSaid = useRef(said);
  latestSaid.current = said;
  // Removes the errors of fields that are valid now. An error that only the server can check stays until its field
  // changes.
  const recheck = useCallback(async (typed: PublishForm, changed = '') => {
    const earlier = latest.current;
    if (Object.keys(latestSaid.current).length === 0) return;
    const checks = await loadChecks();
    if (!checks) return;
    const complaints = Object.entries(latestSaid.current);
    const [found, before] = [checks.checkForm(typed), checks.checkForm(earlier)];
    const left = complaints.flatMap(([field, messages]) => {
      if (found[field]) return [[field, found[field]]];
      return before[field] || field === changed ? [] : [[field, messages]];
    });
    setErrors(Object.fromEntries(left));
    if (left.length === 0) setState((now) => ({ ...now, refusal: undefined }));
  }, []);

  const focus = useFocusAfter(form, covered);
  const apply = useCallback(
    (operation: string) => {
      if (!element.current) return;
      const data = new FormData(element.current);
      const typed = readFields(data, latest.current);
      const { form: next, notice } = applyOperation(typed, withPlace(splitIntent(operation), data));
      focus.after(operation);
      setValues(next);
      setState((before) => ({
        notice,
        refusal: before.refusal,
        revision: before.revision + (showsOtherValues(operation) ? 1 : 0),
      }));
      void recheck(next);
    },
    [focus, recheck],
  );
  const exchange = async (typed: PublishForm, operation: string) => {
    const key = Number(splitIntent(operation)[1]);
    const body = exchangeRequest(typed, key);
    if (!body) return;
    const found = await findSimilar(links.exchange, person, body);
    focus.after(operation);
    if ('msg' in found) {
      setState((before) => ({ ...before, notice: { kind: 'warning', msg: found.msg } }));
      return;
    }
    // Fields may have been typed into meanwhile.
    const { question } = found;
    setValues((now) => withExchanged(now, key, question));
    setState((before) => ({ ...before, notice: exchangedNotice }));
  };
  const onMove = useCallback((key: number, index: number) => apply(`move ${key} ${index}`), [apply]);

  const refuse = ({ errors, ...refusal }: RefusedPublication & { signedOut?: boolean }) => {
    dismissFlash();
    setErrors(errors);
    setState((before) => ({ ...before, notice: undefined, refusal }));
    focus.after('refusal');
  };
  const publishNow = async (typed: PublishForm) => {
    localDraft.saveNow(typed);
    setValues(typed);
    setSending(true);
    const checks = await loadChecks();
    const found = checks?.checkForm(typed) ?? {};
    if (checks && Object.keys(found).length > 0) {
      setSending(false);
      refuse({ msg: checks.errorSummary(found), errors: found });
      return;
    }
    // Waits, so that no draft is stored after publishing has deleted it.
    await localDraft.settle();
    const sent = await send(typed, links.send, person);
    if (sent.published) {
      localDraft.drop();
      window.location.assign(sent.to);
      return;
    }
    setSending(false);
    const submit_key = sent.submit_key ?? typed.submit_key;
    if (sent.past) {
      dismissFlash();
      setErrors({});
      setState((before) => ({ ...before, notice: undefined, refusal: undefined }));
      setValues({ ...typed, submit_key, panel: { kind: 'publish', past: true } });
      focus.after('publish');
      return;
    }
    setValues({ ...typed, submit_key, panel: null });
    refuse({ msg: sent.msg, errors: sent.errors, ...(sent.signedOut && { signedOut: true }) });
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    const operation = submitter instanceof HTMLButtonElement ? submitter.value : 'keep';
    const data = new FormData(event.currentTarget);
    const typed = readFields(data, form);
    if (opensPage(splitIntent(operation)) && !sending) {
      localDraft.saveNow(typed);
      // The browser submits the form itself. This adds the state that has no field.
      const whole = ({ formData }: FormDataEvent) => formData.set(packedFormField, JSON.stringify(typed));
      event.currentTarget.addEventListener('formdata', whole, { once: true });
      return;
    }
    event.preventDefault();
    if (sending) return;
    if (operation === 'publish' || operation === 'confirm-publish') {
      void publishNow(typed);
    } else if (operation.startsWith('exchange ')) {
      void exchange(typed, operation);
    } else if (opensScreen(splitIntent(operation))) {
      localDraft.saveNow(typed);
      focus.after(operation);
      data.set(packedFormField, JSON.stringify(typed));
      data.set('intent', operation);
      void go(links.form, { method: 'POST', body: fieldsOf(data) });
    } else {
      apply(operation);
    }
  };
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    const typed = readFields(new FormData(event.currentTarget), form);
    setValues(typed);
    void recheck(typed, (event.target as HTMLInputElement).name);
  };

  return {
    form,
    errors: said,
    state,
    choices,
    displays: useDisplays(view, form, links.display),
    hydrated,
    sending,
    localDraft,
    covered,
    onMove,
    formProps: { ref: element, onSubmit, onInput },
  };
}

const stateOf = ({ notice, refusal }: PublishView, revision: number): PublishFormState => ({
  notice,
  refusal: refusal && { msg: refusal.msg },
  revision,
});

/** True for operations that change ticks, scores or fields of a panel. */
const showsOtherValues = (operation: string) =>
  /^(?:select-all|apply-batch|confirm-remove|deadline|place|undo-exchange)/.test(operation);

const offlineMessage = '网络异常，暂未提交。填写的内容已保存在本机草稿中，请稍后再试。';

async function send(
  form: PublishForm,
  address: string,
  person: FormOwner,
): Promise<PublishAnswer & { signedOut?: boolean }> {
  const refused = (msg: string, signedOut = false) => ({ published: false as const, msg, errors: {}, signedOut });
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ownerHeaders(person) },
      body: JSON.stringify(form),
    });
    if (response.status === 401) return refused('登录已过期，请重新登录。填写的内容已保存在本机草稿中。', true);
    if (response.status === 413) return refused(callMessages.tooLarge);
    const answer = (await response.json()) as PublishAnswer | { msg: string; owner: string };
    return 'owner' in answer ? refused(answer.msg, true) : answer;
  } catch {
    return refused(offlineMessage);
  }
}

/** Asks the server for a question to exchange. */
async function findSimilar(
  address: string,
  person: FormOwner,
  body: object,
): Promise<{ question: Pick<NewQuestion, 'source_id' | 'draft'> } | { msg: string }> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ownerHeaders(person) },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { question: NewQuestion } | { msg: string };
  } catch {
    return { msg: '网络异常，请稍后再试' };
  }
}

/** Loads the periods, child courses and classes of the chosen course and scope. */
function useChoices(form: PublishForm, known: Choices, { choices, arrange_id }: PublishLinks): Choices {
  const { course_basis_id, publish_scope } = form;
  const wanted = hrefOf(choices, {
    course_basis_id: Number(course_basis_id) || undefined,
    publish_scope,
    child_course_basis_ids: form.child_course_basis_ids.map(Number),
    arrange_id,
  });
  // Until the choice changes, the options that came with the page are right.
  const [first, setFirst] = useState({ wanted, known });
  if (first.known !== known) setFirst({ wanted, known });
  const [loaded, setLoaded] = useState<{ wanted: string; choices: Choices }>();
  const isKnown = first.wanted === wanted || loaded?.wanted === wanted;
  useEffect(() => {
    if (isKnown) return undefined;
    const other = new AbortController();
    fetch(wanted, { signal: other.signal })
      .then(async (answer) => {
        if (answer.ok) setLoaded({ wanted, choices: (await answer.json()) as Choices });
      })
      // The network failed, or a newer choice aborted the request: the earlier options stay.
      .catch(() => undefined);
    return () => other.abort();
  }, [isKnown, wanted]);
  return first.wanted === wanted ? first.known : (loaded?.choices ?? known);
}

/** Returns the rendered texts that came with the page. Fetches those that a restored draft adds. */
function useDisplays(view: PublishView, form: PublishForm, address: string): ReadonlyMap<string, string> {
  const [displays, setDisplays] = useState(() => ({ of: view, map: new Map(view.displays) }));
  if (displays.of !== view) setDisplays({ of: view, map: new Map([...displays.map, ...view.displays]) });
  const { map } = displays;
  const { questions } = form;
  useEffect(() => {
    const unknown = [...new Set(textsOf({ questions }).filter(needsDisplay))].filter((text) => !map.has(text));
    if (unknown.length === 0) return;
    let isCurrent = true;
    renderTexts(address, unknown).then((shown) => {
      if (!isCurrent) return;
      // If the request fails, the texts stay plain.
      if (!shown) return;
      const found = unknown.map((text, index) => [text, shown[index] ?? text] as const);
      setDisplays((before) => ({ ...before, map: new Map([...before.map, ...found]) }));
    });
    return () => {
      isCurrent = false;
    };
  }, [questions, map, address]);
  return map;
}

/** Returns the focus to the button after an operation, or moves it to a message. */
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
