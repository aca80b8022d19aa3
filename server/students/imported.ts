/** Students as an import has them, many at a time, by the rules of `changes.ts`. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { among, amongTexts, given } from '#server/platform/db/given.ts';
import { recordHistoryOfMany, unusedIds } from '#server/platform/db/history.ts';
import { locked } from '#server/platform/db/search.ts';
import {
  additionsNoted,
  editsNoted,
  type Fields,
  heldTo,
  type ImportContext,
  type ImportedKind,
  importerSchools,
  type Judged,
  noted,
  type OpenKind,
  orErrors,
  removalsNoted,
  viewerOf,
} from '#server/school/imported.ts';
import { schoolMessages } from '#server/school/rules.ts';
import { CompleteStudent } from './contract.ts';
import { reopenStays, staysBySet } from './imported-members.ts';
import {
  disablingSentence,
  importedNumberAlike,
  importedStudentAlike,
  recordsSentence,
  studentMessages,
} from './rules.ts';
import { administeredStudents } from './visible.ts';

const record = 'student';
const numbers = (records: readonly string[]) => records.map(Number);

export const importedStudents: ImportedKind = {
  needs: 'people',
  refers: { school_id: 'school' },
  scalars: ['nickname', 'number', 'mobile', 'guardian_mobile'],
  defaults: { nickname: '', number: '', mobile: '', guardian_mobile: '', school_id: 0 },
  labelOf: ({ nickname }) => String(nickname ?? ''),
  naturalKey: ({ nickname, number, mobile, school_id }) =>
    number ? `${school_id} ${number}` : mobile ? `${mobile} ${nickname}` : '',
  facts: ({ nickname }, isGone) => ({ nickname: nickname ?? '', is_disabled: isGone ? 1 : 0 }),
  leaves: true,
  open,
};

async function open(context: ImportContext): Promise<OpenKind> {
  const { db, now, importer } = context;
  const schools = await importerSchools(context);
  const claimed = new Set<string>();
  /** Names of this import, by mobile number. */
  const mobiles = new Map<string, string>();
  const numbersSeen = new Map<string, string>();
  const seen = administeredStudents(db, viewerOf(importer));
  const note = (action: string, changes: Parameters<typeof recordHistoryOfMany>[1]['changes']) =>
    recordHistoryOfMany(db, { ...noted(context), record, action, changes });

  return {
    async stored(records) {
      const rows = await locked(db)(
        seen
          .select(['student.id', 'student.nickname', 'student.number', 'student.mobile', 'student.guardian_mobile'])
          .select(['student.school_id', 'student.disabled_at'])
          .where('student.id', 'in', among(db, numbers(records))),
        ['student'],
      ).execute();
      return new Map(
        rows.map(({ id, disabled_at, ...fields }) => [String(id), { fields, isGone: disabled_at !== null }]),
      );
    },
    async meant(wanted) {
      const rows = await seen
        .select(['student.id', 'student.nickname', 'student.number', 'student.mobile', 'student.school_id'])
        .where((eb) =>
          eb.or([
            eb('student.mobile', 'in', amongTexts(db, textsOf(wanted, 'mobile'))),
            eb('student.number', 'in', amongTexts(db, textsOf(wanted, 'number'))),
            eb('student.nickname', 'in', amongTexts(db, textsOf(wanted, 'nickname'))),
          ]),
        )
        .orderBy('student.id')
        .execute();
      return wanted.map(({ nickname, number, mobile, school_id }) => {
        const named = rows.filter((row) => row.nickname === nickname);
        const same =
          named.find((row) => row.number !== '' && row.number === number && row.school_id === school_id) ??
          named.find((row) => row.mobile !== '' && row.mobile === mobile) ??
          // Same name and school, and no contradicting number or mobile.
          named.find(
            (row) =>
              row.school_id === school_id &&
              (row.number === '' || !number || row.number === number) &&
              (row.mobile === '' || !mobile || row.mobile === mobile),
          );
        return same && { record: String(same.id), isSure: false };
      });
    },
    async alike(wanted) {
      const fieldsOf = wanted.map(({ fields }) => fields);
      const rows = await seen
        .select(['student.id', 'student.nickname', 'student.number', 'student.mobile', 'student.school_id'])
        .where('student.disabled_at', 'is', null)
        .where((eb) =>
          eb.or([
            eb('student.mobile', 'in', amongTexts(db, textsOf(fieldsOf, 'mobile'))),
            eb('student.nickname', 'in', amongTexts(db, textsOf(fieldsOf, 'nickname'))),
            eb(
              eb.fn<string>('lower', ['student.number']),
              'in',
              amongTexts(
                db,
                textsOf(fieldsOf, 'number').map((number) => number.toLowerCase()),
              ),
            ),
          ]),
        )
        .orderBy('student.id')
        .execute();
      return wanted.map(({ record: own, fields, before }) => {
        const others = rows.filter(({ id }) => String(id) !== own);
        const isNew = (field: 'mobile' | 'nickname') => before === undefined || before[field] !== fields[field];
        const mobile = String(fields.mobile ?? '');
        const sameMobile = mobile !== '' && isNew('mobile') ? others.find((row) => row.mobile === mobile) : undefined;
        const sameName = isNew('nickname')
          ? others.find((row) => row.nickname === fields.nickname && row.school_id === fields.school_id)
          : undefined;
        const other = sameMobile ?? sameName;
        const number = String(fields.number ?? '');
        const sameNumber = number !== '' && others.find((row) => row.number.toLowerCase() === number.toLowerCase());
        const numberBefore = numbersSeen.get(number.toLowerCase());
        if (number !== '') numbersSeen.set(number.toLowerCase(), number);
        if (before?.number !== number && sameNumber && sameNumber.number !== number)
          return importedNumberAlike(sameNumber.number);
        if (numberBefore !== undefined && numberBefore !== number) return importedNumberAlike(numberBefore);
        const inUpload = mobile === '' ? undefined : mobiles.get(mobile);
        if (mobile !== '' && inUpload === undefined) mobiles.set(mobile, String(fields.nickname));
        if (other) return importedStudentAlike(other, sameMobile !== undefined);
        return inUpload === undefined || !isNew('mobile') ? undefined : `手机号与本次导入的“${inUpload}”相同，请核对`;
      });
    },
    async judge(wanted) {
      const taken = await takenNumbers(
        db,
        textsOf(
          wanted.map(({ fields }) => fields),
          'number',
        ),
      );
      return wanted.map(({ record: own, fields: written, before }): Judged => {
        const { output: fields, errors: wrong } = heldTo(CompleteStudent, written);
        if (!fields) return { errors: wrong };
        const errors: FieldErrors = {};
        if (!schools.isKnown(fields.school_id)) errors.school_id = [studentMessages.noSchool];
        else if (fields.school_id !== before?.school_id && !schools.isOpen(fields.school_id))
          errors.school_id = [schoolMessages.putAway];
        if (fields.number !== '') {
          const number = `${fields.school_id} ${fields.number}`;
          const holder = taken.get(number);
          if (holder?.isErased) errors.number = [studentMessages.numberOfErased];
          else if ((holder && String(holder.id) !== own) || claimed.has(number))
            errors.number = [studentMessages.numberTaken];
          else claimed.add(number);
        }
        return orErrors(fields, errors);
      });
    },
    newRecords: async (fields) => (await unusedIds(db, { table: 'student', record, count: fields.length })).map(String),
    async add(made) {
      const rows = made.map(({ record: id, fields }) => ({ ...columnsOf(fields), id: Number(id), created_at: now }));
      await db
        .insertInto('student')
        .columns(['id', 'nickname', 'number', 'mobile', 'guardian_mobile', 'school_id', 'created_at'])
        .expression((eb) =>
          eb
            .selectFrom(given(db, { id: 'integer', ...columnTypes, created_at: 'integer' }, rows))
            .select(['id', 'nickname', 'number', 'mobile', 'guardian_mobile', 'school_id', 'created_at']),
        )
        .execute();
      await note('add', additionsNoted(made));
      return new Map();
    },
    async change(changed) {
      const rows = changed.map(({ record: id, after }) => ({ ...columnsOf(after), id: Number(id) }));
      await db
        .updateTable('student')
        .from(given(db, { id: 'integer', ...columnTypes }, rows))
        .set((eb) => ({
          nickname: eb.ref('given.nickname'),
          number: eb.ref('given.number'),
          mobile: eb.ref('given.mobile'),
          guardian_mobile: eb.ref('given.guardian_mobile'),
          school_id: eb.ref('given.school_id'),
        }))
        .whereRef('student.id', '=', 'given.id')
        .execute();
      await note('edit', editsNoted(changed));
    },
    async end(ended) {
      const ids = numbers(ended.map(({ record: id }) => id));
      const stays = await staysBySet(context, ids).end('停用');
      await setDisabled(db, ids, now);
      await note(
        'disable',
        ids.map((recordId) => ({
          recordId,
          before: { is_disabled: 0 },
          after: { is_disabled: 1, class_ids: (stays.get(recordId) ?? []).map(({ class_id }) => class_id) },
        })),
      );
      return new Map(ids.map((id) => [String(id), { stays: stays.get(id) ?? [], at: now }]));
    },
    async comeBack(returning) {
      const ids = numbers(returning.map(({ record: id }) => id));
      const before = await db
        .selectFrom('student')
        .select(['id', 'disabled_at'])
        .where('id', 'in', among(db, ids))
        .execute();
      await setDisabled(db, ids, null);
      await note(
        'enable',
        ids.map((recordId) => ({ recordId, before: { is_disabled: 1 }, after: { is_disabled: 0 } })),
      );
      return new Map(before.map(({ id, disabled_at }) => [String(id), { disabled_at }]));
    },
    async effects(ended) {
      const left = await staysBySet(context, numbers(ended.map(({ record: id }) => id))).unfinished();
      return new Map(
        [...left].flatMap(([id, { classes, ...unfinished }]): [string, string][] => {
          const said = disablingSentence(classes, unfinished);
          return said ? [[String(id), said]] : [];
        }),
      );
    },
    async remove(made) {
      const ids = numbers(made.map(({ record: id }) => id));
      const counts = await recordsOfMany(db, ids);
      const kept = new Map(
        [...counts]
          .map(([id, count]) => [String(id), recordsSentence(count) ?? ''])
          .filter(([, why]) => why !== '') as [string, string][],
      );
      const gone = made.filter(({ record: id }) => !kept.has(id));
      await db
        .deleteFrom('student')
        .where('id', 'in', among(db, numbers(gone.map(({ record: id }) => id))))
        .execute();
      await note('delete', removalsNoted(gone));
      return kept;
    },
    async unend(ended) {
      const ids = numbers(ended.map(({ record: id }) => id));
      await setDisabled(db, ids, null);
      await note(
        'enable',
        ids.map((recordId) => ({ recordId, before: { is_disabled: 1 }, after: { is_disabled: 0 } })),
      );
      await reopenStays(
        context,
        ended.flatMap(({ trace }) => (trace as { stays: { id: number }[] }).stays.map(({ id }) => id)),
      );
    },
    async unreturn(returned) {
      const rows = returned.map(({ record: id, trace }) => ({
        id: Number(id),
        disabled_at: (trace as { disabled_at: number | null }).disabled_at,
      }));
      await db
        .updateTable('student')
        .from(given(db, { id: 'integer', disabled_at: 'integer' }, rows))
        .set((eb) => ({ disabled_at: eb.ref('given.disabled_at') }))
        .whereRef('student.id', '=', 'given.id')
        .execute();
      await note(
        'disable',
        rows.map(({ id }) => ({ recordId: id, before: { is_disabled: 0 }, after: { is_disabled: 1 } })),
      );
    },
  };
}

