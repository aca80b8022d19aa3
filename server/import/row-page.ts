/** The rows of one import, with the words that its screen shows for their values. */
import type { ExpressionBuilder } from 'kysely';
import { termTypeNames } from '#server/catalogue/rules.ts';
import { classTypeNames, courseTypeName } from '#server/classes/rules.ts';
import { courseKinds } from '#server/courses/rules.ts';
import { signTypeNames } from '#server/group-classes/rules.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { getOrAdd, groupValues } from '#server/platform/db/grouping.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { pageOf } from '#server/platform/db/page.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { containsText } from '#server/platform/db/search.ts';
import { dayOf, timeOf } from '#server/school/calendar.ts';
import { permissionNames } from '#server/school/call.ts';
import type { RuleContext } from '#server/school/context.ts';
import { type Fields, type FieldValue, idsFromText } from '#server/school/importer.ts';
import type { ImportedRow, ImportRowFilter } from './contract.ts';
import { type ImporterByKind, importersByKind } from './kinds.ts';
import { hasEffect, remarksOf } from './remarks.ts';
import type { Conflicts, Reasons } from './row-plan.ts';
import { fieldWord, kindName, listKinds, missingImport, type RowOutcome } from './rules.ts';
import type { RowChoice } from './staged-rows.ts';
import { type StoredImport, storedImport } from './stored-import.ts';
import { visibleImports } from './visible.ts';

/** Lists the rows of an import. 404: no such import. */
export async function rowPage(
  context: RuleContext<'actor' | 'now' | 'settings'>,
  id: number,
  filter: ImportRowFilter,
): Promise<Page<ImportedRow> | Refusal> {
  const { db, actor, now, settings } = context;
  const seen = await visibleImports(db, actor).select('import.id').where('import.id', '=', id).executeTakeFirst();
  if (!seen) return missing(missingImport);
  const upload = await storedImport(db, id);
  const { choices } = upload;
  const { row: one, kind, verdict, name, stayed, doubted } = filter;
  let matching = db.selectFrom('import_row').where('import_row.import_id', '=', id).where('verdict', '!=', '');
  if (one !== undefined) matching = matching.where('import_row.id', '=', one);
  if (kind) matching = matching.where('kind', '=', kind);
  if (verdict) matching = matching.where('verdict', '=', verdict);
  // The condition of a partial index is repeated, so that the database can use that index.
  if (verdict && verdict !== 'unchanged') matching = matching.where(hasEffect);
  if (stayed) matching = matching.where('stayed', '!=', '');
  if (doubted) matching = matching.where(needsLook(upload));
  if (name !== undefined) {
    matching = matching.where((eb) =>
      eb.or([containsText('import_row.label', name), containsText('import_row.source_id', name)]),
    );
  }
  const { list, ...range } = await pageOf(
    matching,
    filter,
    matching
      .select(['id', 'kind', 'source_id', 'verdict', 'record', 'label', 'file', 'place', 'before', 'after'])
      .select(['conflicts', 'reasons', 'effect', 'stayed', 'choice'])
      // Unchanged rows come last.
      .orderBy((eb) => eb.case().when('verdict', '=', 'unchanged').then(1).else(0).end())
      .orderBy('import_row.id'),
  );
  const owners = importersByKind({ timezone: settings.timezone, now });
  const read = list.map((row) => ({
    ...row,
    before: JSON.parse(row.before) as Fields,
    after: JSON.parse(row.after) as Fields,
    conflicts: JSON.parse(row.conflicts) as Conflicts,
    reasons: JSON.parse(row.reasons) as Reasons,
    choice: JSON.parse(row.choice) as RowChoice,
  }));
  const named = await namesOf(
    { db, timezone: settings.timezone },
    owners,
    read.map(({ kind: its, before, after, conflicts }) => ({
      kind: its,
      values: [before, after, ...Object.entries(conflicts).map(([field, { theirs }]) => ({ [field]: theirs }))],
    })),
  );
  const meant = await describeMatches(
    db,
    list.filter(({ verdict: its }) => its === 'match'),
  );
  const doubtsOf = await readingDoubts(db, upload, list);
  return {
    list: read.map(({ kind: its, place, before, after, conflicts, reasons, choice, record, ...row }) => {
      const shown = (field: string, value: FieldValue | undefined) => named(its, field, value);
      const take = new Set([...(choice.take ?? []), ...(choices.take ?? [])]);
      const isTaken = (field: string) => take.has('*') || take.has(field) || take.has(`${its}.${field}`);
      const changes = Object.keys(after)
        .filter((field) => !(field in conflicts))
        // A new record shows only the fields that are not empty.
        .filter((field) => row.verdict !== 'new' || !['', '0'].includes(shown(field, after[field])))
        .map((field) => ({
          field,
          name: fieldWord(field, its),
          before: shown(field, before[field]),
          after: shown(field, after[field]),
          is_conflict: 0 as const,
          kept: 0 as const,
        }));
      const disputed = Object.entries(conflicts).map(([field, { theirs, source }]) => ({
        field,
        name: fieldWord(field, its),
        before: shown(field, theirs),
        after: shown(field, source),
        is_conflict: 1 as const,
        kept: isTaken(field) ? (0 as const) : (1 as const),
      }));
      return {
        ...row,
        kind: its,
        kind_name: kindName(its),
        verdict: row.verdict as RowOutcome,
        row: place,
        doubts: doubtsOf({ kind: its, file: row.file, place }),
        changes: [...changes, ...disputed],
        reasons: reasons.map(({ field, message }) =>
          field === '' || field === 'source_id' ? message : `${fieldWord(field, its)}：${message}`,
        ),
        // A reference whose name is only similar: names the record that is probably meant.
        ...(row.verdict === 'match' && record === ''
          ? { meant: row.effect, effect: '', is_near: 1 as const }
          : {
              is_near: 0 as const,
              meant: row.verdict === 'match' ? (meant.get(`${its} ${record}`) ?? `编号${record}`) : '',
            }),
      };
    }),
    ...range,
  };
}

