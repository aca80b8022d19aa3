/** Records that an upload refers to and does not hold: by what they are called, where one alone is called so. */
import type { Database } from '#server/platform/db/engine.ts';
import { amongTexts } from '#server/platform/db/given.ts';
import { plainName } from '#server/platform/text/alike.ts';
import { schoolsOf } from '#server/school/administered.ts';
import type { Kind } from './intended.ts';

type Viewer = { id: number; everySchool: boolean };
type Named = { id: number; name: string };

/** By name, the record's id. */
export async function recordsNamed(
  db: Database,
  viewer: Viewer,
  kind: Kind,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const found = await candidates(db, viewer, kind, names);
  const ids = new Map<string, Set<number>>();
  for (const { id, name } of found) {
    const own = ids.get(plainName(name)) ?? new Set<number>();
    ids.set(plainName(name), own.add(id));
  }
  return new Map(
    names.flatMap((name): [string, string][] => {
      const [one, ...others] = ids.get(plainName(name)) ?? [];
      return one !== undefined && others.length === 0 ? [[name, String(one)]] : [];
    }),
  );
}

async function candidates(db: Database, viewer: Viewer, kind: Kind, names: readonly string[]): Promise<Named[]> {
  const schools = schoolsOf(db, viewer);
  const asked = amongTexts(db, names);
  switch (kind) {
    case 'school':
      return schools.select(['school.id', 'school.org_name as name']).execute();
    case 'grade':
      return db.selectFrom('grade').select(['id', 'name']).execute();
    case 'category':
      return db.selectFrom('classify').select(['id', 'name']).execute();
    case 'subject':
      return db.selectFrom('subject').select(['id', 'name']).execute();
    case 'room':
      return db.selectFrom('room').select(['id', 'name']).where('school_id', 'in', schools).execute();
    case 'course':
      return db
        .selectFrom('course')
        .select(['id', 'title as name'])
        .where('title', 'in', asked)
        .where('school_id', 'in', schools)
        .where('put_away_at', 'is', null)
        .execute();
    case 'term':
      return db.selectFrom('term').select(['id', 'name']).where('put_away_at', 'is', null).execute();
    case 'group_class':
      return db
        .selectFrom('class')
        .select(['id', 'name'])
        .where('name', 'in', asked)
        .where('school_id', 'in', schools)
        .where('class_type', '!=', 0)
        .execute();
    case 'class':
      return db
        .selectFrom('class')
        .select(['id', 'name'])
        .where('name', 'in', asked)
        .where('school_id', 'in', schools)
        .where('class_type', '=', 0)
        .execute();
    case 'period':
      return db
        .selectFrom('period')
        .innerJoin('course', 'course.id', 'period.course_id')
        .select(['period.id', 'period.title as name'])
        .where('period.title', 'in', asked)
        .where('course.school_id', 'in', schools)
        .execute();
    case 'staff': {
      const staff = db.selectFrom('staff').where('school_id', 'in', schools).where('disabled_at', 'is', null);
      const lower = amongTexts(
        db,
        names.map((name) => name.toLowerCase()),
      );
      return [
        ...(await staff.select(['id', 'username as name']).where('username', 'in', lower).execute()),
        ...(await staff.select(['id', 'real_name as name']).where('real_name', 'in', asked).execute()),
      ];
    }
    case 'student': {
      const students = db.selectFrom('student').where('school_id', 'in', schools).where('disabled_at', 'is', null);
      return [
        ...(await students.select(['id', 'number as name']).where('number', 'in', asked).execute()),
        ...(await students.select(['id', 'nickname as name']).where('nickname', 'in', asked).execute()),
      ].filter(({ name }) => name !== '');
    }
    default:
      return [];
  }
}
