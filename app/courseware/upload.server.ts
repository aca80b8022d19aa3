/** Hands the upload form on to the API while it arrives, and keeps what was typed into it. */
import { uploadClassMaterial, uploadMaterial } from '#server/courseware/contract.ts';
import { fieldsBeforeFile } from '#server/platform/files/multipart.ts';
import { api } from '../api/client.server.ts';
import { classMaterials } from '../classes/screens.ts';
import { pressed, typedForm } from '../shell/form-action.server.ts';
import { keepPosted } from '../shell/form-owner.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { isMultipart } from '../shell/posted-form.server.ts';
import { lessonCourseware, materialList, materialSend } from './screens.ts';
import type { UploadPurpose } from './upload-form.tsx';

/** Bytes at the head of the form in which its text fields stand, all before the file. */
const headBytes = 64 * 1024;

/**
 * Sends the browser's form; `typed` are its text fields, which an error page shows again. The idempotency key is in the
 * address, as the form is not read.
 */
export async function sendUpload(context: RequestContext, request: Request, url: URL) {
  const { class_id, key } = materialSend.at(url);
  const declared = class_id === undefined ? uploadMaterial : uploadClassMaterial;
  const { form, typed } = isMultipart(request) ? await opened(request) : await withoutFile(context, request);
  keepPosted(context, [...typed]);
  pressed(typed, '');
  return { outcome: await context.get(api).upload(declared, form, keyOfUpload(request, key)), typed };
}

/** The form of an error page, which has no file any more. */
async function withoutFile(
  context: RequestContext,
  request: Request,
): Promise<{ form: FormData; typed: URLSearchParams }> {
  const form = await typedForm(request, context);
  const typed = new URLSearchParams();
  for (const [name, value] of form) typed.append(name, String(value));
  return { form, typed };
}

/** Its head is read, so that the fields are there also when nobody takes the rest; that is still to arrive. */
async function opened(request: Request): Promise<{ form: Request; typed: URLSearchParams }> {
  const { fields, whole } = await fieldsBeforeFile(request, headBytes);
  return { form: whole, typed: new URLSearchParams(fields) };
}

/**
 * The key stands in the address and cannot be changed by the answer: with the length of what is sent, the same form sent
 * again is the same request, and another file a new one.
 */
export function keyOfUpload({ headers }: Request, key: string | undefined): string | undefined {
  return key ? `${key}-${headers.get('content-length') ?? ''}` : undefined;
}

/**
 * What the dialog is for, and where it goes back to: a lesson (`times_id`), a class (`class_id`, and `ware` where one of
 * its wares is edited), or the library.
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

/** Address that a script sends the form to. */
export const sendTo = ({ place, of }: UploadPurpose, key: string, closeHref: string) =>
  materialSend.href({ ...of, key, return: place === 'library' ? undefined : closeHref });

/** The same of a class; without `ware` one is added. */
export const classPurpose = (class_id: number, material: number | undefined): UploadPurpose => ({
  place: 'class',
  of: { class_id, ware: material },
});
