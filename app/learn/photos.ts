/**
 * Photographs of a form of answers: shrunk when chosen, kept in this browser, uploaded one by one, and edited. Plain DOM
 * code, like the form's script.
 */
import { pictureBytes, pictureTooLargeMessage, pictureTypes } from '#server/platform/files/rules.ts';
import { ownerHeadersAt } from '../lib/form-owner.ts';
import { newId } from '../lib/new-id.ts';
import { shrinkPhoto } from '../ui/client/photo-drawing.ts';
import { dropPhoto, type KeptPhoto, keepPhoto, keptPhotos } from './photo-store.ts';
import { maxPictures, tooManyPictures } from './terms.ts';

/** Milliseconds that an upload may take: a photograph of 1 MB on a slow line. */
const uploadTimeout = 120_000;

interface Item extends KeptPhoto {
  place: HTMLLIElement;
  /** Why the server refused it. It waits no longer. */
  refused?: string;
}

interface Options {
  person: string;
  /** Name of the form, with its record. */
  name: string;
  /** Address that takes a photograph. */
  upload: string;
  /** Address of the learners' pages. Addresses of their files begin with it. */
  start: string;
  say(words: string): void;
  /** A photograph was added, edited or removed. */
  changed(): void;
}

export interface Photos {
  /** True if photographs are not uploaded yet. */
  isWaiting(): boolean;
  /**
   * True if the last upload was refused because the learner must sign in again, or somebody else has signed in. The
   * next page says so; the photographs stay on this device.
   */
  needsAnotherPage(): boolean;
  /** True if a photograph was refused, and is still in the form. */
  hasRefused(): boolean;
  /** Uploads waiting photographs. Returns false, with a message shown, if the server is unreachable or refuses. */
  upload(): Promise<boolean>;
  /** Forgets the uploaded photographs of these paths, because the server has saved their answer. */
  saved(paths: ReadonlySet<string>): void;
}