const columnTypes = {
  nickname: 'text',
  number: 'text',
  mobile: 'text',
  guardian_mobile: 'text',
  school_id: 'integer',
} as const;

const columnsOf = (fields: Fields) => ({
  nickname: String(fields.nickname),
  number: String(fields.number),
  mobile: String(fields.mobile),
  guardian_mobile: String(fields.guardian_mobile),
  school_id: Number(fields.school_id),
});

const textsOf = (all: readonly Fields[], name: string): string[] => [
  ...new Set(all.map((fields) => String(fields[name] ?? '')).filter((text) => text !== '')),
];

/** By school and number, who has or had it. */
async function takenNumbers(
  db: Database,
  sought: readonly string[],
): Promise<Map<string, { id: number; isErased: boolean }>> {
  if (sought.length === 0) return new Map();
  const rows = await db
    .selectFrom('student')
    .select(['id', 'school_id', 'number', 'erased_at'])
    .where('number', 'in', amongTexts(db, sought))
    .where('number', '!=', '')
    .execute();
  return new Map(
    rows.map(({ id, school_id, number, erased_at }) => [
      `${school_id} ${number}`,
      { id, isErased: erased_at !== null },
    ]),
  );
}

const setDisabled = (db: Database, ids: readonly number[], disabledAt: number | null) =>
  db.updateTable('student').set({ disabled_at: disabledAt }).where('id', 'in', among(db, ids)).execute();

