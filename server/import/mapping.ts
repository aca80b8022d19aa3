/** Assigns the columns of a single list: guessed, or chosen by a person. */

import { staffMessages } from '#server/account/rules.ts';
import { classNameLimit, classWritingMessages } from '#server/classes/rules.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { conflict, invalid, isRefusal, type Refusal, refuseFile, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { StagedFile, Storage } from '#server/platform/files/storage.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { openSchoolsOf, schoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { ImportActor } from '#server/school/importer.ts';
import type { MappingShown, mapImport } from './actions.contract.ts';
import { processFile } from './file-thread.ts';
import { listChoices, requiredColumns } from './formats/people-columns.ts';
import { guessColumns } from './formats/people-mapping.ts';
import type { UploadedFile } from './formats/read.ts';
import { importersByKind } from './kinds.ts';
import { recordsNamed, recordsNearlyNamed } from './name-lookup.ts';
import { readUpload } from './read-upload.ts';
import { checkFault, importBytes, importMessages } from './rules.ts';
import type { Source } from './source.ts';
import { isWhollyRefused, type ListPreview, type ListSheet, type Mapping } from './source-record.ts';
import { findImport, type ImportRequest, runJob, type StartedImport } from './store-upload.ts';
import { storedImport } from './stored-import.ts';
import { replaceReading, uploadFaults } from './upload.ts';

/** Returns the columns and their meaning. 404: no such import. 409: not a single list. */
export async function mappingOfImport(
  context: ImportRequest,
  id: number,
  { kind: asked }: { kind?: Mapping['kind'] | undefined },
): Promise<MappingShown | Refusal> {
  const one = await findImport(context, id);
  if (isRefusal(one)) return one;
  const { list, mode, failure } = one;
  if (!list) return conflict(importMessages.notAList);
  const { sheets = [] } = list;
  const kind = asked ?? list.mapping.kind;
  const mapping = kind === list.mapping.kind ? list.mapping : guessColumns(kind, list);
  return {
    kind,
    mode,
    failure,
    columns: list.heads.map((head) => ({ head, field: mapping.columns[head] ?? '' })),
    examples: list.examples,
    choices: [...listChoices[kind]],
    required: requiredColumns(kind),
    sheets: kind === 'staff' && sheets.length < 2 ? [] : sheets.map(sheetShown),
    new_classes: (list.mapping.newClasses ?? (await hasNoClasses(context))) ? 1 : 0,
    near_classes: kind === 'student' ? await nearClasses(context, list) : [],
    schools: await schoolNames(context),
    school: list.mapping.school ?? '',
    identity: list.mapping.identity ?? '',
    username: list.mapping.username ?? '',
  };
}

/** Returns the classes that a list names and that only have a similar name here, with the person's choice. */
async function nearClasses(
  { db, actor, now }: Pick<ImportRequest, 'db' | 'actor' | 'now'>,
  { classNames = [], mapping: { meantClasses = {} } }: ListPreview,
): Promise<MappingShown['near_classes']> {
  const viewer = { id: actor.id, everySchool: actor.everySchool, now };
  const known = await recordsNamed(db, viewer, 'class', classNames);
  const open = classNames.filter((name) => !known.has(name));
  const near = await recordsNearlyNamed(db, viewer, 'class', open);
  return open.flatMap((name) => {
    const like = near.get(name)?.name;
    const meant = meantClasses[name];
    if (like === undefined) return [];
    return [
      {
        name,
        like,
        choice: meant === name ? ('new' as const) : meant === undefined ? ('' as const) : ('same' as const),
      },
    ];
  });
}

/** True if the actor may add classes, and the actor's schools have none yet. */
async function hasNoClasses({ db, actor }: Pick<ImportRequest, 'db' | 'actor'>): Promise<boolean> {
  if (!actor.permissions.includes('teaching')) return false;
  const first = db.selectFrom('class').select('id').where('school_id', 'in', schoolsOf(db, actor)).limit(1);
  return (await first.execute()).length === 0;
}

/** Returns the names of schools that new people can belong to; none if there is no choice. */
async function schoolNames({ db, actor }: Pick<ImportRequest, 'db' | 'actor'>): Promise<string[]> {
  const schools = await openSchoolsOf(db, actor).select('school.org_name').orderBy('school.id').execute();
  return schools.length > 1 ? schools.map(({ org_name }) => org_name) : [];
}

const sheetShown = ({ name, className, isRead }: ListSheet): MappingShown['sheets'][number] => ({
  name,
  class_name: className,
  is_read: isRead ? 1 : 0,
});

/**
 * Reads a list again with the chosen columns, checks it, and remembers the columns for the source. 404: no such import.
 * 409: not a single list, applied already, or its file was purged. 422: errors by column.
 */
export async function mapColumns(
  context: ImportRequest & RuleContext<'storage'>,
  id: number,
  body: BodyOf<typeof mapImport>,
): Promise<StartedImport | Refusal> {
  const one = await findImport(context, id);
  if (isRefusal(one)) return one;
  const refusal = refuseFor('conflict', one.list ? checkFault(one) : importMessages.notAList);
  if (refusal || !one.list) return refusal ?? conflict(importMessages.notAList);
  const { mode } = body;
  const mapping = readMapping(one.list, body, {
    schools: await schoolNames(context),
    near: await nearClasses(context, one.list),
  });
  if (isRefusal(mapping)) return mapping;
  const { db, actor, database, storage, now, settings } = context;
  const of = await db
    .selectFrom('import_source')
    .select(['name', 'owner'])
    .where('id', '=', one.source_id)
    .executeTakeFirstOrThrow();
  const source = { id: one.source_id, of };
  const staged = await stageUpload(storage, one.file_key);
  if (isRefusal(staged)) return staged;
  try {
    const file = { name: one.file_name, path: staged.path };
    const importer = { id: actor.id, everySchool: actor.everySchool, permissions: actor.permissions };
    const order = { id, file, source, importer, confirmed: { mapping, mode }, timezone: settings.timezone, now };
    const faults = await processFile(database, staged.path, {
      inline: rereadWithMapping,
      inWorker: 'mapInWorker',
      order,
    });
    if (faults) return invalid({ columns: faults });
    return await runJob(context, id, 'check');
  } finally {
    await staged.discard();
  }
}

