/** Checks the files of a review: attachments, and images with mark-up. */

import { invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import { findMissingFiles } from '#server/platform/files/missing-files.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { attachmentNotFoundMessage, gradingMessages } from './rules.ts';

interface ReviewFiles {
  review_attachments?: readonly { name: string; url: string }[] | undefined;
  image?: readonly ({ path: string } | null)[] | undefined;
}

/** Refuses files with 422 that were never uploaded to this school. */
export async function refuseMissingFiles(
  storage: Storage,
  { review_attachments: attachments = [], image: images = [] }: ReviewFiles,
): Promise<Refusal | undefined> {
  const drawn = images.flatMap((image) => (image?.path ? [image.path] : []));
  if ((await findMissingFiles(storage, drawn)).length > 0) return invalid({ image: [gradingMessages.lostDrawing] });
  const [lost] = await findMissingFiles(
    storage,
    attachments.map(({ url }) => url),
  );
  if (lost === undefined) return undefined;
  const { name } = attachments.find(({ url }) => url === lost) ?? { name: '' };
  return invalid({ review_attachments: [attachmentNotFoundMessage(name)] });
}
