/** Imports of the demo school: a checked list of students, imported terms, and an import that is held. */

import { addDays } from '#server/courses/rules.ts';
import { applyRows } from '#server/import/apply.ts';
import { checkRows } from '#server/import/check.ts';
import { importersByKind } from '#server/import/kinds.ts';
import { sourceOfImporter } from '#server/import/source.ts';
import type { ParsedUpload, RecordKind, Reference, SourceRecord } from '#server/import/source-record.ts';
import { storeUploadRows } from '#server/import/upload.ts';
import { permissionsFor } from '#server/platform/auth/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { dayOf, momentOf } from '#server/school/calendar.ts';
import type { ImportActor } from '#server/school/importer.ts';

interface Options {
  now: number;
  timezone: string;
}

const day = 24 * 3600;

/** Converts lines of a file to rows; the headings are line 1. */
const rowsOf = (
  file: string,
  rows: readonly (readonly [kind: RecordKind, sourceId: string, fields: SourceRecord['fields']])[],
): SourceRecord[] =>
  rows.map(([kind, sourceId, fields], at) => ({
    kind,
    sourceId,
    fields,
    state: 'active',
    place: { file, row: at + 2 },
  }));

const namedReference = (kind: RecordKind, { id, name }: { id: number; name: string }): Reference => ({
  kind,
  sourceId: String(id),
  name,
});

export async function addImports(db: Database, { now, timezone }: Options): Promise<void> {
  const admin = await db.selectFrom('staff').select('id').where('username', '=', 'admin').executeTakeFirstOrThrow();
  const importer: ImportActor = { id: admin.id, everySchool: true, permissions: permissionsFor('admin') };
  const school = await db
    .selectFrom('school')
    .select(['id', 'org_name as name'])
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const known = await db
    .selectFrom('student')
    .select(['nickname', 'number', 'mobile'])
    .where('school_id', '=', school.id)
    .where('mobile', '!=', '')
    .orderBy('id')
    .limit(2)
    .execute();
  const course = await db
    .selectFrom('course')
    .select((eb) => [eb.fn.min('id').as('id'), 'title as name'])
    .groupBy('title')
    .having((eb) => eb.fn.countAll(), '=', 1)
    .orderBy('id')
    .executeTakeFirstOrThrow();

  async function keep(
    at: number,
    upload: { source: string; fileName: string; reading: ParsedUpload },
    { isApplied = false } = {},
  ): Promise<void> {
    const owners = importersByKind({ timezone, now: at });
    const importId = await storeUploadRows(
      { db, importer, now: at, owners },
      {
        ...upload,
        source: sourceOfImporter(upload.source, importer),
        hash: '',
      },
    );
    const work = { importId, importer, now: at, timezone };
    const goOn = async () => true;
    await checkRows(db, work, goOn);
    if (isApplied) await applyRows(db, { ...work, departures: true }, goOn);
  }
  const reading = (mode: ParsedUpload['mode'], kinds: RecordKind[], intended: SourceRecord[]): ParsedUpload => ({
    mode,
    kinds,
    intended,
    refused: [],
    forgiven: [],
    doubted: [],
  });

  // A list of new students: two exist already, and one has no name.
  const list = '新学员.csv';
  const heads = ['姓名', '学号', '手机号', '备注'];
  const students = [
    ['周可欣', '20269001', '13911110001'],
    ['', '20269002', '13911110002'],
    ...known.map(({ nickname, number, mobile }) => [nickname, number, mobile]),
  ] as const;
  await keep(now - 3600, {
    source: '招生名单',
    fileName: list,
    reading: {
      ...reading(
        'delta',
        ['student'],
        rowsOf(
          list,
          students.map(([nickname = '', number = '', mobile = '']) => [
            'student',
            number || mobile,
            {
              nickname,
              ...(number !== '' && { number }),
              ...(mobile !== '' && { mobile }),
              school_id: namedReference('school', school),
            },
          ]),
        ),
      ),
      refused: [
        {
          file: list,
          row: 7,
          field: '手机号',
          message: '“1.39E+10”是科学计数法，后面的数字已经丢失；请把这一列设为“文本”格式，重新填写完整的数字',
        },
      ],
      forgiven: [{ file: list, row: 1, field: '', message: '文件编码是 gb18030，应为 UTF-8，已照常读取' }],
      doubted: [{ file: list, row: 1, field: '备注', message: '不认识的列“备注”，没有读取' }],
      list: {
        heads,
        examples: students.map((cells) => [...cells, '']),
        mapping: { kind: 'student', columns: { 姓名: '姓名', 学号: '学号', 手机号: '手机号', 备注: '' } },
        headRow: 1,
        isGuessed: false,
      },
    },
  });

  const year = Number(dayOf(now, timezone).slice(0, 4));
  const years = namedReference('term', { id: year, name: `${year}学年` });
  await keep(
    now - 2 * day,
    {
      source: '教务系统',
      fileName: '校历.csv',
      reading: reading(
        'bulk',
        ['term'],
        rowsOf('校历.csv', [
          [
            'term',
            String(year),
            { name: `${year}学年`, type: 'schoolYear', first_day: `${year}-09-01`, last_day: `${year + 1}-07-10` },
          ],
          [
            'term',
            `${year}-1`,
            {
              name: `${year}学年上学期`,
              type: 'term',
              first_day: `${year}-09-01`,
              last_day: `${year + 1}-01-20`,
              parent_id: years,
            },
          ],
          [
            'term',
            `${year}-2`,
            {
              name: `${year}学年下学期`,
              type: 'term',
              first_day: `${year + 1}-02-20`,
              last_day: `${year + 1}-07-10`,
              parent_id: years,
            },
          ],
        ]),
      ),
    },
    { isApplied: true },
  );

  // The file of the next night has periods but no terms, so that the import is held.
  const next = addDays(dayOf(now, timezone), 7);
  await keep(now - day, {
    source: '教务系统',
    fileName: '校历和课时.csv',
    reading: reading(
      'bulk',
      ['term', 'period'],
      rowsOf(
        '课时.csv',
        ['08:00', '08:30'].map((start, at) => [
          'period',
          `q-${at + 1}`,
          {
            course_id: namedReference('course', course),
            title: `答疑${at + 1}`,
            start_play: momentOf(next, start, timezone),
            minutes: 45,
          },
        ]),
      ),
    ),
  });
}
