/** Hands the upload form on to the API while it arrives, and keeps what was typed into it. */
import { safeRedirect } from 'remix-utils/safe-redirect';
import { uploadClassWare, uploadWare } from '#server/courseware/contract.ts';
import type { ApiClient } from '../api.server.ts';
import { classAddress } from '../classes/tabs/tab.ts';
import { listSearch } from '../lib/search.ts';
import { lessonAddress } from './lesson-wares.tsx';
import type { UploadPurpose } from './upload-form.tsx';

/** Bytes at the head of the form in which its text fields stand, all before the file. */
const headBytes = 64 * 1024;

/** Sends the browser's form; `typed` are its text fields. The idempotency key is in the address, as the form is not read. */
export async function sendUpload(client: ApiClient, request: Request, url: URL) {
  const head: Uint8Array[] = [];
  let size = 0;
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (size < headBytes) head.push(chunk.subarray(0, headBytes - size));
      size += chunk.byteLength;
      controller.enqueue(chunk);
    },
  });
  const { method, headers } = request;
  const body = request.body?.pipeThrough(watch) ?? null;
  const form = new Request(request.url, { method, headers, body, duplex: 'half' } as RequestInit);
  const declared = url.searchParams.has('class_id') ? uploadClassWare : uploadWare;
  const outcome = await client.upload(declared, form, url.searchParams.get('key') ?? undefined);
  return { outcome, typed: typedFields(Buffer.concat(head).toString('utf8'), headers.get('content-type') ?? '') };
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
  const asked = (name: string) => url.searchParams.get(name) ?? '';
  const [times_id, times_type, class_id, ware] = ['times_id', 'times_type', 'class_id', 'ware'].map(asked) as [
    string,
    string,
    string,
    string,
  ];
  if (times_id) {
    const back = safeRedirect(asked('return'), lessonAddress('list', { times_id, times_type }));
    return { place: 'lesson', fields: { times_id, times_type }, back };
  }
  if (class_id) return classPurpose(Number(class_id), ware, asked('return'));
  const { key, ...filter } = Object.fromEntries(url.searchParams);
  return { place: 'library', fields: {}, back: `/courseware${listSearch(filter)}` };
}

/** The same of a class; `ware` is blank where one is added. */
export function classPurpose(classId: number, ware: string, back = ''): UploadPurpose & { back: string } {
  const fields: Record<string, string> = { class_id: String(classId), ...(ware ? { id: ware } : {}) };
  return { place: 'class', fields, back: safeRedirect(back, classAddress(classId, 'courseware')) };
}
