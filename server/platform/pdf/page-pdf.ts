/** Converts a posted HTML page to PDF (download/pdf). */

import { Refusal } from '#server/platform/calls/outcome.ts';
import type { FileServices } from '#server/platform/export/export-file.ts';
import { formatBytes } from '#server/platform/files/rules.ts';
import { plainText } from '../text/plain-text.ts';
import { pageLimit } from './contract.ts';
import { pdfFile, type Requester } from './pdf-file.ts';
import { storedPictures } from './pictures.ts';
import { renderHtmlPdf } from './render.ts';

/** Converts a page to PDF; returns the address of the file. 413: page too large. 503: the queue is full. */
export async function pageAsPdf(
  services: FileServices,
  asker: Requester,
  html: string,
): Promise<{ url: string } | Refusal> {
  if (Buffer.byteLength(html) > pageLimit)
    return new Refusal('too-large', `页面内容不能超过 ${formatBytes(pageLimit)}`);
  const title = titleOf(html);
  const pictures = await storedPictures(services.storage, [html]);
  return pdfFile(services, asker, title || '页面', renderHtmlPdf({ html, title, pictures }));
}

/** Returns the first heading of the page, for the file name and the header of the pages. */
function titleOf(html: string): string {
  const begin = /<(?:h1|title)\b[^<>]*>/i.exec(html);
  if (!begin) return '';
  const from = begin.index + begin[0].length;
  // Searches only 400 characters: scanning a whole page for a missing end tag would block the event loop.
  const heading = /^([\s\S]*?)<\/(?:h1|title)>/i.exec(html.slice(from, from + 400))?.[1] ?? '';
  return [...plainText(heading)].slice(0, 60).join('');
}
