/** Stores a picture that a browser without client JS sends with a form. */
import { uploadFile } from '#server/platform/files/contract.ts';
import { extensionOf, notAPicture, pictureBytes, pictureTooLarge } from '#server/platform/files/rules.ts';
import type { ApiClient } from '../api/client.server.ts';
import type { RefusedOutcome } from '../api/outcome.server.ts';

interface PictureTerms {
  /** Bytes. */
  most?: number;
  /** Endings of the file's name, where not every picture is taken. */
  extensions?: readonly string[];
  /** Why another file is not taken. */
  fault?: string;
  /** Kept upright, smaller, and without the camera's notes. */
  tidy?: boolean;
}

/** Where it is stored, or why it is not. */
export async function takePicture(client: ApiClient, file: File | 'too-large', terms: PictureTerms = {}) {
  const { most = pictureBytes, extensions, fault = notAPicture, tidy = false } = terms;
  if (file === 'too-large') return refusal(413, pictureTooLarge(most));
  if (extensions && !extensions.includes(extensionOf(file.name))) return refusal(415, fault);
  const form = new FormData();
  if (tidy) form.set('tidy', '1');
  form.set('file', file);
  const outcome = await client.upload(uploadFile, form);
  // By its content a file may be something else than its name says.
  if (outcome.ok && !/\.(?:png|jpg|gif|webp)$/.test(outcome.data.path)) return refusal(415, fault);
  return outcome;
}

const refusal = (status: number, msg: string): RefusedOutcome => ({ ok: false, status, msg });
