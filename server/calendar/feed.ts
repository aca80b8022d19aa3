/**
 * Private feed addresses of calendars. An address is valid until its owner revokes it. Only a hash of its token is
 * stored, so an address is shown once; an owner who loses it gets a new one.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { CalendarFeed } from './contract.ts';

/** Minimum seconds between two updates of a feed's last use. */
const lastUseInterval = 60 * 60;

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Which calendar a feed shows: a class's, or without a class the actor's own. */
interface FeedOf {
  actor: Pick<Actor, 'id'>;
  classId: number | undefined;
}

const active = (db: Database, { actor, classId }: FeedOf) =>
  db
    .selectFrom('calendar_feed')
    .where('staff_id', '=', actor.id)
    .where('class_id', classId === undefined ? 'is' : '=', classId ?? null)
    .where('revoked_at', 'is', null);

export async function feedState(db: Database, of: FeedOf): Promise<CalendarFeed> {
  const { actor, classId } = of;
  const [feed] = await stateOf(
    db,
    { actorId: actor.id, classId: classId ?? 0 },
    classId === undefined ? 'own' : 'class',
  );
  return feed ?? { created_at: null, used_at: null };
}

const stateOf = (db: Database, { actorId, classId }: Record<'actorId' | 'classId', number>, whose: 'own' | 'class') =>
  active(db, { actor: { id: actorId }, classId: whose === 'own' ? undefined : classId })
    .select(['created_at', 'used_at'])
    .execute();

/** Revokes the current address and returns the token of a new one. `now` in unix seconds. */
export async function renewFeed(db: Database, of: FeedOf, now: number): Promise<string> {
  await endFeed(db, of, now);
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('calendar_feed')
    .values({
      staff_id: of.actor.id,
      class_id: of.classId ?? null,
      token_hash: hashOf(token),
      created_at: now,
      used_at: null,
      revoked_at: null,
    })
    .execute();
  await note(db, of, 'renew-feed', now);
  return token;
}

/** Revokes the current address; returns false if there was none. */
export async function revokeFeed(db: Database, of: FeedOf, now: number): Promise<boolean> {
  const isEnded = await endFeed(db, of, now);
  if (isEnded) await note(db, of, 'revoke-feed', now);
  return isEnded;
}

const note = (db: Database, { actor, classId }: FeedOf, action: 'renew-feed' | 'revoke-feed', now: number) =>
  recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: actor.id,
    action,
    before: null,
    after: classId === undefined ? null : { class_id: classId },
  });

async function endFeed(db: Database, of: FeedOf, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendar_feed')
    .set({ revoked_at: now })
    .where('id', 'in', active(db, of).select('id'))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Returns the owner and the class of a token. Undefined if the token was revoked, or its owner may no longer sign in.
 */
export async function feedOwner(
  db: Database,
  token: string,
  now: number,
): Promise<{ actor: Actor; classId: number | undefined } | undefined> {
  if (!/^[\w-]{20,100}$/.test(token)) return undefined;
  const row = await db
    .selectFrom('calendar_feed')
    .innerJoin('staff', 'staff.id', 'calendar_feed.staff_id')
    .select([
      'calendar_feed.id as feedId',
      'calendar_feed.class_id',
      'calendar_feed.used_at',
      'staff.id',
      'staff.identity',
      'staff.real_name',
      'staff.school_id',
    ])
    .where('calendar_feed.token_hash', '=', hashOf(token))
    .where('calendar_feed.revoked_at', 'is', null)
    .where('staff.disabled_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  if (now - (row.used_at ?? 0) >= lastUseInterval) {
    await db.updateTable('calendar_feed').set({ used_at: now }).where('id', '=', row.feedId).execute();
  }
  const { id, identity, real_name: name, school_id: schoolId } = row;
  // The actor of a feed has no permissions and no device, because a feed only reads a calendar.
  const actor: Actor = {
    id,
    identity,
    name,
    schoolId,
    permissions: [],
    everySchool: false,
    mustChangePassword: false,
    awaitsCode: false,
    mustSetSecondFactor: false,
    signInId: 0,
  };
  return { actor, classId: row.class_id ?? undefined };
}

/** Deletes at most `most` addresses that were revoked before `endedBefore` (unix seconds). Returns how many. */
export async function purgeFeeds(
  db: Database,
  { endedBefore, most }: { endedBefore: number; most: number },
): Promise<number> {
  const old = db.selectFrom('calendar_feed').select('id').where('revoked_at', '<', endedBefore).limit(most);
  const { numDeletedRows } = await db.deleteFrom('calendar_feed').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
