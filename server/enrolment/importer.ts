/** Imports class memberships by the rules of joining.ts and leaving.ts. */

import {
  type ClassType,
  classTypes,
  joinFault,
  memberMessages,
  missingClass,
  missingStudent,
} from '#server/classes/rules.ts';
import { administeredClasses } from '#server/classes/visible.ts';
import { CompleteContract } from '#server/group-classes/admin.contract.ts';
import { storeContracts } from '#server/group-classes/contracts.ts';
import { assignHomework, lockOpenHomeworkOfClasses, withdrawHomework } from '#server/homework/publish.ts';
import { type MovingReport, moveReportsWithStudents, revertReportMoves } from '#server/homework/report-transfer.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { changedFields, newRecordIds } from '#server/platform/db/history.ts';
import { inIds, valuesTable } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { administeredStudents } from '#server/school/admin-students.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import {
  endsOf,
  type Fields,
  type FieldValue,
  groupRows,
  historyOf,
  type ImportContext,
  type Importer,
  type ImporterSession,
  joinedIds,
  orErrors,
  type RecordDiff,
  recordImport,
  referredIds,
  validateImported,
  viewerOf,
  type WantedRecord,
} from '#server/school/importer.ts';
import {
  endStaysOf,
  hasLeftOnTheirDay,
  keyOf,
  keysOf,
  membershipsOf,
  namesOf,
  placesOf,
  reasonOf,
  record,
  type StoredStay,
  staysOf,
  unfinishedStays,
  usedStays,
} from './imported-stays.ts';
import { disabledMembersFault, isClassOpen, leavingSentence } from './rules.ts';
import { deleteEarlierStay, joinClasses, restoreStays, returnToClass, storePlannedLeaves, undoJoins } from './stays.ts';

const contractFields = [
  'contracts_number',
  'sign_type',
  'remaining_lessons',
  'periods_price',
  'lesson_minutes',
] as const;
const noContract = {
  contracts_number: '',
  sign_type: 1,
  remaining_lessons: 0,
  periods_price: 0,
  lesson_minutes: 0,
} as const;
const contractOf = (fields: Fields) => Object.fromEntries(contractFields.map((name) => [name, fields[name] ?? null]));
const hasContract = (fields: Fields) =>
  contractFields.some((name) => (fields[name] ?? noContract[name]) !== noContract[name]);

export const importedMembers: Importer = {
  needs: 'people',
  refers: { class_id: ['class', 'group_class'], student_id: 'student' },
  scalars: ['joined_at', 'left_at', 'left_reason', ...contractFields],
  isBetween: true,
  givenByItself: ['joined_at'],
  atEnd: ['left_at', 'left_reason'],
  untilUnsaid: { left_at: null, left_reason: '' },
  defaults: { class_id: 0, student_id: 0, joined_at: null, left_at: null, left_reason: '', ...noContract },
  naturalKey: ({ class_id, student_id }) => joinedIds(class_id, student_id),
  facts: ({ class_id, student_id }) => ({ class_id: class_id ?? 0, student_id: student_id ?? 0 }),
  leaves: true,
  open,
};

/** Trace of a membership that an import created. */
interface Made {
  joined_at: number;
  homework: number[];
  /** Ungraded reports moved from a class that the student left. */
  moved?: MovingReport[];
  signed?: boolean;
}

/** Trace of a membership that an import ended. */
interface Ended {
  stay: StoredStay;
  moved?: MovingReport[];
}

/** The validated contract, or errors by field. */
function contractJudged(
  theClass: { class_type: ClassType } | undefined,
  fields: Fields,
  before: Fields | undefined,
): { contract?: Fields; errors?: FieldErrors } {
  if (!hasContract(fields) && (before?.contracts_number ?? '') === '') return {};
  if (theClass?.class_type === classTypes.stateSchool)
    return { errors: { contracts_number: [memberMessages.noContract] } };
  const { output, errors } = validateImported(CompleteContract, {
    contracts_number: String(fields.contracts_number ?? ''),
    sign_type: Number(fields.sign_type ?? 1),
    remaining_lessons: String(fields.remaining_lessons ?? ''),
    periods_price: String(fields.periods_price ?? ''),
    lesson_minutes: String(fields.lesson_minutes ?? ''),
  });
  return errors ? { errors } : { contract: output };
}

