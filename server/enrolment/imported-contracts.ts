/** Contracts of imported group-class and one-to-one-class members. */
import { type ClassType, classTypes, memberMessages } from '#server/classes/rules.ts';
import { CompleteContract } from '#server/group-classes/admin.contract.ts';
import { storeContracts } from '#server/group-classes/contracts.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { changedFields } from '#server/platform/db/history.ts';
import { type Fields, historyOf, type ImportContext, validateImported } from '#server/school/importer.ts';
import { enrolmentRecord, stayKey, stayKeys, staysOf } from './imported-stays.ts';

export const contractFields = [
  'contracts_number',
  'sign_type',
  'remaining_lessons',
  'periods_price',
  'lesson_minutes',
] as const;
export const noContract = {
  contracts_number: '',
  sign_type: 1,
  remaining_lessons: 0,
  periods_price: 0,
  lesson_minutes: 0,
} as const;
const contractOf = (fields: Fields) => Object.fromEntries(contractFields.map((name) => [name, fields[name] ?? null]));
const hasContract = (fields: Fields) =>
  contractFields.some((name) => (fields[name] ?? noContract[name]) !== noContract[name]);

/** Validates a contract; returns it, or errors by field. */
export function validateContract(
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

/** Stores changed contracts, each with a history row. */
export async function storeChangedContracts(
  context: ImportContext,
  changed: readonly { record: string; before: Fields; after: Fields }[],
): Promise<void> {
  const signed = changed.filter(({ before, after }) =>
    contractFields.some((name) => (before[name] ?? noContract[name]) !== (after[name] ?? noContract[name])),
  );
  if (signed.length === 0) return;
  const ids = new Map((await staysOf(context.db, stayKeys(signed))).map((stay) => [stayKey(stay), stay.id]));
  await storeContracts(
    context.db,
    signed.map(({ record: key, after }) => ({
      id: ids.get(key) ?? 0,
      contracts_number: String(after.contracts_number ?? ''),
      sign_type: Number(after.sign_type ?? 1),
      remaining_lessons: Number(after.remaining_lessons ?? 0),
      periods_price: Number(after.periods_price ?? 0),
      lesson_minutes: Number(after.lesson_minutes ?? 0),
    })),
  );
  await historyOf(context, enrolmentRecord)('contract', signed, ({ record: key, before, after }) => {
    const change = changedFields(contractOf({ ...noContract, ...before }), contractOf({ ...noContract, ...after }));
    return { recordId: ids.get(key) ?? 0, before: change.before, after: change.after };
  });
}
