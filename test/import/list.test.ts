import { describe, expect, it } from 'vitest';
import { csv, inGb18030, lines, remarkLines, sheetFile, uploader } from '../support/import-files.ts';

const upload = uploader();
const guessed = async (name: string, bytes: string | Uint8Array) => (await upload(name, bytes)).list;

describe('student list', () => {
  it('is guessed and read in any order with foreign headers', async () => {
    const text = csv([
      ['班级', 'Phone', '学生姓名', '学号', '监护人电话', '性别'],
      ['高一（1）班', '13800000001', '张三', '001', '+86 138-0000-0002', '男'],
      ['', '', '李四', '２', '', '女'],
    ]);
    const reading = await upload('名单.csv', text);
    expect(reading.list?.mapping).toEqual({
      kind: 'student',
      columns: { 班级: '班级', Phone: '手机号', 学生姓名: '姓名', 学号: '学号', 监护人电话: '家长手机号', 性别: '' },
    });
    expect([reading.mode, reading.kinds]).toEqual(['delta', ['student', 'membership']]);
    expect(lines(reading)).toEqual([
      'student 001: nickname=张三 number=001 mobile=13800000001 guardian_mobile=13800000002',
      'student 2: nickname=李四 number=2',
      'membership 高一（1）班/001: class_id=class:高一（1）班? student_id=student:001',
    ]);
    expect(remarkLines(reading.forgiven)).toEqual([
      '名单.csv 1 Phone: 列“Phone”已按“手机号”读取',
      '名单.csv 1 学生姓名: 列“学生姓名”已按“姓名”读取',
      '名单.csv 1 监护人电话: 列“监护人电话”已按“家长手机号”读取',
      '名单.csv 1 性别: 列“性别”不知道是什么，没有读取',
      '名单.csv 2 监护人电话: “+86 138-0000-0002”已按 13800000002 读取',
      '名单.csv 3 学号: “２”：全角字符已按半角读取',
    ]);
  });

  it('is guessed by content without headers', async () => {
    const guess = await guessed(
      'a.csv',
      csv([
        ['张三', '13800000001', '高一（1）班', '男'],
        ['欧阳娜娜', '13800000002', '高一（2）班', '女'],
      ]),
    );
    expect(guess?.heads).toEqual(['第1列', '第2列', '第3列', '第4列']);
    expect(guess?.mapping.columns).toEqual({ 第1列: '姓名', 第2列: '手机号', 第3列: '班级', 第4列: '' });
    expect([guess?.headRow, guess?.examples.length]).toEqual([0, 2]);
  });

  it('follows explicit columns over guesses', async () => {
    const text = csv([
      ['a', 'b', 'c'],
      ['张三', '7', '13800000001'],
    ]);
    const mapping = { kind: 'student', columns: { a: '姓名', b: '学号', c: '家长手机号' } } as const;
    const reading = await upload('a.csv', text, { mapping, mode: 'bulk' });
    expect([reading.mode, reading.forgiven, lines(reading)]).toEqual([
      'bulk',
      [],
      ['student 7: nickname=张三 number=7 guardian_mobile=13800000001'],
    ]);
  });

  it('without names is refused with advice', async () => {
    const reading = await upload(
      'a.csv',
      csv([
        ['x', 'y'],
        ['1', '2'],
      ]),
    );
    expect(remarkLines(reading.refused)).toEqual(['a.csv 1 姓名: 没有找到“姓名”所在的列，请指定']);
    expect(reading.list?.mapping?.columns).toEqual({ x: '', y: '' });
  });

  it('from Chinese Excel, Mac, with tabs or semicolons reads the same', async () => {
    const rows = [
      ['姓名', '学号'],
      ['张三', '1'],
      ['李四', '2'],
    ];
    const text = csv(rows);
    const wanted = ['student 1: nickname=张三 number=1', 'student 2: nickname=李四 number=2'];
    const ways: [Uint8Array | string, string[]][] = [
      [text, []],
      [inGb18030(text), ['a.csv 1 : 文件编码是 gb18030，应为 UTF-8，已照常读取']],
      [`\ufeff${text}`, ['a.csv 0 : 文件开头有 BOM 标记，已忽略']],
      [text.replaceAll('\n', '\r'), []],
      [text.replaceAll(',', ';'), []],
      [text.replaceAll(',', '\t'), []],
      [
        Buffer.from(`\ufeff${text.replaceAll(',', '\t')}`, 'utf16le'),
        ['a.csv 0 : 文件开头有 BOM 标记，已忽略', 'a.csv 1 : 文件编码是 utf-16le，应为 UTF-8，已照常读取'],
      ],
    ];
    for (const [bytes, forgiven] of ways) {
      const reading = await upload('a.csv', bytes);
      expect([lines(reading), remarkLines(reading.forgiven)]).toEqual([wanted, forgiven]);
    }
  });

  it('handles digits kept or lost by a spreadsheet', async () => {
    const reading = await upload(
      'a.csv',
      csv([
        ['姓名', '学号', '手机号'],
        ['甲', '="007"', "'13800000001"],
        ['乙', '2.02601E+11', ''],
        ['丙', '3', '1.38E+10'],
      ]),
    );
    expect(lines(reading)).toEqual([
      'student 007: nickname=甲 number=007 mobile=13800000001',
      'student 3: nickname=丙 number=3',
    ]);
    expect(remarkLines(reading.refused)).toEqual([expect.stringContaining('a.csv 3 学号: “2.02601E+11”是科学计数法')]);
    expect(remarkLines(reading.doubted)).toEqual([expect.stringContaining('a.csv 4 手机号: “1.38E+10”是科学计数法')]);
  });

  it('names each row that is wrong', async () => {
    const reading = await upload(
      'a.csv',
      csv([
        ['姓名', '学号', '手机号'],
        ['', '1', ''],
        ['乙', '2', '12345'],
        ['丙', '3', ''],
        ['丁', '3', ''],
        ['戊', '', '12345'],
      ]),
    );
    expect(remarkLines(reading.refused)).toEqual([
      'a.csv 2 姓名: “姓名”必须填写',
      'a.csv 5 : “丁”与第4行重复，请用编号区分',
      'a.csv 4 : 与第5行重复，请用编号区分',
    ]);
  });

  it('is refused when truncated in quotes, empty, a picture or HTML', async () => {
    const refusals = async (name: string, bytes: string | Uint8Array) =>
      remarkLines((await upload(name, bytes)).refused);
    expect(await refusals('a.csv', '姓名,学号\n张三,1\n"李')).toEqual(['a.csv 3 : 引号没有结束，文件可能没有传完']);
    expect(await refusals('a.csv', '')).toEqual(['a.csv 0 : 文件是空的']);
    expect(await refusals('a.csv', '姓名,学号\n')).toEqual(['a.csv 0 : 文件里没有可以导入的数据']);
    expect(await refusals('a.csv', new Uint8Array([0x89, 0x50, 0, 1]))).toEqual([
      'a.csv 0 : 无法识别的文件，请上传 .xlsx、.csv，或 OneRoster 的 .zip',
    ]);
    expect(await refusals('a.csv', ' <!DOCTYPE html><table>')).toEqual([expect.stringContaining('这是网页')]);
  });
});

describe('staff list', () => {
  it('is recognised by user names or identities', async () => {
    const reading = await upload(
      'a.csv',
      csv([
        ['岗位', '工号', '姓名'],
        ['讲师', 'W01', '王老师'],
        ['助教', 'L02', '李助教'],
      ]),
    );
    expect(reading.list?.mapping?.kind).toBe('staff');
    expect(lines(reading)).toEqual([
      'staff w01: identity=teacher username=w01 real_name=王老师',
      'staff l02: identity=assist username=l02 real_name=李助教',
    ]);
  });
});

it('single-sheet workbook is a list, except our own', async () => {
  const sheet = sheetFile({ Sheet1: [['2026级名单'], ['姓名', '学号'], ['张三', '1']] });
  expect((await guessed('a.xlsx', sheet))?.headRow).toBe(2);
  expect(lines(await upload('a.xlsx', sheet))).toEqual(['student 1: nickname=张三 number=1']);
  expect(
    await guessed(
      'a.xlsx',
      sheetFile({
        学员: [
          ['姓名', '学号'],
          ['张三', '1'],
        ],
      }),
    ),
  ).toBeUndefined();
});