async function open(context: ImportContext): Promise<ImporterSession> {
  const { db, now, timezone, importer, foreseen } = context;
  const viewer = viewerOf(importer);
  const note = historyOf(context, record);
  /** Number of students that this import adds to each one-to-one class. */
  const taken = new Map<number, number>();

  async function classFacts(ids: readonly number[]) {
    const rows = await administeredClasses(db, viewer)
      .leftJoin('team_class', 'team_class.class_id', 'class.id')
      .select(['class.id', 'class.class_type', 'class.valid_type', 'class.valid_time', 'team_class.ended_at'])
      .where('class.id', 'in', inIds(db, ids))
      .execute();
    const known = new Map(
      rows.map((row) => [row.id, { class_type: row.class_type, is_running: isClassOpen(row, now) }]),
    );
    return (id: number): { class_type: ClassType; is_running: 0 | 1 } | undefined => {
      const ahead = foreseen('class', String(id)) ?? foreseen('group_class', String(id));
      if (!ahead) return known.get(id);
      const class_type = known.get(id)?.class_type ?? (Number(ahead.class_type ?? 0) as ClassType);
      return { class_type, is_running: ahead.is_running === 1 ? 1 : 0 };
    };
  }

  async function studentFacts(ids: readonly number[]) {
    const rows = await administeredStudents(db, viewer)
      .select(['student.id', 'student.nickname', 'student.disabled_at'])
      .where('student.id', 'in', inIds(db, ids))
      .execute();
    const known = new Map(rows.map((row) => [row.id, row]));
    return (id: number): { nickname: string; isDisabled: boolean } | undefined => {
      const ahead = foreseen('student', String(id));
      if (ahead) return { nickname: String(ahead.nickname), isDisabled: ahead.is_disabled === 1 };
      const row = known.get(id);
      return row && { nickname: row.nickname, isDisabled: row.disabled_at !== null };
    };
  }

  async function presentIn(ids: readonly number[]): Promise<Map<number, number>> {
    const rows = await db
      .selectFrom('class_student')
      .select((eb) => ['class_id', eb.fn.countAll<number>().as('count')])
      .where('class_id', 'in', inIds(db, ids))
      .where('left_at', 'is', null)
      .groupBy('class_id')
      .execute();
    return new Map(rows.map(({ class_id, count }) => [class_id, Number(count)]));
  }

  /** Calls `moveReportsWithStudents`; returns the moved reports by membership. */
  async function takeAlong(stays: readonly { classId: number; studentId: number }[], end: 'from' | 'to') {
    const ends = stays.map(({ classId, studentId }) => ({ class_id: classId, student_id: studentId }));
    const moved = await moveReportsWithStudents(db, recordImport(context), ends, end);
    return groupRows(moved, (report) => joinedIds(report[end], report.student_id));
  }

  /** Gives new members the open homework of their class; returns its ids by membership. */
  async function withHomework(stays: readonly { classId: number; studentId: number }[]) {
    const classIds = [...new Set(stays.map(({ classId }) => classId))];
    const homework = await lockOpenHomeworkOfClasses(db, classIds, now);
    const had = new Map<string, number[]>();
    for (const { id, class_id } of homework) {
      const studentIds = stays.filter(({ classId }) => classId === class_id).map(({ studentId }) => studentId);
      const received = await assignHomework(db, { homeworkId: id, classId: class_id, studentIds, now });
      for (const studentId of received) {
        const key = joinedIds(class_id, studentId);
        getOrAdd(had, key, () => []).push(id);
      }
      if (received.length > 0)
        await historyOf(context, 'homework')('join', [
          { recordId: id, before: null, after: { class_id, student_ids: received } },
        ]);
    }
    return had;
  }

  /** Stores changed contracts, each with a history row. */
  async function keepContractsOf(changed: readonly { record: string; before: Fields; after: Fields }[]): Promise<void> {
    const signed = changed.filter(({ before, after }) =>
      contractFields.some((name) => (before[name] ?? noContract[name]) !== (after[name] ?? noContract[name])),
    );
    if (signed.length === 0) return;
    const ids = new Map((await staysOf(db, keysOf(signed))).map((stay) => [keyOf(stay), stay.id]));
    await storeContracts(
      db,
      signed.map(({ record: key, after }) => ({
        id: ids.get(key) ?? 0,
        contracts_number: String(after.contracts_number ?? ''),
        sign_type: Number(after.sign_type ?? 1),
        remaining_lessons: Number(after.remaining_lessons ?? 0),
        periods_price: Number(after.periods_price ?? 0),
        lesson_minutes: Number(after.lesson_minutes ?? 0),
      })),
    );
    await note('contract', signed, ({ record: key, before, after }) => {
      const change = changedFields(contractOf({ ...noContract, ...before }), contractOf({ ...noContract, ...after }));
      return { recordId: ids.get(key) ?? 0, before: change.before, after: change.after };
    });
  }

  /**
   * Resolves the joining time. Only the day counts: another moment of the known day changes nothing. A future day
   * becomes today, and a return cannot begin before the previous enrolment ended.
   */
  async function joinedDays(wanted: readonly WantedRecord[]): Promise<(at: number) => FieldValue> {
    const isSaid = ({ fields, before }: WantedRecord) =>
      fields.joined_at !== null && fields.joined_at !== before?.joined_at;
    const known = wanted.filter((one) => one.record !== undefined && isSaid(one)).flatMap((one) => one.record ?? []);
    const earlier =
      known.length === 0
        ? []
        : await db
            .selectFrom('class_earlier_stay')
            .innerJoin(valuesTable(db, { class_id: 'integer', student_id: 'integer' }, placesOf(known)), (on) =>
              on
                .onRef('given.class_id', '=', 'class_earlier_stay.class_id')
                .onRef('given.student_id', '=', 'class_earlier_stay.student_id'),
            )
            .select(['class_earlier_stay.class_id', 'class_earlier_stay.student_id', 'class_earlier_stay.left_at'])
            .execute();
    const left = new Map<string, number>();
    for (const stay of earlier) left.set(keyOf(stay), Math.max(stay.left_at, left.get(keyOf(stay)) ?? 0));
    const over = known.length === 0 ? [] : (await staysOf(db, known)).filter(({ left_at }) => left_at !== null);
    const gone = new Map(over.map((stay) => [keyOf(stay), stay.left_at ?? 0]));
    const today = dayStart(dayOf(now, timezone), timezone);
    return (at) => {
      const { fields, before, record: key = '' } = wanted[at] as WantedRecord;
      const said = fields.joined_at;
      if (said === null || said === undefined || said === before?.joined_at) return said ?? null;
      const wish = Number(said);
      if (!before) return wish > now ? today : wish;
      const was = Number(before.joined_at);
      const leftAt = gone.get(key);
      // A returning student starts a new enrolment.
      if (leftAt !== undefined) return wish > leftAt && wish <= now ? wish : Math.max(today, leftAt);
      const isSameDay = dayOf(wish, timezone) === dayOf(was, timezone);
      return isSameDay || wish > now || wish < (left.get(key) ?? 0) ? was : wish;
    };
  }

  /** Resolves the planned last day and reason. Only the day counts: another moment of the known day changes nothing. */
  function leavingDay({ fields, before }: WantedRecord): { left_at: number | null; left_reason: string } {
    const said = fields.left_at;
    if (said === null || said === undefined) return { left_at: null, left_reason: '' };
    const lastDay = (at: FieldValue) => dayOf(Number(at) - 1, timezone);
    const known = before?.left_at;
    const isKnown = typeof known === 'number' && lastDay(known) === lastDay(said);
    return { left_at: isKnown ? known : Number(said), left_reason: reasonOf(fields.left_reason) };
  }

  /** Stores changed planned days. An enrolment that ended on its planned day is reopened if the day changes. */
  async function changeLeavingDays(changed: readonly { record: string; before: Fields; after: Fields }[]) {
    const wish = new Map(
      changed
        .filter(({ before, after }) => before.left_at !== after.left_at || before.left_reason !== after.left_reason)
        .map(({ record: key, after }) => {
          const { left_at, left_reason } = after;
          const leaving_at = typeof left_at === 'number' ? left_at : null;
          return [key, { leaving_at, leaving_reason: reasonOf(left_reason) }];
        }),
    );
    if (wish.size === 0) return;
    const stays = (await staysOf(db, [...wish.keys()])).flatMap((stay) => {
      const its = wish.get(keyOf(stay));
      return its ? [{ stay, its }] : [];
    });
    const reopened = stays.filter(({ stay, its }) => hasLeftOnTheirDay(stay) && its.leaving_at !== stay.leaving_at);
    await restoreStays(
      db,
      reopened.map(({ stay }) => ({ ...stay, left_at: null, left_reason: '' })),
    );
    await storePlannedLeaves(
      db,
      stays.map(({ stay: { id }, its }) => ({ id, ...its })),
    );
    await note('edit', stays, ({ stay, its }) => ({
      recordId: stay.id,
      before: { left_at: stay.leaving_at, left_reason: stay.leaving_reason },
      after: { left_at: its.leaving_at, left_reason: its.leaving_reason },
    }));
  }

  return {
    async stored(records) {
      const query = membershipsOf(db, records)
        .leftJoin('class_contract', 'class_contract.class_student_id', 'class_student.id')
        .select(['class_student.class_id', 'class_student.student_id', 'class_student.joined_at'])
        .select(['class_student.left_at', 'class_student.leaving_at', 'class_student.leaving_reason'])
        .select(['class_contract.contracts_number', 'class_contract.sign_type', 'class_contract.remaining_lessons'])
        .select(['class_contract.periods_price', 'class_contract.lesson_minutes']);
      const rows = await forUpdate(db)(query, ['class_student']).execute();
      return new Map(
        rows.map((row) => [
          keyOf(row),
          {
            fields: {
              class_id: row.class_id,
              student_id: row.student_id,
              joined_at: row.joined_at,
              left_at: row.leaving_at,
              left_reason: row.leaving_reason,
              contracts_number: row.contracts_number ?? noContract.contracts_number,
              sign_type: row.sign_type ?? noContract.sign_type,
              remaining_lessons: row.remaining_lessons ?? noContract.remaining_lessons,
              periods_price: (row.periods_price ?? noContract.periods_price) / 100,
              lesson_minutes: row.lesson_minutes ?? noContract.lesson_minutes,
            },
            isGone: row.left_at !== null,
            isGoneAsSaid: hasLeftOnTheirDay(row),
          },
        ]),
      );
    },
    async findMatch(wanted) {
      const known = new Set((await staysOf(db, wanted.map(keyOf))).map(keyOf));
      return wanted.map((fields) => (known.has(keyOf(fields)) ? { record: keyOf(fields), isSure: true } : undefined));
    },
    async diff(wanted) {
      const classIds = referredIds(wanted, 'class_id');
      const classOf = await classFacts(classIds);
      const studentOf = await studentFacts(wanted.map(({ fields }) => Number(fields.student_id)));
      const joinedOf = await joinedDays(wanted);
      const ones = classIds.filter((id) => classOf(id)?.class_type === 1);
      const present = ones.length > 0 ? await presentIn(ones) : new Map<number, number>();
      const named = await staysOf(
        db,
        wanted.flatMap(({ record: known }) => known ?? []),
      );
      const staying = new Set(named.filter(({ left_at }) => left_at === null).map(keyOf));
      return wanted.map((one, at): RecordDiff => {
        const { fields, record: known, before } = one;
        const classId = Number(fields.class_id);
        const theClass = classOf(classId);
        const student = studentOf(Number(fields.student_id));
        const errors: FieldErrors = {};
        if (!theClass) errors.class_id = [missingClass];
        if (!student) errors.student_id = [missingStudent];
        // Present members pass these checks.
        if (theClass && student && !(known !== undefined && staying.has(known))) {
          const joined = (taken.get(classId) ?? 0) + 1;
          const fault = joinFault(theClass, (present.get(classId) ?? 0) + joined);
          const disabled = disabledMembersFault(student.isDisabled ? [student.nickname] : []);
          if (fault) errors.class_id = [fault];
          if (disabled) errors.student_id = [disabled];
          if (!fault && !disabled) taken.set(classId, joined);
        }
        const { errors: wrong, contract } = contractJudged(theClass, fields, before);
        return orErrors(
          { ...fields, ...contract, ...leavingDay(one), joined_at: joinedOf(at) },
          { ...errors, ...wrong },
        );
      });
    },
    newRecords: async (all) => all.map(keyOf),
    async add(made) {
      const ids = await newRecordIds(db, { table: 'class_student', record, count: made.length });
      const stays = made.map(({ record: key, fields }, at) => {
        const [classId, studentId] = endsOf(key);
        const joinedAt = Math.min(now, Number(fields.joined_at) || now);
        return { id: ids[at] as number, classId, studentId, joinedAt };
      });
      await joinClasses(db, stays);
      await note('join', stays, ({ id, classId, studentId, joinedAt }) => ({
        recordId: id,
        before: null,
        after: { class_id: classId, student_id: studentId, joined_at: joinedAt, left_at: null },
      }));
      await changeLeavingDays(
        made.flatMap(({ record: key, fields }) =>
          fields.left_at === null ? [] : [{ record: key, before: { left_at: null, left_reason: '' }, after: fields }],
        ),
      );
      const signed = made.filter(({ fields }) => fields.contracts_number !== '');
      await keepContractsOf(
        signed.map(({ record: key, fields }) => ({ record: key, before: noContract, after: fields })),
      );
      const moved = await takeAlong(stays, 'to');
      const homework = await withHomework(stays);
      const signedKeys = new Set(signed.map(({ record: key }) => key));
      return new Map(
        stays.map(({ id, classId, studentId, joinedAt }) => {
          const key = joinedIds(classId, studentId);
          const made: Made = {
            joined_at: joinedAt,
            homework: homework.get(key) ?? [],
            moved: moved.get(key) ?? [],
            signed: signedKeys.has(key),
          };
          return [key, { id, ...made }];
        }),
      );
    },
    async change(changed) {
      await keepContractsOf(changed);
      await changeLeavingDays(changed);
      const moved = changed.filter(({ before, after }) => before.joined_at !== after.joined_at);
      const stays = new Map((await staysOf(db, keysOf(moved))).map((stay) => [keyOf(stay), stay]));
      const rows = moved.flatMap(({ record: key, after }) => {
        const stay = stays.get(key);
        return stay && stay.joined_at !== after.joined_at ? [{ stay, joined_at: Number(after.joined_at) }] : [];
      });
      await restoreStays(
        db,
        rows.map(({ stay, joined_at }) => ({ ...stay, joined_at })),
      );
      await note('edit', rows, ({ stay: { id, joined_at: before }, joined_at }) => ({
        recordId: id,
        before: { joined_at: before },
        after: { joined_at },
      }));
    },
    async end(ended) {
      const before = (await staysOf(db, keysOf(ended))).filter(({ left_at }) => left_at === null);
      const said = new Map(ended.map(({ record: key, fields }) => [key, fields]));
      const endOf = (stay: StoredStay) => {
        const { left_at, left_reason } = said.get(keyOf(stay)) ?? {};
        const at = Math.min(now, Math.max(stay.joined_at, Number(left_at) || now));
        return { at, reason: reasonOf(left_reason) || '导入' };
      };
      // One call per day and reason.
      for (const its of groupRows(before, (stay) => JSON.stringify(endOf(stay))).values())
        if (its[0]) await endStaysOf(context, its, endOf(its[0]));
      const moved = await takeAlong(
        before.map(({ class_id, student_id }) => ({ classId: class_id, studentId: student_id })),
        'from',
      );
      return new Map(
        before.map((stay) => {
          const key = keyOf(stay);
          return [key, { stay, moved: moved.get(key) ?? [], at: now }];
        }),
      );
    },
    async restore(returning) {
      const before = await staysOf(db, keysOf(returning));
      const stays = before.map(({ id, class_id, student_id }) => ({ id, classId: class_id, studentId: student_id }));
      const wish = new Map(returning.map(({ record: key, fields }) => [key, Number(fields.joined_at)]));
      const joinedAt = new Map(
        before.map((stay) => {
          const joined = wish.get(keyOf(stay)) ?? now;
          return [stay.id, joined > (stay.left_at ?? 0) && joined <= now ? joined : now];
        }),
      );
      for (const stay of stays) await returnToClass(db, { ...stay, now: joinedAt.get(stay.id) ?? now });
      await note('return', before, ({ id, class_id, student_id, joined_at, left_at }) => ({
        recordId: id,
        before: { joined_at, left_at },
        after: { class_id, student_id, joined_at: joinedAt.get(id) ?? now, left_at: null },
      }));
      const moved = await takeAlong(stays, 'to');
      const homework = await withHomework(stays);
      return new Map(
        before.map((stay) => {
          const key = keyOf(stay);
          return [key, { stay, homework: homework.get(key) ?? [], moved: moved.get(key) ?? [] }];
        }),
      );
    },
    async labels(records) {
      const rows = (await staysOf(db, records)).map(({ id }) => id);
      const named = await db
        .selectFrom('class_student')
        .innerJoin('class', 'class.id', 'class_student.class_id')
        .innerJoin('student', 'student.id', 'class_student.student_id')
        .select(['class_student.class_id', 'class_student.student_id', 'class.name', 'student.nickname'])
        .where('class_student.id', 'in', inIds(db, rows))
        .execute();
      return new Map(named.map(({ name, nickname, ...stay }) => [keyOf(stay), `${name} ${nickname}`]));
    },
    async consequences(ended) {
      const stays = await staysOf(db, keysOf(ended));
      const names = await namesOf(
        db,
        stays.map(({ class_id }) => class_id),
      );
      const left = await unfinishedStays(context, stays);
      return [...groupRows(stays, ({ class_id }) => class_id)].map(([id, its]) => {
        const homework = new Set(its.flatMap((stay) => left.get(stay.id)?.homeworkIds ?? [])).size;
        const leave = its.reduce((sum, stay) => sum + (left.get(stay.id)?.leave ?? 0), 0);
        const who = `${its.length}名学员离开${names.get(id) ?? ''}`;
        return leavingSentence(who, { homework, leave }) ?? who;
      });
    },
    effects: async () => new Map(),
    async remove(made) {
      const stays = await staysOf(db, keysOf(made));
      const signed = new Set(made.flatMap(({ record: key, trace }) => ((trace as Made).signed ? [key] : [])));
      const used = await usedStays(db, stays, signed);
      const faults = new Map<string, string>();
      const gone = [];
      const back: MovingReport[] = [];
      for (const { record: key, trace } of made) {
        const stay = stays.find((one) => keyOf(one) === key);
        if (!stay) continue;
        const { joined_at, homework, moved = [] } = trace as Made;
        const isLeft = (stay.left_at !== null && !hasLeftOnTheirDay(stay)) || stay.joined_at !== joined_at;
        const isTaken = isLeft
          ? false
          : await withdrawHomework(db, { studentId: stay.student_id, homeworkIds: homework });
        const why = isLeft ? '之后又离开或返回过班级' : (used.get(key) ?? (isTaken ? '' : '已提交之后布置给他的作业'));
        if (why) faults.set(key, why);
        else {
          gone.push(stay);
          back.push(...moved);
        }
      }
      await revertReportMoves(db, recordImport(context), back);
      await undoJoins(
        db,
        gone.map(({ id }) => id),
      );
      await note('undo', gone, ({ id, class_id, student_id, joined_at }) => ({
        recordId: id,
        before: { class_id, student_id, joined_at },
        after: null,
      }));
      return faults;
    },
    async unend(ended) {
      const traces = ended.map(({ trace }) => trace as Ended);
      const stays = traces.map(({ stay }) => stay);
      await restoreStays(db, stays);
      await revertReportMoves(
        db,
        recordImport(context),
        traces.flatMap(({ moved = [] }) => moved),
      );
      await note('undo', stays, ({ id, class_id, student_id, joined_at }) => ({
        recordId: id,
        before: { class_id, student_id, left_at: now },
        after: { class_id, student_id, joined_at, left_at: null },
      }));
    },
    async unreturn(returned) {
      const traces = returned.map(({ trace }) => trace as Ended & { homework: number[] });
      await revertReportMoves(
        db,
        recordImport(context),
        traces.flatMap(({ moved = [] }) => moved),
      );
      for (const { stay, homework } of traces) {
        const { class_id: classId, student_id: studentId, joined_at: joinedAt } = stay;
        await withdrawHomework(db, { studentId, homeworkIds: homework });
        await deleteEarlierStay(db, { classId, studentId, joinedAt });
      }
      await restoreStays(
        db,
        traces.map(({ stay }) => stay),
      );
      await note('undo', traces, ({ stay: { id, class_id, student_id, joined_at, left_at } }) => ({
        recordId: id,
        before: { class_id, student_id, left_at: null },
        after: { class_id, student_id, joined_at, left_at },
      }));
    },
  };
}
