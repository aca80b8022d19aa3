/**
 * Autosaves a form of answers: in this browser while the learner types, on the server every ten seconds. When offline
 * it says so and keeps trying. Plain DOM code, so that a phone loads no framework.
 */
import { acceptedEvent, keepForm } from '../ui/client/drafts/keep-form.ts';
import type { AutosaveResponse } from './answer-form.server.ts';
import { saveNowEvent, timeLeftEvent } from './page-events.ts';
import { keepPhotos } from './photos.ts';

/** Milliseconds between two saves, and the timeout of one. */
const saveInterval = 10_000;
const saveTimeout = 20_000;

/** Fields that differ at each page load and are not part of the answers. */
const unsavedFields = new Set(['version', 'shown', 'spent', 'opened', 'acknowledged', 'idempotency_key']);

interface Props {
  name: string;
  save: string;
  /** Address that takes a photograph. */
  upload: string;
  person: string;
  /** Address of the learners' pages. Addresses of their files begin with it. */
  start: string;
  refused: boolean;
}

const props = document.querySelector('[data-props="answer-form.island"]')?.textContent;
const place = document.querySelector<HTMLElement>('[data-answers]');
const state = document.querySelector<HTMLElement>('[data-save-state]');
const form = place?.closest('form');
if (props && place && state && form) keepAnswers(form, { place, state, ...JSON.parse(props) });

function keepAnswers(
  form: HTMLFormElement,
  { place, state, name, save, upload, person, start, refused }: Props & { place: HTMLElement; state: HTMLElement },
): void {
  keepForm(form, place, { person, name });

  const texts = () =>
    new URLSearchParams(
      [...new FormData(form)].flatMap(([field, value]) =>
        typeof value === 'string' && !unsavedFields.has(field) ? [[field, value]] : [],
      ),
    ).toString();
  let kept = texts();
  /**
   * Autosave has stopped: another device has saved, or the school accepts nothing more. The learner must read the
   * message and press a button to continue.
   */
  let isStopped = false;
  let isSending = false;
  let isUnsaved = refused;
  let saving: Promise<boolean> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const say = (words: string) => {
    state.textContent = words;
  };
  // Uploads a photograph once chosen, so that the learner need not wait for it at the end.
  const photos = keepPhotos(form, { person, name, upload, start, say, changed: () => soon() });
  const isChanged = () => texts() !== kept || photos.isWaiting();
  const arm = (wait = saveInterval) => {
    if (!isStopped) timer ??= setTimeout(() => void saveAll(), wait);
  };

  const soon = () => {
    clearTimeout(timer);
    timer = undefined;
    arm(0);
  };

  /**
   * Saves the form. Resolves to true once the server has saved or refused the answers and photographs, and to false if
   * it could not be reached.
   */
  const saveAll = (): Promise<boolean> => {
    saving ??= sendAll().finally(() => {
      saving = undefined;
      if (isChanged()) arm();
    });
    return saving;
  };
  // Sends texts before photographs, which take long on a slow line, and then the addresses of the photographs.
  const sendAll = async () => (await send()) && (await photos.upload()) && (await send());

  const send = async (): Promise<boolean> => {
    clearTimeout(timer);
    timer = undefined;
    if (texts() === kept || isStopped) return true;
    const sent = texts();
    const body = new FormData(form);
    const dropped = [...form.querySelectorAll<HTMLInputElement>('[data-drop] input:checked')];
    const paths = new Set([...body.values()].map(String));
    say('正在保存…');
    let answer: AutosaveResponse;
    let status: number;
    try {
      const response = await fetch(save, { method: 'POST', body, signal: AbortSignal.timeout(saveTimeout) });
      ({ status } = response);
      answer = await response.json().catch(() => ({}));
    } catch {
      say('现在没有网络，答案保存在这台设备上，联网后自动保存');
      return false;
    }
    if (status >= 500 || status === 429) {
      say('学校的服务器暂时没有应答，答案保存在这台设备上，稍后自动保存');
      return false;
    }
    if (status !== 200) {
      // After a 422 autosave continues. The field errors appear when the learner presses a button.
      isUnsaved = true;
      isStopped = status !== 422;
      kept = sent;
      say(status === 401 ? '登录已过期，答案保存在这台设备上，请按任一按钮重新登录' : (answer.msg ?? '没有保存'));
      return true;
    }
    for (const [field, value] of Object.entries(answer.hidden ?? {})) {
      const input = form.elements.namedItem(field);
      if (input instanceof HTMLInputElement) input.value = value;
    }
    photos.saved(paths);
    for (const input of dropped) input.closest('li')?.remove();
    const isStill = dropped.length > 0 || texts() === sent;
    kept = isStill ? texts() : sent;
    isUnsaved = false;
    if (!isChanged()) form.dispatchEvent(new Event(acceptedEvent));
    if (answer.left !== undefined) dispatchEvent(new CustomEvent(timeLeftEvent, { detail: answer.left }));
    say(answer.msg ?? `已保存 ${new Intl.DateTimeFormat('zh-CN', { timeStyle: 'short' }).format(Date.now())}`);
    return true;
  };

  form.addEventListener('input', () => {
    if (!isChanged()) return;
    if (!isStopped) say('有修改还没有保存');
    arm();
  });
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.closest('[data-drop]')) soon();
  });
  form.addEventListener(saveNowEvent, () => void saveAll());
  addEventListener('online', () => void saveAll());
  // No autosave while the page is being left: the next page would load before the save has ended, and would continue
  // with an older version.
  let isLeaving = false;
  addEventListener('pagehide', () => {
    isLeaving = true;
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && !isLeaving) void saveAll();
  });
  addEventListener('beforeunload', (event) => {
    if (!isSending && (isUnsaved || isChanged())) event.preventDefault();
  });
  addEventListener('pageshow', () => {
    isSending = false;
    isLeaving = false;
  });
  form.addEventListener('submit', (event) => {
    if (isSending) return;
    event.preventDefault();
    const { submitter } = event;
    void reached().then((isReached) => {
      if (!isReached) {
        say(`${state.textContent}。没有提交，请稍后再按一次`);
        return;
      }
      if (photos.hasRefused()) {
        say('有照片没有上传成功，请移除后再按一次');
        return;
      }
      isSending = true;
      // After sign-in the photographs that still wait return to this form. So it is saved, not left or handed in.
      const save = form.querySelector<HTMLButtonElement>('button[name=intent][value=save]');
      form.requestSubmit(photos.isWaiting() ? save : submitter);
    });
  });

  /**
   * Returns true once the server responds and everything is saved, or the next page says why photographs must wait. Only
   * then may the browser leave the page.
   */
  const reached = async (): Promise<boolean> => {
    do {
      if (!(await saveAll())) return false;
      try {
        await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(saveTimeout) });
      } catch {
        say('现在没有网络，答案保存在这台设备上');
        return false;
      }
      // A photograph may have been chosen meanwhile.
    } while (photos.isWaiting() && !photos.needsAnotherPage());
    return true;
  };
}
