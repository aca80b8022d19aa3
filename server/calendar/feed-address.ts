/** Serves a calendar feed by its private address, without sign-in, because calendar programs cannot sign in. */
import { createHash } from 'node:crypto';
import { refuseClass } from '#server/classes/visible.ts';
import type { ApiRouter } from '#server/platform/calls/answer.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import type { Services } from '#server/school/context.ts';
import { installationId, schoolSettings } from '#server/school/settings.ts';
import { feedApiPath } from './contract.ts';
import { entriesBetween } from './entries.ts';
import { feedOwner } from './feed.ts';
import { calendarText } from './feed-file.ts';
import { missingFeed } from './rules.ts';

const day = 24 * 60 * 60;
/** Time range of a feed in seconds: the last quarter of a year and the coming year. */
const reach = { back: 92 * day, ahead: 366 * day };
/** Seconds that a feed may be cached. */
const cacheSeconds = 300;

export function mountCalendarFeeds(api: ApiRouter, services: Services): void {
  api.get(feedApiPath, async (context) => {
    const text = await feedText(services.database.db, context.req.param('token') ?? '', services.now());
    if (text === undefined) {
      return new Response(missingFeed, {
        status: 404,
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      });
    }
    // The ETag is weak, because a proxy may change the bytes but not the content.
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    const headers = {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="calendar.ics"',
      'cache-control': `private, max-age=${cacheSeconds}`,
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      etag,
    };
    const known = context.req.header('if-none-match')?.split(',') ?? [];
    if (known.some((one) => [etag, etag.slice(2), '*'].includes(one.trim()))) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(text, { headers });
  });
}

/**
 * Returns the text of a feed. Undefined if the address is unknown or revoked, or if its owner no longer sees the class.
 */
async function feedText(db: Database, token: string, now: number): Promise<string | undefined> {
  const owner = await feedOwner(db, token, now);
  if (!owner) return undefined;
  const { actor, classId } = owner;
  if (classId !== undefined && (await refuseClass(db, actor, classId))) return undefined;
  const { timezone } = await schoolSettings(db, now);
  const today = dayStart(dayOf(now, timezone), timezone);
  const courses = await entriesBetween(
    db,
    { actor, classId },
    { from: today - reach.back, until: today + reach.ahead, now },
  );
  const name = classId === undefined ? `${actor.name}的教学日历` : `${await nameOfClass(db, classId)}教学日历`;
  return calendarText({ name, courses, timezone, installation: await installationId(db), stamp: today });
}

const nameOfClass = async (db: Database, id: number): Promise<string> =>
  (await db.selectFrom('class').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name;
