import { expect, test } from 'vitest';
import * as contract from '#server/correction/contract.ts';
import { rateChoices } from '#server/homework/scoring.ts';
import * as limits from '../../app/correction/desk/limits.ts';

test('the screen knows the limits that the API enforces', () => {
  expect(limits.commentLimit).toBe(contract.commentLimit);
  expect(limits.attachmentLimit).toBe(contract.imageLimit);
  expect(limits.rateChoices).toEqual(contract.rateChoices);
  expect(contract.rateChoices).toEqual(rateChoices);
});
