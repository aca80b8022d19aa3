/**
 * Publishes a post with pictures. If the API refuses it, shows the form again with its text and the uploaded pictures.
 */
import type { data } from 'react-router';
import { publishPost } from '#server/community/contract.ts';
import { communityMessages, postImageLimit } from '#server/community/rules.ts';
import { pictureBytes } from '#server/platform/files/rules.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm, refusedForm } from '../shell/form-action.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { contentHash, readFormWithFiles } from '../shell/form-with-file.server.ts';
import { storePicture } from '../shell/picture.server.ts';
import { isMultipart } from '../shell/posted-form.server.ts';
import type { RefusedForm } from '../ui/form-state.ts';

export async function submitPost(
  { request, context }: { request: Request; context: RequestContext },
  place: { group_id: number } | { class_id: number },
  backTo: string,
): Promise<ReturnType<typeof data<RefusedForm>>> {
  const client = context.get(api);
  const uploaded: string[] = [];
  const pictures: string[] = [];
  let fault: { status: number; msg: string } | undefined;
  const upload = async (file: File | 'too-large') => {
    if (file !== 'too-large' && uploaded.length >= postImageLimit) {
      fault ??= { status: 422, msg: communityMessages.images };
      return;
    }
    if (file !== 'too-large') pictures.push(await contentHash([file]));
    const stored = await storePicture(client, file, { tidy: true });
    if (stored.ok) uploaded.push(stored.data.path);
    else fault ??= stored;
  };

  const sent = isMultipart(request)
    ? await readFormWithFiles(request, context, pictureBytes, upload)
    : await readPostedForm(request, context);
  readButton(sent, '');
  const form = new FormData();
  for (const name of ['content', 'idempotency_key']) form.set(name, textOf(sent, name));
  for (const image of [...sent.getAll('images'), ...uploaded]) form.append('images', String(image));

  if (fault) return refusedForm({ ok: false, ...fault, errors: { images: [fault.msg] } }, form);
  const content = textOf(form, 'content');
  const outcome = await client.ask(publishPost, {
    body: { ...place, content, images: form.getAll('images').map(String) },
    idempotencyKey: idempotencyField(form),
    // Each upload of the same picture gets another address, so the idempotency check hashes the content.
    idempotencyContent: await contentHash([
      JSON.stringify(place),
      content,
      ...sent.getAll('images').map(String),
      ...pictures,
    ]),
  });
  return finishForm(context, outcome, backTo, form);
}
