/** Stores a picture that a browser without client JS posted with a form. */
import { uploadFile } from '#server/platform/files/contract.ts';
import { extensionOf, notAPictureMessage, pictureBytes, pictureTooLargeMessage } from '#server/platform/files/rules.ts';
import type { ApiClient } from '../api/client.server.ts';
import type { RefusedOutcome } from '../api/outcome.server.ts';

interface PictureTerms {
  /** Maximum bytes of the picture. */
  most?: number;
  /** Allowed file extensions. Default: the limits of any picture. */
  extensions?: readonly string[];
  fault?: string;
  /** True to rotate the picture upright, scale it down and remove its EXIF data. */
  tidy?: boolean;
}

/** Returns the path of the stored picture, or the refusal. */
export async function storePicture(client: ApiClient, file: File | 'too-large', terms: PictureTerms = {}) {
  const { most = pictureBytes, extensions, fault = notAPictureMessage, tidy = false } = terms;
  if (file === 'too-large') return refusal(413, pictureTooLargeMessage(most));
  if (extensions && !extensions.includes(extensionOf(file.name))) return refusal(415, fault);
  const form = new FormData();
  if (tidy) form.set('tidy', '1');
  form.set('file', file);
  const outcome = await client.upload(uploadFile, form);
  // The extension of the stored file comes from its content. The file name may have another one.
  if (outcome.ok && !/\.(?:png|jpg|gif|webp)$/.test(outcome.data.path)) return refusal(415, fault);
  return outcome;
}

const refusal = (status: number, msg: string): RefusedOutcome => ({ ok: false, status, msg });