export function keepPhotos(form: HTMLFormElement, options: Options): Photos {
  const { person, name, upload, start, say, changed } = options;
  const items = new Set<Item>();
  const listOf = (field: string) => form.querySelector<HTMLUListElement>(`[data-pictures="${field}"]`);
  /** Chosen photographs that are being shrunk: they are not among the items yet. */
  const choices = new Set<Promise<void>>();
  const isWaiting = () =>
    choices.size > 0 || [...items].some(({ path, refused }) => path === undefined && refused === undefined);
  let needsAnotherPage = false;

  const forget = (item: Item) => {
    items.delete(item);
    void dropPhoto(item.id);
  };
  const remember = ({ place: _, refused: __, ...kept }: Item) => void keepPhoto(kept);

  const add = (kept: KeptPhoto): Item | undefined => {
    const list = listOf(kept.field);
    if (!list) return undefined;
    const replaced = [...list.querySelectorAll<HTMLInputElement>('input[type=hidden]')].find(
      ({ value }) => value === kept.replaces,
    );
    const place = replaced?.closest('li') ?? document.createElement('li');
    if (!replaced) list.append(place);
    list.hidden = false;
    const item = { ...kept, place };
    items.add(item);
    show(item, '等待上传');
    return item;
  };

  /** Shows a photograph with its state, and with the hidden field that names it on the server. */
  const show = (item: Item, words: string) => {
    const { place, field, photo, path, replaces, refused } = item;
    const known = path ?? (refused === undefined ? replaces : undefined);
    const link = document.createElement('a');
    if (path !== undefined) link.href = start + path;
    if (path !== undefined || (refused === undefined && isReadable(photo))) {
      const address = path === undefined ? URL.createObjectURL(photo) : start + path;
      const image = Object.assign(document.createElement('img'), { src: address, alt: '刚添加的图片' });
      if (path === undefined) image.addEventListener('load', () => URL.revokeObjectURL(address));
      link.append(image);
    } else link.append('照片');
    const state = Object.assign(document.createElement('p'), { textContent: refused ?? words });
    if (refused !== undefined) state.setAttribute('role', 'alert');
    const hidden = Object.assign(document.createElement('input'), { type: 'hidden', name: field, value: known ?? '' });
    place.replaceChildren(link, ...(known === undefined ? [] : [hidden]), ...(refused || words ? [state] : []));
    if (refused === undefined) place.append(editButton(place, field));
    place.append(
      buttonOf('移除', () => {
        place.remove();
        forget(item);
        changed();
      }),
    );
  };

  const editButton = (place: HTMLLIElement, field: string) => buttonOf('编辑', () => void edit(place, field));

  const edit = async (place: HTMLLIElement, field: string) => {
    const item = [...items].find((one) => one.place === place);
    const stored = place.querySelector<HTMLInputElement>('input[type=hidden]')?.value;
    try {
      const photo = item?.path === undefined && item ? item.photo : await read(start + stored);
      const { editPhoto } = await import('../ui/client/photo-editor.ts');
      const edited = await editPhoto(photo, document.querySelector<HTMLElement>('#screen') ?? document.body);
      if (!edited || edited === photo) return;
      if (item) forget(item);
      const replaces = item?.path ?? item?.replaces ?? stored;
      const next: Item = {
        id: newId(),
        person,
        form: name,
        field,
        photo: edited,
        savedAt: Date.now(),
        place,
        ...(replaces !== undefined && { replaces }),
      };
      items.add(next);
      remember(next);
      show(next, '等待上传');
      changed();
    } catch {
      say('这张照片现在不能编辑，请在上传以后、有网络时再试');
    }
  };

  const isFull = (field: string) =>
    (listOf(field)?.querySelectorAll('li:not(:has([data-drop] :checked))').length ?? 0) >= maxPictures;

  const choose = async (input: HTMLInputElement) => {
    const field = input.name.replace(/_(?:file|camera)$/, '_image');
    const chosen = [...(input.files ?? [])];
    input.value = '';
    for (const file of chosen) {
      if (isFull(field)) {
        say(tooManyPictures);
        break;
      }
      const photo = await shrinkPhoto(file).catch(() => file);
      const kept = { id: newId(), person, form: name, field, photo, savedAt: Date.now() };
      const item = add(kept);
      if (item && photo.size > pictureBytes) refuse(item, pictureTooLargeMessage(pictureBytes));
      else if (item) remember(item);
    }
  };

  const refuse = (item: Item, why: string) => {
    item.refused = why;
    void dropPhoto(item.id);
    show(item, '');
  };

  /** Returns false if the server did not answer, or takes nothing now. Sets `needsAnotherPage`. */
  const send = async (item: Item): Promise<boolean> => {
    show(item, '正在上传…');
    const body = new FormData();
    body.set('file', item.photo, 'photo');
    let answer: { path?: string; msg?: string };
    let status: number;
    try {
      const init = { method: 'POST', body, headers: ownerHeadersAt(form), signal: AbortSignal.timeout(uploadTimeout) };
      const response = await fetch(upload, init);
      ({ status } = response);
      answer = await response.json().catch(() => ({}));
    } catch {
      say('现在没有网络，照片保存在这台设备上，联网后自动上传');
      return false;
    }
    // Removed or edited meanwhile.
    if (!items.has(item)) return true;
    if (status === 200 && answer.path) {
      item.path = answer.path;
      remember(item);
      show(item, '');
      return true;
    }
    if ([413, 415, 422].includes(status)) {
      refuse(item, answer.msg ?? '这张照片没有上传成功');
      return true;
    }
    needsAnotherPage = status === 401 || status === 403 || status === 409;
    say(
      status === 401
        ? '登录已过期，照片保存在这台设备上，请按任一按钮重新登录'
        : status === 403 || status === 409
          ? (answer.msg ?? '照片没有上传，保存在这台设备上')
          : '学校的服务器暂时没有应答，照片保存在这台设备上，稍后自动上传',
    );
    return needsAnotherPage;
  };

  for (const input of form.querySelectorAll<HTMLInputElement>('input[type=file]')) {
    // An iPhone converts HEIC to JPEG if the list leaves it out.
    if (/iPhone|iPad|Macintosh/.test(navigator.userAgent)) input.accept = pictureTypes;
    input.addEventListener('change', () => {
      const choice: Promise<void> = choose(input).finally(() => {
        choices.delete(choice);
        changed();
      });
      choices.add(choice);
    });
  }
  for (const place of form.querySelectorAll<HTMLLIElement>('[data-pictures] li')) {
    const field = place.closest<HTMLElement>('[data-pictures]')?.dataset.pictures ?? '';
    place.append(editButton(place, field));
  }
  void keptPhotos(person, name).then((kept) => {
    const known = new Set([...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')].map(({ value }) => value));
    for (const one of kept) {
      if (one.path !== undefined && known.has(one.path)) void dropPhoto(one.id);
      else if (isFull(one.field) && !known.has(one.replaces ?? '')) say(tooManyPictures);
      else {
        const item = add(one);
        if (item?.path !== undefined) show(item, '');
      }
    }
    if (kept.length > 0) changed();
  });

  return {
    isWaiting,
    needsAnotherPage: () => needsAnotherPage,
    hasRefused: () => [...items].some(({ refused }) => refused !== undefined),
    async upload() {
      needsAnotherPage = false;
      await Promise.all(choices);
      for (const item of [...items]) {
        if (item.path !== undefined || item.refused !== undefined) continue;
        const isAnswered = await send(item);
        if (isAnswered && !needsAnotherPage) continue;
        if (items.has(item)) show(item, '等待上传');
        return isAnswered;
      }
      return true;
    },
    saved(paths) {
      for (const item of [...items]) if (item.path !== undefined && paths.has(item.path)) void dropPhoto(item.id);
    },
  };
}

/** True if every browser shows the format. */
const isReadable = ({ type }: Blob): boolean => type !== '' && pictureTypes.includes(type);

/** Reads a stored picture. */
async function read(address: string): Promise<Blob> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.blob();
}

function buttonOf(words: string, press: () => void): HTMLButtonElement {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: words });
  button.addEventListener('click', press);
  return button;
}
