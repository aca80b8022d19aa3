/** Uploads a handout: streams the file to the API, then assigns it to the lesson. */
import { uploadMaterialFile } from '#server/courseware/contract.ts';
import { uploadNotes } from '#server/sessions/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import { uploadKeyOf } from '../courseware/upload.server.ts';

/**
 * Lesson and idempotency key. Both are in the address, because the form is forwarded to the API without being parsed.
 */
interface SentFor {
  id: number;
  key: string | undefined;
}

export async function sendHandout(client: ApiClient, request: Request, { id, key }: SentFor) {
  const sent = await client.upload(uploadMaterialFile, request);
  if (!sent.ok) return sent;
  return client.ask(uploadNotes, {
    body: { class_times_id: id, fid: sent.data.fid, file_name: '', file_url: '' },
    idempotencyKey: uploadKeyOf(request, key),
    // The idempotency check compares only the lesson, because each upload of the same file gets another id.
    idempotencyContent: String(id),
  });
}
