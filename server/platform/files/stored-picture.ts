import { invalid, Refusal } from '#server/platform/calls/outcome.ts';
import { extensionOf, pictureBytes, pictureExtensions, pictureTooLargeMessage } from './rules.ts';
import type { Storage } from './storage.ts';
import { isStorageKey } from './storage-key.ts';

/**
 * Refuses an address that is not the one of a stored picture; its content was checked at the upload. At `field`: 422
 * the file is missing or no picture, 413 larger than a picture may be.
 */
export async function refuseWrongPicture(
  storage: Pick<Storage, 'stat'>,
  { field, address, said }: { field: string; address: string; said: { none: string; notAPicture: string } },
): Promise<Refusal | undefined> {
  const refuse = (message: string) => invalid({ [field]: [message] });
  if (address.trim() === '') return refuse(said.none);
  const key = address.replace(/^\/files\//, '');
  if (key === address || !isStorageKey(key)) return refuse(said.none);
  if (!pictureExtensions.includes(extensionOf(key))) return refuse(said.notAPicture);
  const file = await storage.stat(key);
  if (!file) return refuse(said.none);
  if (file.size <= pictureBytes) return undefined;
  const message = pictureTooLargeMessage(pictureBytes);
  return new Refusal('too-large', message, { errors: { [field]: [message] } });
}
