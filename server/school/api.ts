import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { notArchived } from './archive.ts';
import { handle } from './context.ts';
import { classifyOptions, gradeOptions, roomOptions, subjectOptions } from './contract.ts';
import { classesAssistedBy } from './staff-duties.ts';

/** These calls leave out archived entries. */
export const schoolCalls = [
  handle(classifyOptions, ({ db }) => classifies(db)),
  handle(gradeOptions, ({ db }) =>
    db
      .selectFrom('grade')
      .select(['id', 'name'])
      .where('put_away_at', 'is', null)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
  ),
  handle(subjectOptions, ({ db }) =>
    db
      .selectFrom('subject')
      .select(['id', 'name'])
      .where('put_away_at', 'is', null)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
  ),
  handle(roomOptions, ({ db, actor }) => roomsSeenBy(db, actor)),
];

/**
 * Lists the rooms of the user's school and of their group classes. Adds the name of the school if there are several.
 */
async function roomsSeenBy(db: Database, actor: Actor) {
  const rooms = await db
    .selectFrom('room')
    .innerJoin('school', 'school.id', 'room.school_id')
    .select(['room.id', 'room.name', 'room.school_id', 'school.org_name'])
    .where((eb) =>
      eb.or([
        eb('room.school_id', '=', actor.schoolId),
        eb(
          'room.id',
          'in',
          db
            .selectFrom('team_class')
            .select('team_class.room_id')
            .where('team_class.room_id', 'is not', null)
            .where('team_class.class_id', 'in', classesAssistedBy(db, actor))
            .$narrowType<{ room_id: number }>(),
        ),
      ]),
    )
    .where('room.put_away_at', 'is', null)
    .orderBy((eb) => eb.case().when('room.school_id', '=', actor.schoolId).then(0).else(1).end())
    .orderBy('room.school_id')
    .orderBy('room.sort')
    .orderBy('room.id')
    .execute();
  const isOneSchool = new Set(rooms.map(({ school_id }) => school_id)).size < 2;
  return rooms.map(({ id, name, org_name }) => ({ id, name: isOneSchool ? name : `${name}（${org_name}）` }));
}

async function classifies(db: Database) {
  const all = await db
    .selectFrom('classify')
    .select(['id', 'name', 'parent_id', 'put_away_at'])
    .orderBy('sort')
    .orderBy('id')
    .execute();
  return notArchived(all).map(({ id, name }) => ({ id, name }));
}