/** Tells whether a row shows the reader's doubts about its place. In a list only people count, not their classes. */
const isShownAt = (kind: string, { list }: Pick<StoredImport, 'list'>): boolean =>
  !list || listKinds.some((one) => one === kind);

/** Condition for rows that will be imported, and that a person should look at before. */
export const needsLook =
  ({ id, list }: Pick<StoredImport, 'id' | 'list'>) =>
  (eb: ExpressionBuilder<Tables, 'import_row'>) => {
    const doubtedPlaces = eb
      .selectFrom('import_remark')
      .select(['import_remark.file', 'import_remark.place'])
      .where('import_remark.import_id', '=', id)
      .where('import_remark.tone', '=', 'doubted')
      .$asTuple('file', 'place');
    const isDoubted = eb(eb.refTuple('import_row.file', 'import_row.place'), 'in', doubtedPlaces);
    return eb.and([
      eb('verdict', 'in', ['new', 'changed', 'returns', 'conflict', 'match']),
      eb.or([
        eb.and([eb('effect', '!=', ''), eb('verdict', '!=', 'match')]),
        list ? eb.and([eb('kind', 'in', listKinds), isDoubted]) : isDoubted,
      ]),
    ]);
  };

/** Doubts of the reader about these rows. */
async function readingDoubts(
  db: Database,
  upload: StoredImport,
  rows: readonly { place: number }[],
): Promise<(row: { kind: string; file: string; place: number }) => string[]> {
  const remarks = await remarksOf(db, upload.id, 'doubted')
    .where('place', 'in', inIds(db, [...new Set(rows.map(({ place }) => place))]))
    .where('place', '>', 0)
    .execute();
  const doubts = groupValues(
    remarks,
    ({ file, row }) => `${row} ${file}`,
    ({ field, message }) => (field === '' ? message : `${field}：${message}`),
  );
  return ({ kind, file, place }) => (isShownAt(kind, upload) ? (doubts.get(`${place} ${file}`) ?? []) : []);
}

const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  identity: { teacher: '讲师', assist: '助教', admin: '教务' },
  valid_type: { 1: '长期有效', 2: '有限期' },
  is_circle_hidden: { 0: '否', 1: '是' },
  course_extend: { 0: '否', 1: '是' },
  class_type: classTypeNames,
  teaching_mode: { 1: '直播', 2: '线下' },
  sign_type: signTypeNames,
  type: termTypeNames,
  duty: { head: '班主任', assistant: '助教' },
  every_school: { 0: '否', 1: '是' },
  state: { active: '在用', gone: '已停用' },
  periods_type: Object.fromEntries(courseKinds.map((kind) => [kind, courseTypeName(kind)])),
};

const permissionsShown = (text: string): string =>
  text
    .split(',')
    .map((name) => Object.entries(permissionNames).find(([permission]) => permission === name)?.[1] ?? name)
    .join('、');

