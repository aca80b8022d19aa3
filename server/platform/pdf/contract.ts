/** A page that a screen shows, as PDF. */
import * as v from 'valibot';
import { call } from '#server/platform/calls/call.ts';

/** Bytes of the posted page, in UTF-8. */
export const pageLimit = 2 * 1024 * 1024;

/**
 * Sets the posted HTML: its text, tables, formulas and pictures of our own storage, never its styles (`css` is not
 * read), scripts or frames. `path` works for its maker alone and for an hour. 413 beyond 2 MB, 503 while too many are
 * waiting.
 */
export const downloadPdf = call({
  method: 'POST',
  path: 'download/pdf',
  title: '页面导出为 PDF',
  reads: true,
  // The same page as JSON, where every line end and quotation mark is two bytes, with its styles.
  bodyLimit: 2 * pageLimit,
  body: v.object({
    css: v.optional(v.unknown()),
    html: v.pipe(v.string(), v.trim(), v.nonEmpty('没有可以导出的内容')),
  }),
  answer: v.object({ path: v.string() }),
});
