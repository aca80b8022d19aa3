/** Sentences that say why an import is held. */

import { expect, it } from 'vitest';
import { holdsOf } from '#server/import/hold-rules.ts';

it('percentages of leaving or changed records are truncated', () => {
  const rows = { mode: 'bulk', had: 120, rows: 120, unread: 0 } as const;
  const holdSentences = (more: { leaves: number; changes: number }) =>
    holdsOf('student', { ...rows, ...more }).map(({ sentence }) => sentence);
  expect(holdSentences({ leaves: 13, changes: 0 })).toEqual(['学员：13条将离开，占10%']);
  expect(holdSentences({ leaves: 0, changes: 92 })).toEqual(['学员：92条将修改，占76%']);
});
