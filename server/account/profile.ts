import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, type Refusal, refuseFile } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { encodeAvatar, inspectPicture } from '#server/platform/files/image.ts';
import { pictureBytes } from '#server/platform/files/rules.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { Profile, ProfileForm } from './contract.ts';
import { accountMessages } from './rules.ts';

const columns = ['avatar', 'real_name', 'mobile', 'introduction'] as const;

export const ownProfile = (db: Database, actor: Actor): Promise<Profile> =>
  db.selectFrom('staff').select(columns).where('id', '=', actor.id).executeTakeFirstOrThrow();

const formats: readonly string[] = ['gif', 'jpeg', 'png'];

/**
 * Returns the avatar URL to store: of a small square picture made from the upload, or the present URL if unchanged.
 * 415: not a picture. 422: damaged or missing file.
 */
export async function storeAvatar(
  storage: Storage,
  { present, sent }: { present: string; sent: string },
): Promise<string | Refusal> {
  if (sent === present) return present;
  const key = /^\/files\/(\d{4}\/\d{2}\/[a-z0-9]{1,40}\.[a-z0-9]{1,8})$/.exec(sent)?.[1];
  const bytes = key === undefined ? null : await storage.readWhole(key, pictureBytes);
  if (key === undefined || !bytes) return invalid({ avatar: [accountMessages.lostAvatar] });
  const notAllowed = () => refuseFile({ refused: 415, message: accountMessages.avatar }, 'avatar');
  const picture = await inspectPicture(bytes);
  // A file with a picture's extension gets the reason why it cannot be read; any other is refused as no picture.
  if (!('ok' in picture)) return /\.(gif|jpe?g|png)$/.test(key) ? refuseFile(picture, 'avatar') : notAllowed();
  if (!formats.includes(picture.ok.format)) return notAllowed();
  const made = await encodeAvatar(bytes);
  if (!('ok' in made)) return refuseFile(made, 'avatar');
  const stored = await storage.put(
    (async function* () {
      yield made.ok;
    })(),
    { extension: 'webp', contentType: 'image/webp', limit: pictureBytes },
  );
  return 'ok' in stored ? `/files/${stored.ok.key}` : refuseFile(stored, 'avatar');
}

export async function saveProfile(db: Database, actor: Actor, form: ProfileForm, now: number): Promise<null> {
  const before = await ownProfile(db, actor);
  const { avatar, real_name, introduction } = form;
  await db.updateTable('staff').set({ avatar, real_name, introduction }).where('id', '=', actor.id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: actor.id,
    action: 'profile',
    before: { avatar: before.avatar, real_name: before.real_name, introduction: before.introduction },
    after: { avatar, real_name, introduction },
  });
  return null;
}