/**
 * Returns why the file cannot be read with these columns; null if it was read, or if another job is checking the
 * import.
 */
export async function rereadWithMapping(
  db: Database,
  { id, file, source, importer, confirmed, timezone, now }: MapOrder,
): Promise<string[] | null> {
  const reading = await readUpload(file, { db, source: source.of, importer, timezone, now, confirmed });
  if (isWhollyRefused(reading)) return uploadFaults(reading).map(({ message }) => message);
  await db.transaction().execute(async (trx) => {
    // The lock keeps a concurrent check away.
    const lockedImport = await storedImport(trx, id, { hold: true });
    if (checkFault(lockedImport)) return;
    await replaceReading({ db: trx, now, owners: importersByKind({ timezone, now }) }, id, reading);
    await trx
      .updateTable('import_source')
      .set({ mapping: JSON.stringify(confirmed.mapping) })
      .where('id', '=', source.id)
      .execute();
  });
  return null;
}

interface MapOrder {
  id: number;
  file: UploadedFile;
  source: { id: number; of: Source };
  importer: ImportActor;
  confirmed: { mapping: Mapping; mode: 'bulk' | 'delta' };
  timezone: string;
  now: number;
}

/** Maximum confirmed classes that a source remembers, and maximum choices for similar names. */
const maxTitledClasses = 200;

/**
 * Reads the posted columns. 422: other columns or sheets than the list has, a column assigned twice or missing, or a
 * class name that is too long.
 */
function readMapping(
  { heads, sheets: shown = [], mapping: before }: ListPreview,
  { kind, columns, sheets, new_classes, near_classes, school, identity, username }: BodyOf<typeof mapImport>,
  { schools, near }: { schools: readonly string[]; near: MappingShown['near_classes'] },
): Mapping | Refusal {
  if (columns.length !== heads.length) return invalid({ columns: [importMessages.otherColumns] });
  if (sheets !== undefined && sheets.length !== shown.length)
    return invalid({ columns: [importMessages.otherColumns] });
  const errors: FieldErrors = {};
  const taken = new Set<string>();
  const mapping: Mapping = {
    kind,
    columns: {},
    ...(kind === 'student' && { newClasses: new_classes === 1 }),
    ...(school !== '' && { school }),
    ...(kind === 'staff' && identity !== '' && { identity }),
    ...(kind === 'staff' && username !== '' && { username }),
  };
  heads.forEach((head, at) => {
    const field = listChoices[kind].find((choice) => choice === columns[at]) ?? '';
    if (field !== '' && taken.has(field)) errors[`column-${at}`] = [importMessages.columnTwice(field)];
    taken.add(field);
    mapping.columns[head] = field;
  });
  const isAssigned = (field: string) =>
    taken.has(field) || (field === '身份' && mapping.identity) || (field === '用户名' && mapping.username);
  const missing = requiredColumns(kind).filter((field) => !isAssigned(field));
  if (missing.length > 0) errors.columns = missing.map(importMessages.noColumn);
  if (school !== '' && !schools.includes(school)) errors.school = [staffMessages.noSchool];
  if (kind === 'student') mapping.meantClasses = chosenClasses(before.meantClasses, near, near_classes);
  if (sheets !== undefined) {
    mapping.classes = {};
    const titled = { ...before.titledClasses };
    for (const [at, { class_name, is_read }] of sheets.entries()) {
      const name = class_name.replace(/\s+/g, ' ').trim();
      if (lengthOf(name) > classNameLimit) errors[`class-${at}`] = [classWritingMessages.nameLength];
      mapping.classes[shown[at]?.name ?? ''] = is_read === 1 ? name : null;
      const told = shown[at]?.titled;
      if (told && is_read === 1) titled[told] = name;
    }
    mapping.titledClasses = Object.fromEntries(Object.entries(titled).slice(-maxTitledClasses));
    if (sheets.every(({ is_read }) => is_read === 0)) errors.sheets = [importMessages.noSheet];
  }
  return Object.keys(errors).length > 0 ? invalid(errors) : mapping;
}

/** Adds the choices for this list to the remembered ones of earlier lists, and removes a choice that was taken back. */
function chosenClasses(
  before: Mapping['meantClasses'] = {},
  near: MappingShown['near_classes'],
  choices: BodyOf<typeof mapImport>['near_classes'],
): Record<string, string> {
  const meant = { ...before };
  for (const { name, like } of near) {
    const choice = choices.find((one) => one.name === name)?.choice;
    if (choice === undefined) delete meant[name];
    else meant[name] = choice === 'new' ? name : like;
  }
  return Object.fromEntries(Object.entries(meant).slice(-maxTitledClasses));
}

/** Copies the uploaded file from the storage to a local file. 409: it was purged. */
async function stageUpload(storage: Storage, key: string): Promise<StagedFile | Refusal> {
  const bytes = key === '' ? null : await storage.read(key);
  if (!bytes) return conflict(importMessages.listGone);
  const staged = await storage.stage(bytes, { limit: importBytes });
  return 'ok' in staged ? staged.ok : refuseFile(staged);
}
