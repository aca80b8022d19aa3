/** Converts the HTML of a screen to PDF. */
import * as v from 'valibot';
import { call } from '#server/platform/calls/call.ts';

/** Maximum bytes of the posted page (UTF-8). */
export const pageLimit = 2 * 1024 * 1024;

/**
 * Converts posted HTML to PDF. Keeps text, tables, formulas and stored pictures; drops styles (`css` is ignored),
 * scripts and frames. The returned `path` works for the requester only, for an hour. 413: more than 2 MB. 503: the
 * queue is full.
 */
export const downloadPdf = call({
  method: 'POST',
  path: 'download/pdf',
  title: '页面导出为 PDF',
  reads: true,
  // Twice the limit of a page, because in JSON each line end and quotation mark takes two bytes.
  bodyLimit: 2 * pageLimit,
  body: v.object({
    css: v.optional(v.unknown()),
    html: v.pipe(v.string(), v.trim(), v.nonEmpty('没有可以导出的内容')),
  }),
  answer: v.object({ path: v.string() }),
});
