/** Sends a handout: the file first, handed on unread while it arrives, then what it is for. */
import { uploadMaterialFile } from '#server/courseware/contract.ts';
import { uploadNotes } from '#server/sessions/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import { keyOfUpload } from '../courseware/upload.server.ts';

/** The lesson and the idempotency key, which are in the address, as the form is not read. */
interface SentFor {
  id: number;
  key: string | undefined;
}

export async function sendHandout(client: ApiClient, request: Request, { id, key }: SentFor) {
  const sent = await client.upload(uploadMaterialFile, request);
  if (!sent.ok) return sent;
  return client.ask(uploadNotes, {
    body: { class_times_id: id, fid: sent.data.fid, file_name: '', file_url: '' },
    idempotencyKey: keyOfUpload(request, key),
    // The file has a number of its own each time that it is sent.
    idempotencyContent: String(id),
  });
}
