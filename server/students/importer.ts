/** Imports students by the rules of `changes.ts`. */

import { presentStaysOf, reopenStays } from '#server/enrolment/imported-stays.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { inIds, inTexts } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import {
  type Fields,
  fieldsOrErrors,
  type ImportContext,
  idsOf,
  importerSchools,
  type RecordDiff,
  validateImported,
  viewerOf,
} from '#server/school/importer.ts';
import { endByDisabling, type SimpleSession, simpleImporter } from '#server/school/simple-importer.ts';
import { schoolMessages } from '#server/schools/rules.ts';
import { CompleteStudent } from './contract.ts';
import {
  disablingSentence,
  duplicateInImportMessage,
  recordsSentence,
  similarNumberMessage,
  similarStudentMessage,
  studentMessages,
} from './rules.ts';

export const importedStudents = simpleImporter({
  table: 'student',
  needs: 'people',
  refers: { school_id: 'school' },
  scalars: ['nickname', 'number', 'mobile', 'guardian_mobile'],
  defaults: { nickname: '', number: '', mobile: '', guardian_mobile: '', school_id: 0 },
  labelOf: ({ nickname }) => String(nickname ?? ''),
  naturalKey: ({ nickname, number, mobile, school_id }) =>
    number ? `${school_id} ${number}` : mobile ? `${mobile} ${nickname}` : '',
  facts: ({ nickname }, isGone) => ({ nickname: nickname ?? '', is_disabled: isGone ? 1 : 0 }),
  leaves: true,
  columns: { nickname: 'text', number: 'text', mobile: 'text', guardian_mobile: 'text', school_id: 'integer' },
  newColumns: { created_at: 'integer' },
  row: (fields) => ({
    nickname: String(fields.nickname),
    number: String(fields.number),
    mobile: String(fields.mobile),
    guardian_mobile: String(fields.guardian_mobile),
    school_id: Number(fields.school_id),
  }),
  ending: endByDisabling,
  removal: 'delete',
  open,
});

