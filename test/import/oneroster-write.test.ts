import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import type { Gradebook, LineItem, Result } from '#server/import/formats/oneroster-gradebook.ts';
import { writeOneRoster } from '#server/import/formats/oneroster-write.ts';
import type { ParsedUpload, RecordKind } from '#server/import/source-record.ts';
import { lines, remarkLines, rosterTexts, sheetFile, smallRoster, uploader, zipOf } from '../support/import-files.ts';

const upload = uploader();

const writePackage = async (reading: ParsedUpload, gradebook?: Gradebook): Promise<Buffer> => {
  const all = [...reading.intended];
  const records = (kind: RecordKind) => all.filter((one) => one.kind === kind);
  return buffer(await writeOneRoster(gradebook ? { records, gradebook } : { records }));
};

/** A class for one course has the course's id in its own. */
const same = (reading: ParsedUpload): string[] => lines(reading).sort();

it('written package passes strict reading, round-trips, and is byte-identical', async () => {
  const roster = smallRoster();
  roster.classes?.push({
    sourcedId: 'k-4',
    title: '空班',
    courseSourcedId: 'c-2',
    classType: 'homeroom',
    schoolSourcedId: 'o-1',
    termSourcedIds: 'tm-1',
  });
  roster.enrollments?.push({
    sourcedId: 'e-9',
    classSourcedId: 'k-4',
    schoolSourcedId: 'o-1',
    userSourcedId: 't-1',
    role: 'teacher',
    primary: 'true',
  });
  const first = await upload('a.zip', zipOf(rosterTexts(roster)));
  const bytes = await writePackage(first);
  const strict = await upload('b.zip', bytes, { strict: true });
  expect(remarkLines(strict.refused)).toEqual([]);
  const again = await upload('b.zip', bytes);
  expect(remarkLines([...again.refused, ...again.forgiven, ...again.doubted])).toEqual([]);
  expect(same(again)).toEqual(same(first));
  expect((await writePackage(again)).equals(bytes)).toBe(true);
});

it('written package includes classes known by name', async () => {
  const first = await upload(
    'a.xlsx',
    sheetFile({
      学校: [['学校名称'], ['东湖网校']],
      年级与分类: [
        ['类别', '名称'],
        ['年级', '高二'],
        ['年级', '复读'],
      ],
      课程: [
        ['课程名称', '年级'],
        ['函数, 导数', '高二'],
      ],
      人员: [
        ['身份', '用户名', '姓名'],
        ['讲师', 'wang', '王老师'],
        ['讲师', 'ouyang', '欧阳"大"山'],
        ['助教', 'li', '李助教'],
        ['教务', 'boss', '赵教务'],
      ],
      学员: [
        ['姓名', '学号', '家长手机号'],
        ['张三', '1', '13800000001'],
        ['Madonna', '2', ''],
        ['王', '3', ''],
      ],
      班级: [
        ['班级名称', '年级', '班主任', '助教', '课程'],
        ['高二（1）班', '高二', '王老师、ouyang', '李助教', ''],
      ],
      进班: [
        ['班级', '学员', '加入日期', '离开日期'],
        ['高二（1）班', '张三', '2026-09-01', '2026-10-31'],
        ['高二（1）班', '2', '', ''],
        ['高二（1）班', '3', '', ''],
      ],
    }),
  );
  const bytes = await writePackage(first);
  const strict = await upload('b.zip', bytes, { strict: true });
  expect(remarkLines(strict.refused)).toEqual([]);
  const again = lines(strict);
  expect(
    again
      .filter((line) => /^(?:staff|student|membership)/.test(line))
      .map((line) => line.replace(/^(\w+) [^:]*:/, '$1').replace(/ (?:school|class|student)_id=\S+/g, '')),
  ).toEqual([
    'staff identity=teacher username=wang real_name=王老师',
    'staff identity=teacher username=ouyang real_name=欧阳"大"山',
    'staff identity=assist username=li real_name=李助教',
    'student nickname=张三 number=1 guardian_mobile=13800000001',
    'student nickname=Madonna number=2',
    'student nickname=王 number=3',
    'membership joined_at=1788192000 left_at=1793462400',
    'membership',
    'membership',
  ]);
  expect(again.filter((line) => line.startsWith('class_staff')).map((line) => line.split('duty=')[1])).toEqual([
    'head',
    'head',
    'assistant',
  ]);
  const users = Buffer.from(unzipSync(bytes)['users.csv'] ?? new Uint8Array()).toString();
  expect(users.split('\r\n')[2]).toContain(',"""大""山",欧阳,');
});

it('written package has homework and exams as line items and results', async () => {
  const first = await upload('a.zip', zipOf(rosterTexts(smallRoster())));
  const items: LineItem[] = [
    {
      sourceId: 'hw-1',
      title: '第一次\n作业',
      assignDay: '2026-09-02',
      dueDay: '2026-09-05',
      classId: 'k-1',
      categoryId: 'homework',
      schoolId: 'o-1',
      least: 0,
      most: 100,
    },
  ];
  const results: Result[] = [
    {
      sourceId: 'rs-1',
      lineItemId: 'hw-1',
      studentId: 's-1',
      classId: 'k-1',
      status: 'fully graded',
      score: 87.5,
      day: '2026-09-05',
      isLate: false,
    },
    { sourceId: 'rs-2', lineItemId: 'hw-1', studentId: 's-2', status: 'not submitted', day: '2026-09-05' },
  ];
  const bytes = await writePackage(first, {
    categories: () => [{ sourceId: 'homework', title: '作业' }],
    lineItems: () => items,
    results: () => results,
  });
  expect(remarkLines((await upload('b.zip', bytes, { strict: true })).refused)).toEqual([]);
  const files = unzipSync(bytes);
  const file = (name: string) =>
    Buffer.from(files[name] ?? new Uint8Array())
      .toString()
      .split('\r\n')
      .slice(1, -1);
  expect(file('lineItems.csv')).toEqual(['hw-1,,,第一次 作业,,2026-09-02,2026-09-05,k-1,homework,tm-1,0,100,o-1']);
  expect(file('results.csv')).toEqual([
    'rs-1,,,hw-1,s-1,fully graded,87.5,2026-09-05,,,k-1,,,false,',
    'rs-2,,,hw-1,s-2,not submitted,,2026-09-05,,,,,,,',
  ]);
  expect(file('manifest.csv').filter((line) => line.includes('bulk'))).toHaveLength(10);
});
