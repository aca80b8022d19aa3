/** A picture that was uploaded before, as a record comes to name it. */
import { invalid, Refusal } from '#server/platform/calls/outcome.ts';
import { extensionOf, pictureBytes, pictureExtensions, pictureTooLarge } from './rules.ts';
import { isStorageKey, type Storage } from './storage.ts';

/**
 * `address` is what public/file answered: its content was checked when it came. Refused at `field`: 422 none or no
 * picture that is there, 413 beyond the size of a picture.
 */
export async function refusePicture(
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
  const message = pictureTooLarge(pictureBytes);
  return new Refusal('too-large', message, { errors: { [field]: [message] } });
}
