/** Contracts of students in group and one-to-one classes, with remaining lessons. */
import { adminClass, lockedClass } from '#server/classes/admin-record.ts';
import { classTypes, missingClass } from '#server/classes/rules.ts';
import { editConflict, mergeEdit, versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { insertRows } from '#server/platform/db/rows.ts';
import type { RuleContext } from '#server/school/context.ts';
import { CompleteContract, type ContractRow, type EditedMemberContract } from './admin.contract.ts';
import { missingMember, signTypeNames } from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Lists the contracts of current members, then of former ones, in order of joining. 404: no such class. */
export async function contractPage(
  context: RequestContext,
  { id, page, limit }: { id: number; page: number; limit: number },
): Promise<Page<ContractRow> | Refusal> {
  const { db } = context;
  const theClass = await lessonClass(context, id);
  if (isRefusal(theClass)) return theClass;
  const members = membersOf(db, id);
  const { list, ...range } = await pageOf(
    members,
    { page, limit },
    selectContracts(members)
      .orderBy((eb) => eb.case().when('class_student.left_at', 'is', null).then(0).else(1).end())
      .orderBy('class_student.id'),
  );
  return { list: list.map(rowOf), ...range };
}

/** Returns the contract of one member. 404: no such class or member. */
export async function contractOf(
  context: RequestContext,
  { id, memberId }: { id: number; memberId: number },
): Promise<ContractRow | Refusal> {
  const theClass = await lessonClass(context, id);
  if (isRefusal(theClass)) return theClass;
  const row = await selectContracts(
    membersOf(context.db, id).where('class_student.id', '=', memberId),
  ).executeTakeFirst();
  return row ? rowOf(row) : missing(missingMember);
}

async function lessonClass(context: RequestContext, id: number) {
  const theClass = await adminClass(context, id);
  if (isRefusal(theClass)) return theClass;
  return theClass.class_type === classTypes.stateSchool ? missing(missingClass) : theClass;
}

const membersOf = (db: Database, classId: number) =>
  db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .where('class_student.class_id', '=', classId);

const selectContracts = (members: ReturnType<typeof membersOf>) =>
  members
    .leftJoin('class_contract', 'class_contract.class_student_id', 'class_student.id')
    .select([
      'class_student.id',
      'student.id as student_id',
      'student.nickname',
      'student.mobile',
      'class_student.joined_at',
      'class_student.left_at',
      'class_contract.contracts_number',
      'class_contract.sign_type',
      'class_contract.remaining_lessons',
      'class_contract.periods_price',
      'class_contract.lesson_minutes',
    ])
    .select((eb) =>
      eb
        .selectFrom('session_student')
        .innerJoin('class_session', 'class_session.id', 'session_student.session_id')
        .select((count) => count.fn.countAll<number>().as('lessons'))
        .whereRef('session_student.student_id', '=', 'class_student.student_id')
        .whereRef('class_session.class_id', '=', 'class_student.class_id')
        .where('session_student.status', '=', 1)
        .as('lessons_attended'),
    );

type StoredContract = Awaited<ReturnType<ReturnType<typeof selectContracts>['execute']>>[number];

function rowOf(row: StoredContract): ContractRow {
  const contract = contractFields(row);
  return {
    ...contract,
    id: row.id,
    student_id: row.student_id,
    nickname: row.nickname,
    mobile: row.mobile,
    joined_at: row.joined_at,
    left_at: row.left_at ?? 0,
    lessons_attended: row.lessons_attended ?? 0,
    seen: versionTokenOf(contract),
  };
}

const contractFields = (row: StoredContract) => ({
  contracts_number: row.contracts_number ?? '',
  sign_type: row.sign_type ?? (1 as const),
  remaining_lessons: row.remaining_lessons ?? 0,
  periods_price: (row.periods_price ?? 0) / 100,
  lesson_minutes: row.lesson_minutes ?? 0,
});

/** Stores the contract of one member. 404: no such class or member. 422: errors by field. 409: edited meanwhile. */
export async function storeContract(
  context: RequestContext,
  { id, memberId }: { id: number; memberId: number },
  written: EditedMemberContract,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const theClass = await lockedClass(context, id);
  if (isRefusal(theClass)) return theClass;
  const present = await contractOf(context, { id, memberId });
  if (isRefusal(present)) return present;
  const { output, errors } = validateComplete(CompleteContract, written);
  if (!output) return invalid(errors);
  const { contracts_number, sign_type, remaining_lessons, periods_price, lesson_minutes } = present;
  const before = { contracts_number, sign_type, remaining_lessons, periods_price, lesson_minutes };
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'class_student', memberId, conflicts)) || '系统管理员',
      nameOf: {
        contracts_number: '合同编号',
        sign_type: '计费方式',
        remaining_lessons: '剩余课时',
        periods_price: '课时单价',
        lesson_minutes: '每课时分钟数',
      },
      shown: (field, value) =>
        field === 'sign_type' ? signTypeNames[value === 2 ? 2 : 1] : String(value === '' ? '空' : value),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const stored = { ...merged, periods_price: Math.round(merged.periods_price * 100) };
  await db
    .insertInto('class_contract')
    .values({ ...stored, class_student_id: memberId, first_time: null })
    .onConflict((known) => known.column('class_student_id').doUpdateSet(stored))
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'class_student',
    recordId: memberId,
    action: 'contract',
    before: change.before,
    after: change.after,
  });
  return null;
}

// ---- in bulk ------------------------------------------------------------------------------------------

/** Contract of the membership `id`, with the price in yuan. An empty number means that there is no contract. */
export interface Contract {
  id: number;
  contracts_number: string;
  sign_type: number;
  remaining_lessons: number;
  periods_price: number;
  lesson_minutes: number;
}

const contractTypes = {
  class_student_id: 'integer',
  contracts_number: 'text',
  sign_type: 'integer',
  remaining_lessons: 'integer',
  periods_price: 'integer',
  lesson_minutes: 'integer',
} as const;

/** Stores contracts, many at once. A contract with an empty number is deleted. */
export async function storeContracts(db: Database, contracts: readonly Contract[]): Promise<void> {
  const gone = contracts.filter(({ contracts_number }) => contracts_number === '').map(({ id }) => id);
  if (gone.length > 0) await db.deleteFrom('class_contract').where('class_student_id', 'in', inIds(db, gone)).execute();
  const stored = contracts
    .filter(({ contracts_number }) => contracts_number !== '')
    .map(({ id, ...one }) => ({ ...one, class_student_id: id, periods_price: Math.round(one.periods_price * 100) }));
  await insertRows(db, 'class_contract', contractTypes, stored, {
    known: ['class_student_id'],
    set: ['contracts_number', 'sign_type', 'remaining_lessons', 'periods_price', 'lesson_minutes'],
  });
}
