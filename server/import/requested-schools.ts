/** Which schools to export, and for whom. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';

export interface RequestedSchools {
  db: Database;
  actor: Pick<Actor, 'id' | 'everySchool'>;
  /** Unix seconds. */
  now: number;
  timezone: string;
  /** A school of the user; undefined: all of them. */
  schoolId: number | undefined;
}

export function requestedSchools({ db, actor, schoolId }: Pick<RequestedSchools, 'db' | 'actor' | 'schoolId'>) {
  const schools = schoolsOf(db, actor).where('school.put_away_at', 'is', null);
  return schoolId === undefined ? schools : schools.where('school.id', '=', schoolId);
}
