/** Streams the upload form to the API while it arrives, and keeps its text fields. */
import { uploadClassMaterial, uploadMaterial } from '#server/courseware/contract.ts';
import { fieldsBeforeFile } from '#server/platform/files/multipart.ts';
import { api } from '../api/client.server.ts';
import { classMaterials } from '../classes/screens.ts';
import { readButton, readPostedForm } from '../shell/form-action.server.ts';
import { keepPostedFields } from '../shell/form-owner.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { isMultipart } from '../shell/posted-form.server.ts';
import { lessonCourseware, materialList, materialUploadTarget } from './screens.ts';
import type { UploadPurpose } from './upload-form.tsx';

/** Maximum size in bytes of the text fields, which come first in the form. The file follows them. */
const headBytes = 64 * 1024;

/**
 * Forwards the browser's form to the API. `typed` has its text fields, for the error page. The idempotency key is in
 * the address, because the form is not parsed.
 */
export async function forwardUpload(context: RequestContext, request: Request, url: URL) {
  const { class_id, key } = materialUploadTarget.at(url);
  const declared = class_id === undefined ? uploadMaterial : uploadClassMaterial;
  const { form, typed } = isMultipart(request) ? await readTextFields(request) : await withoutFile(context, request);
  keepPostedFields(context, [...typed]);
  readButton(typed, '');
  return { outcome: await context.get(api).upload(declared, form, uploadKeyOf(request, key)), typed };
}

/** Handles a form that an error page sends again, without its file. */
async function withoutFile(
  context: RequestContext,
  request: Request,
): Promise<{ form: FormData; typed: URLSearchParams }> {
  const form = await readPostedForm(request, context);
  const typed = new URLSearchParams();
  for (const [name, value] of form) typed.append(name, String(value));
  return { form, typed };
}

/** Reads the text fields at the start of the form, so that they are known even if the file is refused. */
async function readTextFields(request: Request): Promise<{ form: Request; typed: URLSearchParams }> {
  const { fields, whole } = await fieldsBeforeFile(request, headBytes);
  return { form: whole, typed: new URLSearchParams(fields) };
}

/**
 * Combines the key of the address with the Content-Length. The same form sent again is the same request, but another
 * file is a new one.
 */
export function uploadKeyOf({ headers }: Request, key: string | undefined): string | undefined {
  return key ? `${key}-${headers.get('content-length') ?? ''}` : undefined;
}

/**
 * Reads the purpose of an upload and where to return from the address: a lesson (`times_id`), a class (`class_id`, and
 * `ware` to replace a file), or the library.
 */
export function uploadPurpose(url: URL): UploadPurpose & { back: string } {
  const { times_id, times_type, class_id, ware: material, return: back } = materialUploadTarget.at(url);
  if (times_id !== undefined) {
    const of = { times_id, times_type };
    return { place: 'lesson', of, back: back ?? lessonCourseware.href(of) };
  }
  if (class_id !== undefined)
    return { ...classPurpose(class_id, material), back: back ?? classMaterials.href({ id: class_id }) };
  return { place: 'library', of: {}, back: materialList.href() };
}

/** Address to which client JS sends an upload. */
export const uploadAddress = ({ place, of }: UploadPurpose, key: string, closeHref: string) =>
  materialUploadTarget.href({ ...of, key, return: place === 'library' ? undefined : closeHref });

/** Purpose of an upload to a class. Without `material` it adds a file, otherwise it replaces that file. */
export const classPurpose = (class_id: number, material: number | undefined): UploadPurpose => ({
  place: 'class',
  of: { class_id, ware: material },
});
