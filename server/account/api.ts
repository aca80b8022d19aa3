import { RateLimiterMemory } from 'rate-limiter-flexible';
import { hashPassword } from '#server/platform/auth/password.ts';
import { endOtherSignIns } from '#server/platform/auth/sign-in.ts';
import { Commit } from '#server/platform/calls/bind.ts';
import { invalid, isRefusal, Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { handle } from '#server/school/context.ts';
import { information, listDevices, signOutDevice, signOutOthers, updatePassword, updateProfile } from './contract.ts';
import { devicesOf, endDevice } from './devices.ts';
import { passwordFormErrors, refuseOldPassword, replacePassword } from './password.ts';
import { keptAvatar, ownProfile, saveProfile } from './profile.ts';
import { accountMessages } from './rules.ts';

/** Wrong old passwords that one person of a school may give within the window (seconds). */
const guesses = { points: 10, duration: 600 };
const limiters = new WeakMap<Database, RateLimiterMemory>();
function limiterOf(db: Database): RateLimiterMemory {
  const limiter = limiters.get(db) ?? new RateLimiterMemory({ keyPrefix: 'old-password', ...guesses });
  limiters.set(db, limiter);
  return limiter;
}

export const accountCalls = [
  handle(information, ({ db, actor }) => ownProfile(db, actor)),
  handle(updateProfile, {
    async prepare({ db, actor, body, storage, now }) {
      const { avatar: present } = await ownProfile(db, actor);
      const avatar = await keptAvatar(storage, { present, sent: body.avatar });
      if (isRefusal(avatar)) return avatar;
      return new Commit((trx) => saveProfile(trx, actor, { ...body, avatar }, now));
    },
  }),
  handle(updatePassword, {
    async prepare({ db, actor, body, now }) {
      const errors = passwordFormErrors(body);
      if (Object.keys(errors).length > 0) return invalid(errors);
      // Counted before it is looked at, so that guesses sent all at once are counted too.
      const key = String(actor.id);
      const limiter = limiterOf(db);
      const tooMany = await limiter.consume(key).then(
        () => undefined,
        () => new Refusal('too-many', accountMessages.tooManyOldPasswords, { retryAfter: guesses.duration }),
      );
      if (tooMany) return tooMany;
      const { password_hash: before } = await db
        .selectFrom('staff')
        .select('password_hash')
        .where('id', '=', actor.id)
        .executeTakeFirstOrThrow();
      const refusal = await refuseOldPassword(before, body.old_password);
      if (!refusal) await limiter.delete(key);
      const after = refusal ? '' : await hashPassword(body.new_password);
      // Refused in the commit only: the same form again, whose first answer was lost, is answered as that was.
      return new Commit(async (trx) => refusal ?? replacePassword(trx, actor, { before, after, now }));
    },
  }),
  handle(listDevices, ({ db, actor, now }) => devicesOf(db, actor, now)),
  handle(signOutDevice, ({ db, actor, params, now }) => endDevice(db, actor, params.id, now)),
  handle(signOutOthers, async ({ db, actor, now }) => ({ count: await endOtherSignIns(db, actor, now) })),
];
