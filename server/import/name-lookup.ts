/** Finds the existing records that an upload refers to by name, if only one has that name. */
import { isRunning } from '#server/classes/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { inTexts } from '#server/platform/db/json-rows.ts';
import { normalizeName, normalizeNameLoosely } from '#server/platform/text/name-matching.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { nearestName } from './formats/nearest-word.ts';
import type { RecordKind } from './source-record.ts';

/**
 * The user for whom records are looked up. `now`: unix seconds; a class that has ended by then counts only if no other
 * class has the name.
 */
type Viewer = { id: number; everySchool: boolean; now: number };
type Named = { id: number; name: string; isOver?: boolean };

/** Returns record ids by name; `several` if more than one record may be meant. */
export async function recordsNamed(
  db: Database,
  viewer: Viewer,
  kind: RecordKind,
  names: readonly string[],
): Promise<Map<string, string | 'several'>> {
  if (names.length === 0) return new Map();
  const found = await candidates(db, viewer, kind, names);
  const [plain, loose] = [normalizeName, normalizeNameLoosely].map((form) => {
    const byName = groupRows(found, ({ name }) => form(name));
    return (name: string): ReadonlySet<number> => {
      const all = byName.get(form(name)) ?? [];
      const current = all.filter(({ isOver }) => isOver !== true);
      return new Set((current.length > 0 ? current : all).map(({ id }) => id));
    };
  });
  return new Map(
    names.flatMap((name): [string, string][] => {
      const meant = plain && plain(name).size > 0 ? plain(name) : loose?.(name);
      const [one, ...others] = meant ?? [];
      return one === undefined ? [] : [[name, others.length === 0 ? String(one) : 'several']];
    }),
  );
}

/** Finds the only record with a similar name, which a person has to confirm. */
export async function recordsNearlyNamed(
  db: Database,
  viewer: Viewer,
  kind: RecordKind,
  names: readonly string[],
): Promise<Map<string, { record: string; name: string }>> {
  if (names.length === 0 || !nearlyNamed.has(kind)) return new Map();
  const found = await candidates(db, viewer, kind, names);
  if (found.length > maxCompared) return new Map();
  const ids = groupRows(
    found.filter(({ isOver }) => isOver !== true),
    ({ name }) => name,
  );
  return new Map(
    names.slice(0, maxNearNames).flatMap((written): [string, { record: string; name: string }][] => {
      const name = nearestName(written, ids.keys());
      const [one, ...others] = name === undefined ? [] : (ids.get(name) ?? []);
      return one && others.length === 0 ? [[written, { record: String(one.id), name: one.name }]] : [];
    }),
  );
}

/** Kinds with so few records that all names can be loaded. */
const nearlyNamed: ReadonlySet<RecordKind> = new Set([
  'class',
  'group_class',
  'course',
  'room',
  'grade',
  'subject',
  'term',
]);
const maxCompared = 2000;
const maxNearNames = 200;

async function candidates(db: Database, viewer: Viewer, kind: RecordKind, names: readonly string[]): Promise<Named[]> {
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
      return (
        await db
          .selectFrom('class')
          .select(['id', 'name', 'valid_type', 'valid_time'])
          .where('school_id', 'in', schools)
          .where('class_type', '=', 0)
          .execute()
      ).map(({ id, name, ...validity }) => ({ id, name, isOver: !isRunning(validity, viewer.now) }));
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
