/** Exports all data of one student as an archive: the data as JSON, and the files that the student uploaded. */
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { ZipFile } from 'yazl';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { unsharedFileKeys } from '#server/platform/db/privacy.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { logView } from '#server/school/view-log.ts';
import { type Eraser, findStudent, personToErase } from './erase.ts';
import { erasureConfirmation, personalTableNames } from './rules.ts';
import { personalTables } from './tables.ts';

/** True for a column with the hash of a secret, which is not exported. */
const isSecret = (column: string) => column.endsWith('_hash') || column === 'session_key' || column === 'id_token';

/** Streams the archive. 404: not a student of the administrator's schools. */
export async function exportedData(
  context: Eraser & { storage: Storage },
  id: number,
): Promise<{ name: string; bytes: Readable } | Refusal> {
  const { db, actor, now, storage } = context;
  const student = await findStudent(context, id);
  if (isRefusal(student)) return student;
  if (actor) await logView({ db, actor, now }, id);
  await recordHistory(db, {
    actor,
    now,
    record: 'student',
    recordId: id,
    action: 'export',
    before: null,
    after: null,
  });
  const parts: { table: string; name: string; rows: object[] }[] = [];
  for (const { table, rows, isOthers } of personalTables) {
    if (isOthers) continue;
    const found = await rows(db, personToErase(context, student)).selectAll().execute();
    parts.push({ table, name: personalTableNames[table] ?? table, rows: found.map(withoutSecrets) });
  }
  const files = unsharedFileKeys(parts.flatMap((part) => (part.table === 'history' ? [] : part.rows)));
  const whole = { 学员: id, 导出时间: new Date(now * 1000).toISOString(), 名称: await namesOf(db, id), 数据: parts };
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(whole, null, 2)), '学员数据.json');
  for (const key of files) {
    if ((await storage.stat(key)) === null) continue;
    zip.addReadStreamLazy(`files/${key}`, (open) => {
      storage.read(key).then(
        (bytes) => open(null, bytes ? Readable.fromWeb(bytes as NodeReadableStream) : Readable.from([])),
        (error: unknown) => open(error, Readable.from([])),
      );
    });
  }
  zip.end();
  return { name: `学员数据-${erasureConfirmation(student)}.zip`, bytes: zip.outputStream as Readable };
}

const withoutSecrets = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !isSecret(column)));

/** Returns the names of the records whose ids the exported rows contain. */
async function namesOf(db: Database, id: number) {
  const [classes, homework, exams] = await Promise.all([
    db
      .selectFrom('class')
      .innerJoin('class_student', 'class_student.class_id', 'class.id')
      .select(['class.id', 'class.name'])
      .where('class_student.student_id', '=', id)
      .execute(),
    db
      .selectFrom('homework')
      .innerJoin('report', 'report.homework_id', 'homework.id')
      .select(['homework.id', 'homework.name'])
      .where('report.student_id', '=', id)
      .execute(),
    db
      .selectFrom('exam')
      .innerJoin('exam_report', 'exam_report.exam_id', 'exam.id')
      .select(['exam.id', 'exam.name'])
      .where('exam_report.student_id', '=', id)
      .execute(),
  ]);
  return { 班级: classes, 作业: homework, 考试: exams };
}
