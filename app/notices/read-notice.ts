import type { WrittenNotice } from '#server/notices/contract.ts';
import { textOf } from '../lib/form-data.ts';
import { htmlOf } from '../questions/rich-text.ts';

/** Reads the form of a notice, sent with or without client JS. */
export function readNotice(form: FormData): WrittenNotice {
  const content = textOf(form, 'content');
  return { title: textOf(form, 'title'), content: form.get('content.as') === 'html' ? content : htmlOf(content) };
}
