/** The question form of a question that is being imported: its values, and what it sends. */

import type { AnswerOf } from '#server/platform/calls/call.ts';
import type { showImportRow } from '#server/questions/import-correction.contract.ts';
import type { QuestionDraft } from '#server/questions/rules.ts';
import type { Fields } from './question-codec.ts';

/** `seen`: the version of the question. */
export const rowValues = (importId: string, row: number, { version, question }: AnswerOf<typeof showImportRow>) => ({
  draft: { ...(question as QuestionDraft), point: question.point ?? '', tags: question.tags ?? '' },
  hidden: { seen: String(version) },
  draftName: `import ${importId} ${row} ${version}`,
  idempotencyKey: crypto.randomUUID(),
});

export const editedRow = <Draft extends object>(draft: Draft, form: Fields) => ({
  ...draft,
  version: String(form.get('seen') ?? ''),
});
