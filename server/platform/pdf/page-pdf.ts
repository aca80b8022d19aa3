/** A page that was posted, as PDF (download/pdf). */
import { Refusal } from '#server/platform/calls/outcome.ts';
import type { FileServices } from '#server/platform/export/export-file.ts';
import { shownBytes } from '#server/platform/files/rules.ts';
import { plainText } from '#server/platform/text/rich-text.ts';
import { pageLimit } from './contract.ts';
import { pdfFile, type Requester } from './pdf-file.ts';
import { storedPictures } from './pictures.ts';
import { renderHtmlPdf } from './render.ts';

/** Answers the address of the file. Refused: 413 too large a page, 503 too many wait. */
export async function pageAsPdf(
  services: FileServices,
  asker: Requester,
  html: string,
): Promise<{ url: string } | Refusal> {
  if (Buffer.byteLength(html) > pageLimit) return new Refusal('too-large', `页面内容不能超过 ${shownBytes(pageLimit)}`);
  const title = titleOf(html);
  const pictures = await storedPictures(services.storage, [html]);
  return pdfFile(services, asker, title || '页面', renderHtmlPdf({ html, title, pictures }));
}

/** The first heading, for the name of the file and the head of its pages. */
function titleOf(html: string): string {
  const begin = /<(?:h1|title)\b[^<>]*>/i.exec(html);
  if (!begin) return '';
  const from = begin.index + begin[0].length;
  // A heading that does not end soon is none; looking on for the next would take its time on the request loop.
  const heading = /^([\s\S]*?)<\/(?:h1|title)>/i.exec(html.slice(from, from + 400))?.[1] ?? '';
  return [...plainText(heading)].slice(0, 60).join('');
}
