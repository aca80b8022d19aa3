/**
 * Cleans content that was pasted from another program: converts formulas to LaTeX and uploads pictures. `problem` says
 * what could not be kept.
 */
import { mayHoldForeignFormulas } from '#server/platform/text/rules.ts';
import { isOwnPicture } from './static-rich.tsx';

interface Clipboard {
  files: File[];
  /** The clipboard as RTF, because Word stores the bytes of its pictures there. */
  rtf: string;
  upload: (file: File) => Promise<{ path: string } | { msg: string }>;
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

export async function readPasted(
  html: string,
  { files, rtf, upload }: Clipboard,
): Promise<{ html: string; problem: string | undefined }> {
  const { readForeignFormulas } = await import('#server/platform/text/foreign-formulas.ts');
  const read = readForeignFormulas(html);
  const body = parse(read.html);
  const foreign = [...body.querySelectorAll(pictures)].filter(
    (picture) => !picture.parentElement?.closest(pictures) && !keepOwnPicture(picture),
  );
  const inRtf = files.length === foreign.length ? [] : picturesOfRtf(rtf);
  const bytes = files.length === foreign.length ? files : inRtf.length === foreign.length ? inRtf : [];
  const problems: string[] = [];
  let untaken = 0;
  for (const [index, picture] of foreign.entries()) {
    const file = bytes[index];
    const kept = file && (await upload(file));
    if (kept && 'path' in kept) {
      const image = document.createElement('img');
      image.setAttribute('src', kept.path);
      image.alt = picture.getAttribute('alt') ?? '图片';
      picture.replaceWith(image);
    } else {
      if (kept) problems.push(kept.msg);
      untaken += 1;
      picture.replaceWith('［图片］');
    }
  }
  if (untaken > 0) problems.push(`有${untaken}张图片没有粘贴进来，请另存后用“插入图片”上传`);
  if (read.unread > 0) problems.push(`有${read.unread}个公式无法识别，请用“公式”重新输入`);
  return { html: body.innerHTML, problem: problems.length > 0 ? [...new Set(problems)].join('；') : undefined };
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

function picturesOfRtf(rtf: string): File[] {
  return rtf
    .split('{\\pict')
    .slice(1)
    .flatMap((part) => {
      const type = /\\(png|jpeg)blip/.exec(part)?.[1];
      const [hex = ''] = /(?:[0-9a-f]{2}\s*){40,}/i.exec(part.replace(/\{\\\*\\blipuid[^}]*\}/, '')) ?? [];
      if (!type || hex === '') return [];
      const bytes = Uint8Array.from(hex.match(/[0-9a-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));
      return [new File([bytes], `图片.${type}`, { type: `image/${type}` })];
    });
}
