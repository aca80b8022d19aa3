/** Owner of the calendar that a statement reads, and its range of time. */

import { type SqlBool, sql } from 'kysely';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Placeholders } from '#server/platform/db/prepared.ts';
import { lessonsOf, lessonsOfClass, meetingsOf, meetingsOfClass, periodsOf, periodsOfClass } from './visible.ts';

/** Which calendar is read: the calendar of a visible class, or the actor's own. */
export interface CalendarOf {
  actor: Actor;
  classId?: number | undefined;
}

/** Entries from `from` until before `until` (unix seconds), or a single record. */
export type EntrySelection = { from: number; until: number } | { id: number };

export interface CalendarOwner {
  actorId: number;
  classId: number | undefined;
}

/** Values of the prepared statements: whose calendar, and either one record or a time range. */
export interface StatementValues extends CalendarOwner {
  id: number | undefined;
  from: number | undefined;
  until: number | undefined;
}

export const statementValues = ({ actor, classId }: CalendarOf, which: EntrySelection): StatementValues => ({
  actorId: actor.id,
  classId,
  id: undefined,
  from: undefined,
  until: undefined,
  ...which,
});

export const isBetween = (column: string, { from, until }: Pick<Placeholders<StatementValues>, 'from' | 'until'>) =>
  sql<SqlBool>`(${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${until})`;

/** Returns periods, lessons and meetings of the calendar. */
export function tablesOf(db: Database, { actorId, classId }: Placeholders<CalendarOwner>, identity: Identity) {
  const viewer: Viewer = { id: actorId, identity };
  return classId
    ? ([periodsOfClass(db, classId), lessonsOfClass(db, classId), meetingsOfClass(db, classId)] as const)
    : ([periodsOf(db, viewer), lessonsOf(db, viewer), meetingsOf(db, viewer)] as const);
}
