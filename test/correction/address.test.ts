import { describe, expect, test } from 'vitest';
import { addressOfReport, addressSearch, addressSkipping, readAddress } from '../../app/correction/address.ts';

const read = (search: string) => readAddress(new URLSearchParams(search));

describe('the address of the grading screen', () => {
  test.each([
    '?report_id=5&class_id=0',
    '?report_id=5&class_id=3&type=2',
    '?report_id=5&class_id=0&ques_id=7&by=question&order=shuffled&skip=1,2',
  ])('%s is read and written the same', (search) => {
    expect(addressSearch(read(search))).toBe(search);
  });

  test('nonsense is dropped', () => {
    expect(addressSearch(read('report_id=x&class_id=-1&type=9&by=a&order=b&skip=1,x,,2&batch=y'))).toBe(
      '?report_id=0&class_id=0&skip=1,2',
    );
  });

  test('another report keeps the pass, and by question the question', () => {
    const byStudent = read('report_id=5&class_id=1&ques_id=7&skip=3&batch=4');
    expect(addressSearch(addressOfReport(byStudent, 6))).toBe('?report_id=6&class_id=1&skip=3');
    const byQuestion = read('report_id=5&class_id=1&ques_id=7&by=question');
    expect(addressSearch(addressOfReport(byQuestion, 6))).toBe('?report_id=6&class_id=1&ques_id=7&by=question');
  });

  test('an exam has no class', () => {
    const exam = { ...read('report_id=5&skip=3'), class_id: undefined };
    expect(addressSearch(addressOfReport(exam, 6))).toBe('?report_id=6&skip=3');
  });

  test('a report is skipped once', () => {
    expect(addressSkipping(addressSkipping(read('report_id=5&skip=5,3'))).skip).toEqual([3, 5]);
  });
});
