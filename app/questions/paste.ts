/**
 * Cleans content that was pasted from another program: converts formulas to LaTeX and finds the bytes of pictures, which
 * are uploaded afterwards.
 */
import { mayHoldForeignFormulas } from '#server/platform/text/rules.ts';
import { newId } from '../lib/new-id.ts';
import { picturesOfRtf } from './rtf-pictures.ts';
import { isOwnPicture } from './static-rich.tsx';

interface Clipboard {
  files: File[];
  /** The clipboard as RTF, because Word stores the bytes of its pictures there. */
  rtf: string;
}

/** A picture that waits for its upload. `key` names its place in the text. */
export interface WaitingPicture {
  key: string;
  /** Undefined if the clipboard does not have the picture itself. */
  file: File | undefined;
}

interface Pasted {
  body: HTMLElement;
  pictures: WaitingPicture[];
  /** Number of formulas that could not be converted. */
  unread: number;
}

/** Selector of pictures, except icons of web pages. */
const pictures = 'img, object, embed, svg:not([aria-hidden="true"], button svg)';

const parse = (html: string) => new DOMParser().parseFromString(html, 'text/html').body;

/** True if the content must be cleaned, because the editor would lose a formula or a picture of another site. */
export const needsCleaning = (html: string): boolean =>
  mayHoldForeignFormulas(html) ||
  (/<(?:img|object|embed|svg)\b/i.test(html) &&
    [...parse(html).querySelectorAll(pictures)].some((picture) => !isOwnPicture(picture.getAttribute('src') ?? '')));

export const hasText = (html: string): boolean => (parse(html).textContent ?? '').trim() !== '';

/** Converts pasted HTML. Each foreign picture becomes the place of an upload (rich-schema.ts). */
export async function readPasted(html: string, { files, rtf }: Clipboard): Promise<Pasted> {
  const { readForeignFormulas } = await import('#server/platform/text/foreign-formulas.ts');
  const read = readForeignFormulas(html);
  const body = parse(read.html);
  const foreign = [...body.querySelectorAll(pictures)].filter(
    (picture) => !picture.parentElement?.closest(pictures) && !keepOwnPicture(picture),
  );
  // Taken by their order, so only if none is missing. The RTF has each picture; a file may show the whole selection.
  const inRtf = picturesOfRtf(rtf).map(({ file }) => file);
  const complete = [inRtf, files].filter(({ length }) => length === foreign.length);
  const waiting = foreign.map((picture, index) => {
    const key = newId();
    const place = document.createElement('span');
    place.dataset.pending = key;
    picture.replaceWith(place);
    return { key, file: complete.map((list) => list[index]).find((file) => file !== undefined) };
  });
  return { body, pictures: waiting, unread: read.unread };
}

/** Says what could not be kept of a paste; undefined if nothing is lost. `refused`: messages of refused uploads. */
export function pasteProblem(lost: { pictures: number; formulas: number; refused: string[] }): string | undefined {
  const problems = [...lost.refused];
  if (lost.pictures > 0)
    problems.push(`有${lost.pictures}张图片没有粘贴进来，请另存后用“插入图片”上传，或用“导入题目”导入整个文件`);
  if (lost.formulas > 0) problems.push(`有${lost.formulas}个公式无法识别，请用“公式”重新输入`);
  return problems.length > 0 ? [...new Set(problems)].join('；') : undefined;
}

/** True for a picture of this site. Browsers paste it with its full address, so the origin is removed. */
function keepOwnPicture(picture: Element): boolean {
  const source = picture.getAttribute('src') ?? '';
  if (isOwnPicture(source)) return true;
  // An anchor's href parses any text as a URL; `URL.parse` only exists from Chrome 126 on.
  const { origin, pathname } = Object.assign(document.createElement('a'), { href: source });
  if (origin !== location.origin || !isOwnPicture(pathname)) return false;
  picture.setAttribute('src', pathname);
  return true;
}
