/** Finds existing records that an upload refers to by name, if the name is unambiguous. */
import type { Database } from '#server/platform/db/engine.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { inTexts } from '#server/platform/db/json-rows.ts';
import { normalizeName, normalizeNameLoosely } from '#server/platform/text/name-matching.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { nearestWord } from './formats/nearest-word.ts';
import type { Kind } from './source-record.ts';

type Viewer = { id: number; everySchool: boolean };
type Named = { id: number; name: string };

export async function recordsNamed(
  db: Database,
  viewer: Viewer,
  kind: Kind,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const found = await candidates(db, viewer, kind, names);
  const [plain, loose] = [normalizeName, normalizeNameLoosely].map((form) => {
    const ids = new Map<string, Set<number>>();
    for (const { id, name } of found) ids.set(form(name), (ids.get(form(name)) ?? new Set()).add(id));
    return (name: string): ReadonlySet<number> => ids.get(form(name)) ?? new Set();
  });
  return new Map(
    names.flatMap((name): [string, string][] => {
      const meant = plain && plain(name).size > 0 ? plain(name) : loose?.(name);
      const [one, ...others] = meant ?? [];
      return one !== undefined && others.length === 0 ? [[name, String(one)]] : [];
    }),
  );
}

/** Finds the only record with a similar name; a person has to confirm it. */
export async function recordsNearlyNamed(
  db: Database,
  viewer: Viewer,
  kind: Kind,
  names: readonly string[],
): Promise<Map<string, { record: string; name: string }>> {
  if (names.length === 0 || !nearlyNamed.has(kind)) return new Map();
  const found = await candidates(db, viewer, kind, names);
  if (found.length > maxCompared) return new Map();
  const ids = groupRows(found, ({ name }) => name);
  return new Map(
    names.slice(0, maxNearNames).flatMap((written): [string, { record: string; name: string }][] => {
      const name = nearestWord(written, ids.keys());
      const [one, ...others] = name === undefined ? [] : (ids.get(name) ?? []);
      return one && others.length === 0 ? [[written, { record: String(one.id), name: one.name }]] : [];
    }),
  );
}

/** Kinds small enough to load all names. */
const nearlyNamed: ReadonlySet<Kind> = new Set(['class', 'group_class', 'course', 'room', 'grade', 'subject', 'term']);
const maxCompared = 2000;
const maxNearNames = 200;

async function candidates(db: Database, viewer: Viewer, kind: Kind, names: readonly string[]): Promise<Named[]> {
  const schools = schoolsOf(db, viewer);
  const nameList = inTexts(db, names);
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
        .where('school_id', 'in', schools)
        .where('put_away_at', 'is', null)
        .execute();
    case 'term':
      return db.selectFrom('term').select(['id', 'name']).where('put_away_at', 'is', null).execute();
    case 'group_class':
      return db
        .selectFrom('class')
        .select(['id', 'name'])
        .where('school_id', 'in', schools)
        .where('class_type', '!=', 0)
        .execute();
    case 'class':
      return db
        .selectFrom('class')
        .select(['id', 'name'])
        .where('school_id', 'in', schools)
        .where('class_type', '=', 0)
        .execute();
    case 'period':
      return db
        .selectFrom('period')
        .innerJoin('course', 'course.id', 'period.course_id')
        .select(['period.id', 'period.title as name'])
        .where('period.title', 'in', nameList)
        .where('course.school_id', 'in', schools)
        .execute();
    case 'staff': {
      const staff = db.selectFrom('staff').where('school_id', 'in', schools).where('disabled_at', 'is', null);
      const lower = inTexts(
        db,
        names.map((name) => name.toLowerCase()),
      );
      return [
        ...(await staff.select(['id', 'username as name']).where('username', 'in', lower).execute()),
        ...(await staff.select(['id', 'real_name as name']).where('real_name', 'in', nameList).execute()),
      ];
    }
    case 'student': {
      const students = db.selectFrom('student').where('school_id', 'in', schools).where('disabled_at', 'is', null);
      return [
        ...(await students.select(['id', 'number as name']).where('number', 'in', nameList).execute()),
        ...(await students.select(['id', 'nickname as name']).where('nickname', 'in', nameList).execute()),
      ].filter(({ name }) => name !== '');
    }
    default:
      return [];
  }
}