/** Loads the display names of the ids in field values. */
async function namesOf(
  { db, timezone }: { db: Database; timezone: string },
  owners: ImporterByKind,
  asked: readonly { kind: string; values: readonly Fields[] }[],
): Promise<(kind: string, field: string, value: FieldValue | undefined) => string> {
  /** Returns the kind of record that the id in a field refers to; if several kinds share a table, the first of them. */
  const referredBy = (kind: string, field: string): { kind: string; isList: boolean } | undefined => {
    const owner = owners.get(kind as never);
    const [one] = [owner?.refers[field] ?? []].flat();
    const many = owner?.refersToMany?.[field];
    if (many !== undefined) return { kind: many, isList: true };
    return one === undefined ? undefined : { kind: one, isList: false };
  };
  const ids = new Map<string, Set<number>>();
  for (const { kind, values } of asked)
    for (const fields of values)
      for (const [field, value] of Object.entries(fields)) {
        const referred = referredBy(kind, field);
        if (!referred) continue;
        const own = getOrAdd(ids, referred.kind, () => new Set());
        for (const id of referred.isList ? idsFromText(value) : [value]) if (typeof id === 'number') own.add(id);
      }
  const names = new Map<string, string>();
  for (const [kind, wanted] of ids) {
    const all = [...wanted];
    const stored = all.filter((id) => id > 0);
    const fresh = all.filter((id) => id < 0).map((id) => -id);
    for (const { id, name } of await storedNames(db, kind, stored)) names.set(`${kind} ${id}`, name);
    const labels = await db
      .selectFrom('import_row')
      .select(['id', 'label'])
      .where('id', 'in', inIds(db, fresh))
      .execute();
    for (const { id, label } of labels) names.set(`${kind} ${-id}`, label);
  }
  return (kind, field, value) => {
    if (value === null || value === undefined || value === '') return '';
    const referred = referredBy(kind, field);
    const nameOf = (id: FieldValue) => names.get(`${referred?.kind} ${id}`) ?? `编号${id}`;
    if (referred?.isList) return idsFromText(value).map(nameOf).join('、');
    if (referred) return value === 0 ? '' : nameOf(value);
    if (['start_play', 'start_at', 'end_at'].includes(field) && Number(value) > 0)
      return `${dayOf(Number(value), timezone)} ${timeOf(Number(value), timezone)}`;
    if (field.endsWith('_at') && typeof value === 'number') return value === 0 ? '' : dayOf(value, timezone);
    if (field === 'course_type') return courseTypeName(Number(value));
    if (field === 'permissions') return permissionsShown(String(value));
    return words[field]?.[String(value)] ?? String(value);
  };
}

/** Loads names of the records that rows probably match. People of the same name differ by number or user name. */
async function describeMatches(
  db: Database,
  matches: readonly { kind: string; record: string }[],
): Promise<Map<string, string>> {
  const meant = new Map<string, string>();
  for (const kind of new Set(matches.map((one) => one.kind))) {
    const ids = matches.flatMap((one) => (one.kind === kind && /^\d+$/.test(one.record) ? [Number(one.record)] : []));
    const known = await storedIdentifiers(db, kind, ids);
    for (const { id, name } of await storedNames(db, kind, ids))
      meant.set(`${kind} ${id}`, `${name}，${known.get(id) ?? `编号${id}`}`);
  }
  return meant;
}

/** Returns student numbers and mobile numbers, or user names; nothing for a person without any. */
async function storedIdentifiers(db: Database, kind: string, ids: readonly number[]): Promise<Map<number, string>> {
  if (kind === 'staff') {
    const staff = await db.selectFrom('staff').select(['id', 'username']).where('id', 'in', inIds(db, ids)).execute();
    return new Map(staff.map(({ id, username }) => [id, `用户名${username}`]));
  }
  if (kind !== 'student') return new Map();
  const students = await db
    .selectFrom('student')
    .select(['id', 'number', 'mobile'])
    .where('id', 'in', inIds(db, ids))
    .execute();
  return new Map(
    students
      .filter(({ number, mobile }) => number !== '' || mobile !== '')
      .map(({ id, number, mobile }) => [
        id,
        [number !== '' && `学号${number}`, mobile !== '' && `手机尾号${mobile.slice(-4)}`].filter(Boolean).join('，'),
      ]),
  );
}

function storedNames(db: Database, kind: string, ids: readonly number[]): Promise<{ id: number; name: string }[]> {
  const idList = inIds(db, ids);
  switch (kind) {
    case 'school':
      return db.selectFrom('school').select(['id', 'org_name as name']).where('id', 'in', idList).execute();
    case 'grade':
      return db.selectFrom('grade').select(['id', 'name']).where('id', 'in', idList).execute();
    case 'category':
      return db.selectFrom('classify').select(['id', 'name']).where('id', 'in', idList).execute();
    case 'subject':
      return db.selectFrom('subject').select(['id', 'name']).where('id', 'in', idList).execute();
    case 'class':
    case 'group_class':
      return db.selectFrom('class').select(['id', 'name']).where('id', 'in', idList).execute();
    case 'course':
      return db.selectFrom('course').select(['id', 'title as name']).where('id', 'in', idList).execute();
    case 'period':
      return db.selectFrom('period').select(['id', 'title as name']).where('id', 'in', idList).execute();
    case 'staff':
      return db.selectFrom('staff').select(['id', 'real_name as name']).where('id', 'in', idList).execute();
    case 'term':
      return db.selectFrom('term').select(['id', 'name']).where('id', 'in', idList).execute();
    case 'room':
      return db.selectFrom('room').select(['id', 'name']).where('id', 'in', idList).execute();
    case 'group':
      return db.selectFrom('class_group').select(['id', 'group_name as name']).where('id', 'in', idList).execute();
    case 'student':
      return db.selectFrom('student').select(['id', 'nickname as name']).where('id', 'in', idList).execute();
    default:
      return Promise.resolve([]);
  }
}