/** What there is of each, as `recordsOf` has it of one; whoever has nothing is left out. */
async function recordsOfMany(db: Database, ids: readonly number[]): Promise<Map<number, Record<string, number>>> {
  const them = among(db, ids);
  const found: (readonly [what: string, rows: Promise<{ student_id: number | null }[]>])[] = [
    ['个班级', db.selectFrom('class_student').select('student_id').where('student_id', 'in', them).execute()],
    ['份作业', db.selectFrom('report').select('student_id').where('student_id', 'in', them).execute()],
    ['份答卷', db.selectFrom('exam_report').select('student_id').where('student_id', 'in', them).execute()],
    ['条考勤', db.selectFrom('attendance').select('student_id').where('student_id', 'in', them).execute()],
    ['条考勤', db.selectFrom('session_student').select('student_id').where('student_id', 'in', them).execute()],
    ['条考勤', db.selectFrom('study_record').select('student_id').where('student_id', 'in', them).execute()],
    [
      '条考勤',
      db.selectFrom('class_meeting_attendance').select('student_id').where('student_id', 'in', them).execute(),
    ],
    [
      '条沟通记录',
      db.selectFrom('communication_record').select('student_id').where('student_id', 'in', them).execute(),
    ],
    ['条社区记录', db.selectFrom('community_post').select('student_id').where('student_id', 'in', them).execute()],
    ['条社区记录', db.selectFrom('community_comment').select('student_id').where('student_id', 'in', them).execute()],
    ['条社区记录', db.selectFrom('community_member').select('student_id').where('student_id', 'in', them).execute()],
    ['条社区记录', db.selectFrom('community_like').select('student_id').where('student_id', 'in', them).execute()],
    [
      '份答卷',
      db
        .selectFrom('exam_attempt')
        .select('student_id')
        .where('student_id', 'in', them)
        .where('report_id', 'is', null)
        .execute(),
    ],
    ['条已读公告', db.selectFrom('notice_read').select('student_id').where('student_id', 'in', them).execute()],
    ['次登录', db.selectFrom('learner_session').select('student_id').where('student_id', 'in', them).execute()],
  ];
  const counts = new Map<number, Record<string, number>>();
  for (const [what, rows] of found) {
    for (const { student_id } of await rows) {
      const its = counts.get(student_id ?? 0) ?? {};
      counts.set(student_id ?? 0, its);
      its[what] = (its[what] ?? 0) + 1;
    }
  }
  return counts;
}
