/** Imports class memberships, by the rules of joining.ts and leaving.ts. */

import { type ClassType, joinFault, missingClass, missingStudent } from '#server/classes/rules.ts';
import { adminClasses } from '#server/classes/visible.ts';
import { withdrawHomework } from '#server/homework/assign.ts';
import { type MovingReport, revertReportMoves } from '#server/homework/report-transfer.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { newRecordIds } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import {
  distinctIds,
  fieldsOrErrors,
  groupRows,
  historyOf,
  type ImportContext,
  type Importer,
  type ImporterSession,
  membershipEnds,
  membershipId,
  type RecordDiff,
  recordImport,
  viewerOf,
} from '#server/school/importer.ts';
import { contractFields, noContract, storeChangedContracts, validateContract } from './imported-contracts.ts';
import { resolveJoiningTimes, resolveLeavingDay, storeLeavingDays } from './imported-days.ts';
import { assignOpenHomework, moveReportsAlong } from './imported-homework.ts';
import {
  classNamesOf,
  endStaysOf,
  enrolmentRecord,
  hasLeftOnTheirDay,
  membershipsOf,
  presentCounts,
  reasonOf,
  type StoredStay,
  stayKey,
  stayKeys,
  staysInUse,
  staysOf,
  unfinishedStays,
} from './imported-stays.ts';
import { disabledMembersFault, isClassOpen, leavingSentence } from './rules.ts';
import { deleteEarlierStay, joinClasses, restoreStays, returnToClass, undoJoins } from './stays.ts';

export const importedMembers: Importer = {
  needs: 'people',
  refers: { class_id: ['class', 'group_class'], student_id: 'student' },
  scalars: ['joined_at', 'left_at', 'left_reason', ...contractFields],
  isMembership: true,
  automaticFields: ['joined_at'],
  atEnd: ['left_at', 'left_reason'],
  resetWhenOmitted: { left_at: null, left_reason: '' },
  defaults: { class_id: 0, student_id: 0, joined_at: null, left_at: null, left_reason: '', ...noContract },
  naturalKey: ({ class_id, student_id }) => membershipId(class_id, student_id),
  facts: ({ class_id, student_id }) => ({ class_id: class_id ?? 0, student_id: student_id ?? 0 }),
  leaves: true,
  open,
};

/** Data that undo needs about a membership that the import created. */
interface AddedStay {
  joined_at: number;
  homework: number[];
  /** Ungraded reports that moved here from a class the student left. */
  moved?: MovingReport[];
  signed?: boolean;
}

/** Data that undo needs about a membership that the import ended. */
interface EndedStay {
  stay: StoredStay;
  moved?: MovingReport[];
}

