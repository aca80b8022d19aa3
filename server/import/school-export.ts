/** Exports a school as a workbook or as a OneRoster package, and the import template. */

import { Readable } from 'node:stream';
import { arrayBuffer } from 'node:stream/consumers';
import { createReadableStreamFromReadable } from '@react-router/node';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { startExportFile } from '#server/platform/export/export-file.ts';
import { streamFromWorker } from '#server/platform/export/in-worker.ts';
import { spreadsheetContentType, writeSpreadsheet } from '#server/platform/export/spreadsheet.ts';
import { contentDisposition } from '#server/platform/files/serve.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import { missingSchool } from '#server/schools/rules.ts';
import type { exportSchools } from './export.contract.ts';
import { writeOneRoster } from './formats/oneroster-write.ts';
import type { Records } from './formats/records.ts';
import { templateSheets, workbookSheets } from './formats/workbook-write.ts';
import type { exportForms } from './rules.ts';
import { storedGradebook } from './stored-gradebook.ts';
import { storedSchool } from './stored-records.ts';
import type { exportInWorker } from './thread.ts';

/** The template is buffered, because a slow client would otherwise block the thread that all exports use. */
export async function templateResponse(): Promise<Response> {
  return new Response(await arrayBuffer(writeSpreadsheet({ sheets: templateSheets() })), {
    headers: {
      'content-type': spreadsheetContentType,
      'content-disposition': contentDisposition('attachment', '导入模板.xlsx'),
    },
  });
}

/** From this number of students an export is worth starting a worker. */
const largeFrom = 3000;

export interface ExportOrder {
  form: (typeof exportForms)[number];
  actor: Pick<Actor, 'id' | 'everySchool'>;
  /** Unix seconds. */
  now: number;
  timezone: string;
  schoolId: number | undefined;
}

/** Exports the schools; returns the address of the file. 404: no such school. */
export async function exportSchoolFile(
  {
    db,
    database,
    storage,
    log,
    actor,
    now,
    settings,
  }: RuleContext<'actor' | 'now' | 'settings' | 'storage' | 'log' | 'database'>,
  { form, school_id }: BodyOf<typeof exportSchools>,
): Promise<{ url: string } | Refusal> {
  const school =
    school_id === undefined
      ? undefined
      : await schoolsOf(db, actor)
          .select('school.org_name')
          .where('school.id', '=', school_id)
          .where('school.put_away_at', 'is', null)
          .executeTakeFirst();
  if (school_id !== undefined && !school) return missing(missingSchool);
  const { total } = await db
    .selectFrom('student')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('school_id', 'in', school_id === undefined ? schoolsOf(db, actor) : [school_id])
    .executeTakeFirstOrThrow();
  const name = school?.org_name ?? '全部学校';
  const isWorkbook = form === 'workbook';
  const { id, everySchool } = actor;
  const { timezone } = settings;
  const order: ExportOrder = { form, actor: { id, everySchool }, now, timezone, schoolId: school_id };
  const { location } = database;
  const isApart = Number(total) >= largeFrom && location !== ':memory:';
  return startExportFile(
    { db, storage, log },
    {
      staffId: actor.id,
      now,
      name: isWorkbook ? `${name}.xlsx` : `${name}-OneRoster.zip`,
      contentType: isWorkbook ? spreadsheetContentType : 'application/zip',
      extension: isWorkbook ? 'xlsx' : 'zip',
      total: Number(total),
      write: (progress) =>
        isApart
          ? streamFromWorker<typeof exportInWorker>(
              { module: '#server/import/thread.ts', run: 'exportInWorker', order, location },
              progress,
            )
          : exportBytes(db, order, progress),
    },
  );
}

/** Yields the bytes of the file; `progress` gets the number of students processed. */
export function exportBytes(
  db: Database,
  { form, actor, now, timezone, schoolId }: ExportOrder,
  progress: (done: number) => void,
): ReadableStream<Uint8Array> {
  const order = { db, actor, now, timezone, schoolId };
  const stored = storedSchool(order);
  const records = countingStudents(stored.records, progress);
  return form === 'workbook'
    ? writeSpreadsheet({ sheets: workbookSheets(records, { timeZone: timezone }), timeZone: timezone })
    : bytesOf(writeOneRoster({ records, gradebook: storedGradebook(order, stored), timeZone: timezone }));
}

/** Counts the students that are read; most records are students, and they are read several times. */
function countingStudents(records: Records, progress: (done: number) => void): Records {
  return async function* (kind) {
    let done = 0;
    for await (const record of records(kind)) {
      yield record;
      done += 1;
      if (kind === 'student') progress(done);
    }
  };
}

/** Opens the stream only when somebody reads from it. */
function bytesOf(opening: Promise<Readable>): ReadableStream<Uint8Array> {
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield* (await opening) as AsyncIterable<Uint8Array>;
  };
  return createReadableStreamFromReadable(Readable.from(whole(), { objectMode: false }));
}
