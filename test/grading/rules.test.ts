import { expect, it } from 'vitest';
import { sheetGradedFault } from '#server/exams/rules.ts';
import { attachmentNotFoundMessage, changedAnswersFault, undoBatchFault } from '#server/grading-desk/rules.ts';

it('an exam submission is graded while it waits', () => {
  expect(sheetGradedFault({ test_status: 2 })).toBeUndefined();
  expect(sheetGradedFault({ test_status: 3 })).toBe('该答卷已批改完成，不能重复批改');
});

it('equal answers are graded together and undone once', () => {
  expect(changedAnswersFault([])).toBeUndefined();
  expect(changedAnswersFault(['学生1', '学生2'])).toBe('学生1、学生2的答案已被批改或不再相同，请重新选择');
  expect([undoBatchFault({ undone_at: null }), undoBatchFault({ undone_at: 1 })]).toEqual([
    undefined,
    '已撤销，不能重复撤销',
  ]);
});

it('a missing attachment is named', () => {
  expect(attachmentNotFoundMessage('a.pdf')).toBe('附件“a.pdf”不存在，请重新上传');
});
