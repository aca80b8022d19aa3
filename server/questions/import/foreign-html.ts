/** Converts HTML of other programs to our rich text: pictures into our storage, LaTeX to formulas, unsafe tags removed. */

import { pictureBytes } from '#server/platform/files/rules.ts';
import { escapeHtml, formulaPattern } from '#server/platform/text/render-math.ts';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';
import type { SavePicture } from './imported-question.ts';
import { pictureType } from './pictures.ts';
import { lossMessages, pictureFormatLoss } from './rules.ts';

export interface HtmlSource {
  savePicture?: SavePicture | undefined;
  /** Files that the text names by `@@PLUGINFILE@@/name`. */
  files?: ReadonlyMap<string, Buffer>;
}

/** Markup of the editor for a formula. */
export const formulaSpan = (latex: string, isDisplay = false): string => {
  const written = escapeHtml(isDisplay ? `\\displaystyle ${latex.trim()}` : latex.trim());
  return `<span class="math" data-latex="${written}">${written}</span>`;
};

/**
 * Converts the formulas `\(…\)`, `\[…\]`, `$$…$$` and, if it looks like LaTeX, `$…$` in text that is escaped HTML. Other
 * dollar signs are escaped, so that they do not become a formula.
 */
export const textFormulas = (html: string): string =>
  html.replace(formulaPattern, (whole, display, inline, inParentheses, inBrackets) => {
    const latex = [display, inline, inParentheses, inBrackets].find((found) => found !== undefined);
    if (latex === undefined) return whole;
    const isLatex = inline === undefined || /[\\^_{}]/.test(inline) || /^[a-z]$/i.test(inline);
    if (!isLatex) return whole.replaceAll('$', '\\$');
    return formulaSpan(decodeText(latex), display !== undefined || inBrackets !== undefined);
  });

const decodeText = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&');

/** Returns rich text that can be stored, and messages about what it lacks. */
export async function importHtml(html: string, source: HtmlSource): Promise<{ html: string; losses: string[] }> {
  if (html.trim() === '') return { html: '', losses: [] };
  const losses = new Set<string>();
  const parts: string[] = [];
  let inPre = 0;
  for (const part of html.split(/(<!--[\s\S]*?-->|<\/?[a-z][^<>]*>)/i)) {
    if (/^<img\b/i.test(part)) parts.push(await importPicture(part, source, losses));
    else if (/^<[/a-z!]/i.test(part)) {
      if (/^<pre\b/i.test(part)) inPre += 1;
      if (/^<\/pre/i.test(part)) inPre -= 1;
      if (/^<(?:video|audio|iframe|object|embed|svg|canvas)\b/i.test(part)) losses.add(lossMessages.media);
      if (/^<a\b[^>]*\bhref/i.test(part)) losses.add(lossMessages.link);
      parts.push(part);
    } else parts.push(inPre > 0 ? part : textFormulas(part));
  }
  return { html: sanitizeRichText(parts.join('')), losses: [...losses] };
}

const lostPicture = '［图片］';

async function importPicture(tag: string, source: HtmlSource, losses: Set<string>): Promise<string> {
  const [, quoted, bare] = /\ssrc\s*=\s*(?:(["'][\s\S]*?["'])|([^\s>]+))/i.exec(tag) ?? [];
  const src = decodeText(quoted?.slice(1, -1) ?? bare ?? '');
  const found = pictureAt(src, source);
  if ('lost' in found) {
    losses.add(found.lost);
    return lostPicture;
  }
  const { bytes } = found;
  const type = pictureType(bytes);
  if (!type) losses.add(pictureFormatLoss(/\.(\w{1,5})$/.exec(src)?.[1]?.toUpperCase()));
  else if (bytes.length > pictureBytes) losses.add(lossMessages.largePicture);
  else {
    const url = await source.savePicture?.(bytes, type);
    if (url) return tag.replace(quoted ?? bare ?? '', () => `"${escapeHtml(url)}"`);
    losses.add(lossMessages.picture);
  }
  return lostPicture;
}

function pictureAt(src: string, { files }: HtmlSource): { bytes: Buffer } | { lost: string } {
  const inline = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/.exec(src)?.[1];
  if (inline !== undefined) return { bytes: Buffer.from(inline, 'base64') };
  const named = /^@@PLUGINFILE@@\/+(.+)$/.exec(src)?.[1];
  if (named === undefined) return { lost: lossMessages.linkedPicture };
  const bytes = files?.get(fileName(named));
  return bytes ? { bytes } : { lost: lossMessages.missingPicture };
}

/** Decodes a file name of an address; a wrong escape is kept. */
function fileName(written: string): string {
  try {
    return decodeURIComponent(written.split('?')[0] ?? '');
  } catch {
    return written;
  }
}

/** Converts plain text to HTML with formulas; line breaks become <br />. */
export const textToHtml = (text: string): string =>
  textFormulas(escapeText(text.replace(/\r\n?/g, '\n').trim())).replaceAll('\n', '<br />');

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
