/** Hands the upload form on to the API while it arrives, and keeps what was typed into it. */
import type { RouterContextProvider } from 'react-router';
import { uploadClassWare, uploadWare } from '#server/courseware/contract.ts';
import { api } from '../api/client.server.ts';
import { classWares } from '../classes/screens.ts';
import { isMultipart, postedContext } from '../shell/posted.server.ts';
import { lessonCourseware, wareList, wareSend } from './screens.ts';
import type { UploadPurpose } from './upload-form.tsx';

/** Bytes at the head of the form in which its text fields stand, all before the file. */
const headBytes = 64 * 1024;
const fileHead = /\r\ncontent-disposition:[^\r\n]*filename/i;

/**
 * Sends the browser's form; `typed` are its text fields, which an error page shows again. The idempotency key is in the
 * address, as the form is not read.
 */
export async function sendUpload(context: Readonly<RouterContextProvider>, request: Request, url: URL) {
  const { class_id, key } = wareSend.at(url);
  const declared = class_id === undefined ? uploadWare : uploadClassWare;
  const { form, typed } = isMultipart(request) ? await opened(request) : await withoutFile(request);
  context.set(postedContext, Object.entries(typed));
  return { outcome: await context.get(api).upload(declared, form, keyOfUpload(request, key)), typed };
}

/** The form of an error page, which has no file any more. */
async function withoutFile(request: Request): Promise<{ form: FormData; typed: Record<string, string> }> {
  const form = await request.formData();
  return { form, typed: Object.fromEntries([...form].map(([name, value]) => [name, String(value)])) };
}

/** Its head is read, so that the fields are there also when nobody takes the rest; that is still to arrive. */
async function opened(request: Request): Promise<{ form: Request; typed: Record<string, string> }> {
  const contentType = request.headers.get('content-type') ?? '';
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let head = Buffer.alloc(0);
  while (reader && head.length < headBytes && !fileHead.test(head.toString('latin1'))) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    head = Buffer.concat([head, value.subarray(0, headBytes - head.length)]);
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } =
        chunks.length > 0 ? { value: chunks.shift() } : ((await reader?.read()) ?? { done: true });
      if (done || !value) controller.close();
      else controller.enqueue(value);
    },
  });
  const { method, headers } = request;
  const form = new Request(request.url, { method, headers, body, duplex: 'half' } as RequestInit);
  return { form, typed: typedFields(head.toString('utf8'), contentType) };
}

/**
 * The key stands in the address and cannot be changed by the answer: with the length of what is sent, the same form sent
 * again is the same request, and another file a new one.
 */
export function keyOfUpload({ headers }: Request, key: string | undefined): string | undefined {
  return key ? `${key}-${headers.get('content-length') ?? ''}` : undefined;
}

/** The text fields of a multipart form, up to its first file (RFC 7578). */
function typedFields(head: string, contentType: string): Record<string, string> {
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1];
  const fields: Record<string, string> = {};
  if (!boundary) return fields;
  for (const part of head.split(`--${boundary}`).slice(1)) {
    const [, header = '', value = ''] = /^\r\n(.*?)\r\n\r\n(.*)\r\n$/s.exec(part) ?? [];
    if (/filename/i.test(header)) break;
    const name = /name="([^"]*)"/i.exec(header)?.[1];
    if (name) fields[name] = value;
  }
  return fields;
}

/**
 * What the dialog is for, and where it goes back to: a lesson (`times_id`), a class (`class_id`, and `ware` where one of
 * its wares is edited), or the library.
 */
export function uploadPurpose(url: URL): UploadPurpose & { back: string } {
  const { times_id, times_type, class_id, ware, return: back } = wareSend.at(url);
  if (times_id !== undefined) {
    const of = { times_id, times_type };
    return { place: 'lesson', of, back: back ?? lessonCourseware.href(of) };
  }
  if (class_id !== undefined) return classPurpose(class_id, ware, back);
  return { place: 'library', of: {}, back: wareList.href() };
}

/** The same of a class; without `ware` one is added. */
export function classPurpose(
  class_id: number,
  ware: number | undefined,
  back = classWares.href({ id: class_id }),
): UploadPurpose & { back: string } {
  return { place: 'class', of: { class_id, ware }, back };
}
