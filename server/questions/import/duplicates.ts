/** Finds imported questions that the bank or the file itself already contains. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { importMessages, type QuestionDraft, type QuestionType } from '../rules.ts';
import type { ImportedQuestion, ImportSource } from './imported-question.ts';

/**
 * Questions with the same key count as duplicates. The key leaves out pictures, because each import stores them under
 * new names.
 */
const duplicateKey = (draft: Pick<QuestionDraft, 'ques_type' | 'ques_stem'> & { ques_option: { content: string }[] }) =>
  JSON.stringify([
    draft.ques_type,
    plainText(draft.ques_stem),
    ...draft.ques_option.map(({ content }) => plainText(content)),
  ]);

/** Adds a note to each question that the user's bank or the file already contains. */
export async function noteDuplicates(
  db: Database,
  actor: Actor,
  questions: readonly ImportedQuestion[],
): Promise<void> {
  const known = new Map<string, string>();
  for (let from = 0; from < questions.length; from += rowsPerStatement) {
    const some = questions.slice(from, from + rowsPerStatement);
    const stored = await db
      .selectFrom('question')
      .select(['ques_type', 'ques_stem', 'ques_option'])
      .where('owner_id', '=', actor.id)
      .where('parent_id', 'is', null)
      .where(
        'stem_text',
        'in',
        some.map(({ draft }) => plainText(draft.ques_stem)),
      )
      .execute();
    for (const row of stored) {
      known.set(
        duplicateKey({ ...row, ques_type: row.ques_type as QuestionType, ques_option: JSON.parse(row.ques_option) }),
        importMessages.inBank,
      );
    }
    await yieldToOthers();
  }
  for (const { draft, source, losses } of questions) {
    if (plainText(draft.ques_stem) === '') continue;
    const message = known.get(duplicateKey(draft));
    if (message) losses.push({ where: placeInFile(source), message });
    else known.set(duplicateKey(draft), importMessages.twiceInFile(placeInFile(source)));
  }
}

/** Rows per statement, which SQLite writes in a few milliseconds, so that other requests are not held up. */
export const rowsPerStatement = 100;

export function placeInFile(source: ImportSource): string {
  if ('place' in source) return source.place;
  return 'line' in source ? `第${source.line}行` : `${source.sheet} 第${source.row}行`;
}