async function open(context: ImportContext): Promise<ImporterSession> {
  const { db, now, importer, foreseen } = context;
  const viewer = viewerOf(importer);
  const note = historyOf(context, enrolmentRecord);
  /** Number of students that this import adds to each one-to-one class. */
  const taken = new Map<number, number>();

  async function classFacts(ids: readonly number[]) {
    const rows = await adminClasses(db, viewer)
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
    const rows = await adminStudents(db, viewer)
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
          stayKey(row),
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
            isGoneAsPlanned: hasLeftOnTheirDay(row),
          },
        ]),
      );
    },
    async findMatch(wanted) {
      const known = new Set((await staysOf(db, wanted.map(stayKey))).map(stayKey));
      return wanted.map((fields) =>
        known.has(stayKey(fields)) ? { record: stayKey(fields), isSure: true } : undefined,
      );
    },
    async diff(wanted) {
      const classIds = distinctIds(wanted, 'class_id');
      const classOf = await classFacts(classIds);
      const findStudent = await studentFacts(wanted.map(({ fields }) => Number(fields.student_id)));
      const joiningTimeOf = await resolveJoiningTimes(context, wanted);
      const ones = classIds.filter((id) => classOf(id)?.class_type === 1);
      const present = ones.length > 0 ? await presentCounts(db, ones) : new Map<number, number>();
      const named = await staysOf(
        db,
        wanted.flatMap(({ record: known }) => known ?? []),
      );
      const staying = new Set(named.filter(({ left_at }) => left_at === null).map(stayKey));
      return wanted.map((one, at): RecordDiff => {
        const { fields, record: known, before } = one;
        const classId = Number(fields.class_id);
        const theClass = classOf(classId);
        const student = findStudent(Number(fields.student_id));
        const errors: FieldErrors = {};
        if (!theClass) errors.class_id = [missingClass];
        if (!student) errors.student_id = [missingStudent];
        // Students who are current members already need no check whether they may join.
        if (theClass && student && !(known !== undefined && staying.has(known))) {
          const joined = (taken.get(classId) ?? 0) + 1;
          const fault = joinFault(theClass, (present.get(classId) ?? 0) + joined);
          const disabled = disabledMembersFault(student.isDisabled ? [student.nickname] : []);
          if (fault) errors.class_id = [fault];
          if (disabled) errors.student_id = [disabled];
          if (!fault && !disabled) taken.set(classId, joined);
        }
        const { errors: wrong, contract } = validateContract(theClass, fields, before);
        return fieldsOrErrors(
          { ...fields, ...contract, ...resolveLeavingDay(context, one), joined_at: joiningTimeOf(at) },
          { ...errors, ...wrong },
        );
      });
    },
    newRecords: async (all) => all.map(stayKey),
    async add(made) {
      const ids = await newRecordIds(db, { table: 'class_student', record: enrolmentRecord, count: made.length });
      const stays = made.map(({ record: key, fields }, at) => {
        const [classId, studentId] = membershipEnds(key);
        const joinedAt = Math.min(now, Number(fields.joined_at) || now);
        return { id: ids[at] as number, classId, studentId, joinedAt };
      });
      await joinClasses(db, stays, now);
      await note('join', stays, ({ id, classId, studentId, joinedAt }) => ({
        recordId: id,
        before: null,
        after: { class_id: classId, student_id: studentId, joined_at: joinedAt, left_at: null },
      }));
      await storeLeavingDays(
        context,
        made.flatMap(({ record: key, fields }) =>
          fields.left_at === null ? [] : [{ record: key, before: { left_at: null, left_reason: '' }, after: fields }],
        ),
      );
      const signed = made.filter(({ fields }) => fields.contracts_number !== '');
      await storeChangedContracts(
        context,
        signed.map(({ record: key, fields }) => ({ record: key, before: noContract, after: fields })),
      );
      const moved = await moveReportsAlong(context, stays, 'to');
      const homework = await assignOpenHomework(context, stays);
      const signedKeys = new Set(signed.map(({ record: key }) => key));
      return new Map(
        stays.map(({ id, classId, studentId, joinedAt }) => {
          const key = membershipId(classId, studentId);
          const made: AddedStay = {
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
      await storeChangedContracts(context, changed);
      await storeLeavingDays(context, changed);
      const moved = changed.filter(({ before, after }) => before.joined_at !== after.joined_at);
      const stays = new Map((await staysOf(db, stayKeys(moved))).map((stay) => [stayKey(stay), stay]));
      const rows = moved.flatMap(({ record: key, after }) => {
        const stay = stays.get(key);
        return stay && stay.joined_at !== after.joined_at ? [{ stay, joined_at: Number(after.joined_at) }] : [];
      });
      await restoreStays(
        db,
        rows.map(({ stay, joined_at }) => ({ ...stay, joined_at })),
        now,
      );
      await note('edit', rows, ({ stay: { id, joined_at: before }, joined_at }) => ({
        recordId: id,
        before: { joined_at: before },
        after: { joined_at },
      }));
    },
    async end(ended) {
      const before = (await staysOf(db, stayKeys(ended))).filter(({ left_at }) => left_at === null);
      const fieldsByStay = new Map(ended.map(({ record: key, fields }) => [key, fields]));
      const endOf = (stay: StoredStay) => {
        const { left_at, left_reason } = fieldsByStay.get(stayKey(stay)) ?? {};
        const at = Math.min(now, Math.max(stay.joined_at, Number(left_at) || now));
        return { at, reason: reasonOf(left_reason) || '导入' };
      };
      // Enrolments with the same last day and reason are ended together.
      for (const its of groupRows(before, (stay) => JSON.stringify(endOf(stay))).values())
        if (its[0]) await endStaysOf(context, its, endOf(its[0]));
      const moved = await moveReportsAlong(
        context,
        before.map(({ class_id, student_id }) => ({ classId: class_id, studentId: student_id })),
        'from',
      );
      return new Map(
        before.map((stay) => {
          const key = stayKey(stay);
          return [key, { stay, moved: moved.get(key) ?? [], at: now }];
        }),
      );
    },
    async restore(returning) {
      const before = await staysOf(db, stayKeys(returning));
      const stays = before.map(({ id, class_id, student_id }) => ({ id, classId: class_id, studentId: student_id }));
      const wish = new Map(returning.map(({ record: key, fields }) => [key, Number(fields.joined_at)]));
      const joinedAt = new Map(
        before.map((stay) => {
          const joined = wish.get(stayKey(stay)) ?? now;
          return [stay.id, joined > (stay.left_at ?? 0) && joined <= now ? joined : now];
        }),
      );
      for (const stay of stays) await returnToClass(db, { ...stay, joinedAt: joinedAt.get(stay.id) ?? now, now });
      await note('return', before, ({ id, class_id, student_id, joined_at, left_at }) => ({
        recordId: id,
        before: { joined_at, left_at },
        after: { class_id, student_id, joined_at: joinedAt.get(id) ?? now, left_at: null },
      }));
      const moved = await moveReportsAlong(context, stays, 'to');
      const homework = await assignOpenHomework(context, stays);
      return new Map(
        before.map((stay) => {
          const key = stayKey(stay);
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
      return new Map(named.map(({ name, nickname, ...stay }) => [stayKey(stay), `${name} ${nickname}`]));
    },
    async consequences(ended) {
      const stays = await staysOf(db, stayKeys(ended));
      const names = await classNamesOf(
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
      const stays = await staysOf(db, stayKeys(made));
      const signed = new Set(made.flatMap(({ record: key, trace }) => ((trace as AddedStay).signed ? [key] : [])));
      const used = await staysInUse(db, stays, signed);
      const faults = new Map<string, string>();
      const gone = [];
      const back: MovingReport[] = [];
      for (const { record: key, trace } of made) {
        const stay = stays.find((one) => stayKey(one) === key);
        if (!stay) continue;
        const { joined_at, homework, moved = [] } = trace as AddedStay;
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
    async undoEnd(ended) {
      const traces = ended.map(({ trace }) => trace as EndedStay);
      const stays = traces.map(({ stay }) => stay);
      await restoreStays(db, stays, now);
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
    async undoRestore(returned) {
      const traces = returned.map(({ trace }) => trace as EndedStay & { homework: number[] });
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
        now,
      );
      await note('undo', traces, ({ stay: { id, class_id, student_id, joined_at, left_at } }) => ({
        recordId: id,
        before: { class_id, student_id, left_at: null },
        after: { class_id, student_id, joined_at, left_at },
      }));
    },
  };
}
