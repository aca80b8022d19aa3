/** Streams the upload form to the API while it arrives, and keeps its text fields. */
import { uploadClassMaterial, uploadMaterial } from '#server/courseware/contract.ts';
import { fieldsBeforeFile } from '#server/platform/files/multipart.ts';
import { api } from '../api/client.server.ts';
import { classMaterials } from '../classes/screens.ts';
import { readButton, readPostedForm } from '../shell/form-action.server.ts';
import { keepPosted } from '../shell/form-owner.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { isMultipart } from '../shell/posted-form.server.ts';
import { lessonCourseware, materialList, materialSend } from './screens.ts';
import type { UploadPurpose } from './upload-form.tsx';

/** Bytes at the start of the form that contain all text fields; the file follows them. */
const headBytes = 64 * 1024;

/**
 * Forwards the browser's form; `typed` are its text fields, for the error page. The idempotency key is in the address,
 * because the form is not read.
 */
export async function sendUpload(context: RequestContext, request: Request, url: URL) {
  const { class_id, key } = materialSend.at(url);
  const declared = class_id === undefined ? uploadMaterial : uploadClassMaterial;
  const { form, typed } = isMultipart(request) ? await opened(request) : await withoutFile(context, request);
  keepPosted(context, [...typed]);
  readButton(typed, '');
  return { outcome: await context.get(api).upload(declared, form, keyOfUpload(request, key)), typed };
}

/** A form that an error page sends again, without its file. */
async function withoutFile(
  context: RequestContext,
  request: Request,
): Promise<{ form: FormData; typed: URLSearchParams }> {
  const form = await readPostedForm(request, context);
  const typed = new URLSearchParams();
  for (const [name, value] of form) typed.append(name, String(value));
  return { form, typed };
}

/** Reads the start of the form, so that its fields are known even if the rest is refused. */
async function opened(request: Request): Promise<{ form: Request; typed: URLSearchParams }> {
  const { fields, whole } = await fieldsBeforeFile(request, headBytes);
  return { form: whole, typed: new URLSearchParams(fields) };
}

/**
 * Derives the idempotency key from that of the address and Content-Length. The same form sent again is the same
 * request; another file is a new one.
 */
export function keyOfUpload({ headers }: Request, key: string | undefined): string | undefined {
  return key ? `${key}-${headers.get('content-length') ?? ''}` : undefined;
}

/**
 * Reads the purpose and the way back from the address: a lesson (`times_id`), a class (`class_id`, with `ware` to
 * edit), or the library.
 */
export function uploadPurpose(url: URL): UploadPurpose & { back: string } {
  const { times_id, times_type, class_id, ware: material, return: back } = materialSend.at(url);
  if (times_id !== undefined) {
    const of = { times_id, times_type };
    return { place: 'lesson', of, back: back ?? lessonCourseware.href(of) };
  }
  if (class_id !== undefined)
    return { ...classPurpose(class_id, material), back: back ?? classMaterials.href({ id: class_id }) };
  return { place: 'library', of: {}, back: materialList.href() };
}

/** Address for client JS. */
export const uploadAddress = ({ place, of }: UploadPurpose, key: string, closeHref: string) =>
  materialSend.href({ ...of, key, return: place === 'library' ? undefined : closeHref });

/** The purpose for a class; without `material` it adds a file. */
export const classPurpose = (class_id: number, material: number | undefined): UploadPurpose => ({
  place: 'class',
  of: { class_id, ware: material },
});
