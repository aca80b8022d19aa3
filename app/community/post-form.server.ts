/** Takes a post with its pictures. Whatever is refused, the text and the pictures that came are in the form again. */
import type { data, RouterContextProvider } from 'react-router';
import { publishPost } from '#server/community/contract.ts';
import { communityMessages, postImageLimit, postPictureBytes } from '#server/community/rules.ts';
import { uploadFile } from '#server/platform/files/contract.ts';
import { notAPicture, pictureTooLarge } from '#server/platform/files/rules.ts';
import { api } from '../api/client.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import { contentOf, readFormWithFiles } from '../shell/form-with-file.server.ts';
import type { Refused } from '../ui/form.tsx';

/** Publishes what was posted and goes back to the list, or answers the form again. */
export async function takePost(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  place: { group_id: number } | { class_id: number },
  backTo: string,
): Promise<ReturnType<typeof data<Refused>>> {
  const client = context.get(api);
  const uploaded: string[] = [];
  const pictures: string[] = [];
  let fault: { status: number; msg: string } | undefined;
  const upload = async (file: File | 'too-large') => {
    if (file === 'too-large') {
      fault ??= { status: 413, msg: pictureTooLarge(postPictureBytes) };
      return;
    }
    if (uploaded.length >= postImageLimit) {
      fault ??= { status: 422, msg: communityMessages.images };
      return;
    }
    pictures.push(await contentOf([file]));
    const form = new FormData();
    form.set('tidy', '1');
    form.set('file', file);
    const outcome = await client.upload(uploadFile, form);
    if (!outcome.ok) fault ??= outcome;
    else if (/\.(?:png|jpg|gif|webp)$/.test(outcome.data.path)) uploaded.push(outcome.data.path);
    else fault ??= { status: 415, msg: notAPicture };
  };

  const isUpload = (request.headers.get('content-type') ?? '').startsWith('multipart/');
  const sent = isUpload
    ? await readFormWithFiles(request, context, postPictureBytes, upload)
    : await request.formData();
  const form = new FormData();
  for (const name of ['content', 'idempotency_key']) form.set(name, String(sent.get(name) ?? ''));
  for (const image of [...sent.getAll('images'), ...uploaded]) form.append('images', String(image));

  if (fault) return refused({ ok: false, ...fault, errors: { images: [fault.msg] } }, form);
  const content = [form.get('content'), ...sent.getAll('images')].map(String);
  const outcome = await client.ask(publishPost, {
    body: { ...place, content: String(form.get('content')), images: form.getAll('images').map(String) },
    idempotencyKey: idempotencyField(form),
    // A picture has an address of its own each time that it is sent.
    idempotencyContent: await contentOf([JSON.stringify(place), ...content, ...pictures]),
  });
  return outcome.ok ? done(context, outcome.msg, backTo) : refused(outcome, form);
}
