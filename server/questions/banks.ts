/** The banks from which administrators pick questions: the public one, their own, and the banks of colleagues. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { emptyPage } from '#server/platform/db/page.ts';
import type { SchoolSettings } from '#server/school/settings.ts';
import { missingBank } from './bank.rules.ts';
import type { PublicFilter, PublicRow, QuestionRow } from './contract.ts';
import { publicPage, questionPage } from './list.ts';
import { bankOwners } from './visible.ts';

interface BankFilter extends Omit<PublicFilter, 'for_picker' | 'with_preview'> {
  bank?: 'public' | 'mine' | 'colleague' | undefined;
  /** Id of the colleague whose bank to list, if the bank is `colleague`; while undefined, the list is empty. */
  owner_id?: number | undefined;
}

/** Lists a bank with previews. */
export async function bankPage(
  db: Database,
  actor: Actor,
  { bank, owner_id, ...filter }: BankFilter,
  settings: SchoolSettings,
): Promise<Page<QuestionRow | PublicRow> | Refusal> {
  const shown = { ...filter, with_preview: 1, for_picker: undefined } as const;
  if (bank === 'public') return publicPage(db, actor, shown, settings);
  if (bank !== 'colleague') return questionPage(db, actor, { ...shown, remark: undefined });
  if (owner_id === undefined) return emptyPage(filter);
  const owner = await bankOwners(db, actor).select('staff.id').where('staff.id', '=', owner_id).executeTakeFirst();
  return owner ? questionPage(db, owner, { ...shown, remark: undefined }) : missing(missingBank);
}

/** Lists the staff of the administrator's schools who have questions. */
export const colleaguesWithQuestions = (db: Database, actor: Actor) =>
  bankOwners(db, actor)
    .innerJoin('question_bank', 'question_bank.bank', 'staff.id')
    .select(['staff.id', 'staff.real_name as name'])
    .where('question_bank.questions', '>', 0)
    .where('staff.id', '!=', actor.id)
    .orderBy('staff.real_name')
    .orderBy('staff.id')
    .execute();
