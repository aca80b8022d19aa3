import { describe, expect, test } from 'vitest';
import { addressOfReport, addressWithReportSkipped } from '#app/grading/desk/address.ts';
import { deskOf, examDesk, gradingHref, homeworkDesk } from '#app/grading/screens.ts';

const at = (address: string) => new URL(address, 'http://school.test');
const readAddress = (search: string) => homeworkDesk.desk.at(at(`/homework/approve${search}`));
const writeAddress = (address: Parameters<typeof homeworkDesk.desk.href>[0]) => homeworkDesk.desk.href(address);

describe('address of the grading screen', () => {
  test.each([
    '?report_id=5&class_id=0',
    '?report_id=5&class_id=3&type=2',
    '?report_id=5&class_id=0&ques_id=7&by=question&order=shuffled&skip=1,2',
  ])('reads and writes %s equally', (search) => {
    expect(writeAddress(readAddress(search))).toBe(`/homework/approve${search}`);
  });

  test('keeps the way back during a pass, unless it is the default', () => {
    const back = '/homework?tab=approve&name=%E8%A7%A3&page=2';
    const entered = gradingHref(homeworkDesk, { report_id: 5, class_id: 0, back });
    expect(entered).toBe(`/homework/approve?report_id=5&class_id=0&back=${encodeURIComponent(back)}`);
    expect(homeworkDesk.desk.at(at(writeAddress(addressOfReport(homeworkDesk.desk.at(at(entered)), 6)))).back).toBe(
      back,
    );
    expect(gradingHref(homeworkDesk, { report_id: 5, class_id: 0, back: '/homework?tab=approve' })).toBe(
      '/homework/approve?report_id=5&class_id=0',
    );
    expect(gradingHref(examDesk, { report_id: 5, assignment_id: 3, back: '/exams/detail?id=3' })).toBe(
      '/exams/approve?report_id=5',
    );
  });

  test('ignores invalid values, and requires a report', () => {
    expect(writeAddress(readAddress('?report_id=5&class_id=&type=9&by=a&order=b&skip=1,x,,2&batch=y'))).toBe(
      '/homework/approve?report_id=5&class_id=0&skip=1,2',
    );
    expect(() => readAddress('?report_id=x')).toThrow(expect.objectContaining({ status: 404 }));
  });

  test('keeps the pass for another report, and the question when grading by question', () => {
    const byStudent = readAddress('?report_id=5&class_id=1&ques_id=7&skip=3&batch=4');
    expect(writeAddress(addressOfReport(byStudent, 6))).toBe('/homework/approve?report_id=6&class_id=1&skip=3');
    const byQuestion = readAddress('?report_id=5&class_id=1&ques_id=7&by=question');
    expect(writeAddress(addressOfReport(byQuestion, 6))).toBe(
      '/homework/approve?report_id=6&class_id=1&ques_id=7&by=question',
    );
  });

  test('has no class for exams, and its own screen', () => {
    const { desk } = examDesk;
    const exam = desk.at(at('/exams/approve?report_id=5&class_id=1&skip=3'));
    expect(desk.href(addressOfReport(exam, 6))).toBe('/exams/approve?report_id=6&skip=3');
    for (const below of ['', '/save', '/report', '/finish-all'])
      expect([`/exams/approve${below}`, `/homework/approve${below}`].map((path) => deskOf(at(path)))).toEqual([
        examDesk,
        homeworkDesk,
      ]);
  });

  test('skips a report once, and stays short in a long pass', () => {
    expect(addressWithReportSkipped(addressWithReportSkipped(readAddress('?report_id=5&skip=5,3'))).skip).toEqual([
      3, 5,
    ]);
    const many = Array.from({ length: 400 }, (_, index) => index + 10);
    expect(addressWithReportSkipped(readAddress(`?report_id=5&skip=${many}`)).skip).toEqual([...many.slice(1), 5]);
  });
});