async function open(context: ImportContext): Promise<SimpleSession> {
  const { db, now, importer } = context;
  const schools = await importerSchools(context);
  const claimed = new Set<string>();
  /** The first student of this import with a mobile number, and with a name. */
  const students = new Map<string, { nickname: string; number: string; mobile: string }>();
  const numbersSeen = new Map<string, string>();
  const seen = adminStudents(db, viewerOf(importer));

  return {
    rows: (ids) =>
      forUpdate(db)(
        seen
          .select(['student.id', 'student.nickname', 'student.number', 'student.mobile', 'student.guardian_mobile'])
          .select(['student.school_id', 'student.disabled_at'])
          .where('student.id', 'in', inIds(db, ids)),
        ['student'],
      ).execute(),
    async findMatch(wanted) {
      const rows = await seen
        .select(['student.id', 'student.nickname', 'student.number', 'student.mobile', 'student.school_id'])
        .where((eb) =>
          eb.or([
            eb('student.mobile', 'in', inTexts(db, textsOf(wanted, 'mobile'))),
            eb('student.number', 'in', inTexts(db, textsOf(wanted, 'number'))),
            eb('student.nickname', 'in', inTexts(db, textsOf(wanted, 'nickname'))),
          ]),
        )
        .orderBy('student.id')
        .execute();
      return wanted.map(({ nickname, number, mobile, school_id }) => {
        const named = rows.filter((row) => row.nickname === nickname);
        const same =
          named.find((row) => row.number !== '' && row.number === number && row.school_id === school_id) ??
          named.find((row) => row.mobile !== '' && row.mobile === mobile) ??
          // Matches a student of the same name and school, whose number and mobile do not contradict the imported ones.
          named.find(
            (row) =>
              row.school_id === school_id &&
              (row.number === '' || !number || row.number === number) &&
              (row.mobile === '' || !mobile || row.mobile === mobile),
          );
        return same && { record: String(same.id), isSure: false };
      });
    },
    async similar(wanted) {
      const fieldsOf = wanted.map(({ fields }) => fields);
      const rows = await seen
        .select(['student.id', 'student.nickname', 'student.number', 'student.mobile', 'student.school_id'])
        .where('student.disabled_at', 'is', null)
        .where((eb) =>
          eb.or([
            eb('student.mobile', 'in', inTexts(db, textsOf(fieldsOf, 'mobile'))),
            eb('student.nickname', 'in', inTexts(db, textsOf(fieldsOf, 'nickname'))),
            eb(
              eb.fn<string>('lower', ['student.number']),
              'in',
              inTexts(
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
        const number = String(fields.number ?? '');
        const lower = number.toLowerCase();
        const sameNumber = number !== '' && others.find((row) => row.number.toLowerCase() === lower);
        const numberBefore = numbersSeen.get(lower);
        if (number !== '') numbersSeen.set(lower, number);
        if (before?.number !== number && sameNumber && sameNumber.number !== number)
          return similarNumberMessage(sameNumber.number);
        if (numberBefore !== undefined && numberBefore !== number) return similarNumberMessage(numberBefore);
        const student = { nickname: String(fields.nickname ?? ''), number, mobile };
        const mobileBefore = firstSeen(students, mobile === '' ? '' : `mobile ${mobile}`, student);
        const nameBefore = firstSeen(students, `name ${fields.school_id} ${student.nickname}`, student);
        const other = sameMobile ?? sameName;
        if (other) return similarStudentMessage(other, sameMobile !== undefined);
        if (mobileBefore && isNew('mobile')) return duplicateInImportMessage(mobileBefore, true);
        const isToldApart = number !== '' && nameBefore !== undefined && nameBefore.number !== '';
        return nameBefore && isNew('nickname') && !isToldApart
          ? duplicateInImportMessage(nameBefore, false)
          : undefined;
      });
    },
    async diff(wanted) {
      const taken = await takenNumbers(
        db,
        textsOf(
          wanted.map(({ fields }) => fields),
          'number',
        ),
      );
      return wanted.map(({ record: own, fields: written, before }): RecordDiff => {
        const { output: fields, errors: wrong } = validateImported(CompleteStudent, written);
        if (!fields) return { errors: wrong };
        const errors: FieldErrors = {};
        if (!schools.isKnown(fields.school_id)) errors.school_id = [studentMessages.noSchool];
        else if (fields.school_id !== before?.school_id && !schools.isOpen(fields.school_id))
          errors.school_id = [schoolMessages.archived];
        if (fields.number !== '') {
          const number = `${fields.school_id} ${fields.number}`;
          const holder = taken.get(number);
          if (holder?.isErased) errors.number = [studentMessages.numberOfErased];
          else if ((holder && String(holder.id) !== own) || claimed.has(number))
            errors.number = [studentMessages.numberTaken];
          else claimed.add(number);
        }
        return fieldsOrErrors(fields, errors);
      });
    },
    newRows: async (made) => made.map(() => ({ created_at: now })),
    async beforeEnd(ids) {
      const ended = await presentStaysOf(context, ids).end('停用');
      return new Map(
        ids.map((id) => {
          const stays = ended.get(id) ?? [];
          return [id, { noted: { class_ids: stays.map(({ class_id }) => class_id) }, trace: { stays, at: now } }];
        }),
      );
    },
    afterUnend: (traces) =>
      reopenStays(
        context,
        traces.flatMap((trace) => (trace as { stays: { id: number }[] }).stays.map(({ id }) => id)),
      ),
    async effects(ended) {
      const left = await presentStaysOf(context, idsOf(ended)).unfinished();
      return new Map(
        [...left].flatMap(([id, { classes, ...unfinished }]): [string, string][] => {
          const effect = disablingSentence(classes, unfinished);
          return effect ? [[String(id), effect]] : [];
        }),
      );
    },
    async inUse(made) {
      const counts = await recordsOfMany(db, idsOf(made));
      return new Map([...counts].map(([id, count]) => [String(id), recordsSentence(count) ?? '']));
    },
  };
}

/** Returns the earlier value of a key, or stores this one. */
function firstSeen<Value>(seen: Map<string, Value>, key: string, value: Value): Value | undefined {
  if (key === '') return undefined;
  const earlier = seen.get(key);
  if (earlier === undefined) seen.set(key, value);
  return earlier;
}

const textsOf = (all: readonly Fields[], name: string): string[] => [
  ...new Set(all.map((fields) => String(fields[name] ?? '')).filter((text) => text !== '')),
];

/** Returns the owner of each student number, by school and number. The number of an erased student is taken too. */
async function takenNumbers(
  db: Database,
  sought: readonly string[],
): Promise<Map<string, { id: number; isErased: boolean }>> {
  if (sought.length === 0) return new Map();
  const rows = await db
    .selectFrom('student')
    .select(['id', 'school_id', 'number', 'erased_at'])
    .where('number', 'in', inTexts(db, sought))
    .where('number', '!=', '')
    .execute();
  return new Map(
    rows.map(({ id, school_id, number, erased_at }) => [
      `${school_id} ${number}`,
      { id, isErased: erased_at !== null },
    ]),
  );
}

/** Counts the records of each student, in the form of `countRecords`. Students without records are left out. */
async function recordsOfMany(db: Database, ids: readonly number[]): Promise<Map<number, Record<string, number>>> {
  const idList = inIds(db, ids);
  const found: (readonly [what: string, rows: Promise<{ student_id: number | null }[]>])[] = [
    ['个班级', db.selectFrom('class_student').select('student_id').where('student_id', 'in', idList).execute()],
    ['份作业', db.selectFrom('report').select('student_id').where('student_id', 'in', idList).execute()],
    ['份答卷', db.selectFrom('exam_report').select('student_id').where('student_id', 'in', idList).execute()],
    ['条考勤', db.selectFrom('attendance').select('student_id').where('student_id', 'in', idList).execute()],
    ['条考勤', db.selectFrom('session_student').select('student_id').where('student_id', 'in', idList).execute()],
    ['条考勤', db.selectFrom('study_record').select('student_id').where('student_id', 'in', idList).execute()],
    [
      '条考勤',
      db.selectFrom('class_meeting_attendance').select('student_id').where('student_id', 'in', idList).execute(),
    ],
    [
      '条沟通记录',
      db.selectFrom('communication_record').select('student_id').where('student_id', 'in', idList).execute(),
    ],
    ['条社区记录', db.selectFrom('community_post').select('student_id').where('student_id', 'in', idList).execute()],
    ['条社区记录', db.selectFrom('community_comment').select('student_id').where('student_id', 'in', idList).execute()],
    ['条社区记录', db.selectFrom('community_member').select('student_id').where('student_id', 'in', idList).execute()],
    ['条社区记录', db.selectFrom('community_like').select('student_id').where('student_id', 'in', idList).execute()],
    [
      '份答卷',
      db
        .selectFrom('exam_attempt')
        .select('student_id')
        .where('student_id', 'in', idList)
        .where('report_id', 'is', null)
        .execute(),
    ],
    ['条已读公告', db.selectFrom('notice_read').select('student_id').where('student_id', 'in', idList).execute()],
    ['个登录关联', db.selectFrom('learner_link').select('student_id').where('student_id', 'in', idList).execute()],
    ['次登录', db.selectFrom('learner_session').select('student_id').where('student_id', 'in', idList).execute()],
  ];
  const counts = new Map<number, Record<string, number>>();
  for (const [what, rows] of found) {
    for (const { student_id } of await rows) {
      const countsOfStudent = getOrAdd(counts, student_id ?? 0, () => ({}));
      countsOfStudent[what] = (countsOfStudent[what] ?? 0) + 1;
    }
  }
  return counts;
}
