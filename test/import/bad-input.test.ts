/** Malformed files of every format that schools send, refused in plain words. */
import { truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readUploadedFile } from '#server/import/formats/read.ts';
import type { ParsedUpload } from '#server/import/source-record.ts';
import {
  csv,
  inGb18030,
  lines,
  type Roster,
  remarkLines,
  rosterTexts,
  sheetFile,
  smallRoster,
  uploads,
  zipOf,
} from '../support/import-files.ts';

const keep = uploads();

type Rows = (string | number | { day: number })[][];
const students = (rows: Rows, heads = ['编号', '姓名', '学号', '手机号']) => sheetFile({ 学员: [heads, ...rows] });
const list = (...rows: string[][]) => csv([['编号', '姓名', '学号', '手机号'], ...rows]);
const texts = (change?: (roster: Roster) => void) => {
  const roster = smallRoster();
  change?.(roster);
  return rosterTexts(roster);
};
const roster = (change?: (roster: Roster) => void) => zipOf(texts(change));
const inRow = (file: keyof Roster, at: number, values: Record<string, string>) => (all: Roster) => {
  Object.assign(all[file]?.[at] ?? {}, values);
};

interface Case {
  /** The file name says how the file is imported. */
  file: string;
  bytes: string | Uint8Array;
  refused?: (string | RegExp)[];
  forgiven?: (string | RegExp)[];
  /** Number of records that are imported nevertheless. */
  records: number;
}

/** Cases by kind of fault. */
const cases: Record<string, Case[]> = {
  GB18030: [
    {
      file: '名单.csv',
      bytes: inGb18030(list(['1', '张三', '7', ''])),
      forgiven: ['名单.csv 1 : 文件编码是 gb18030，应为 UTF-8，已照常读取'],
      records: 1,
    },
    {
      file: '名册.zip',
      bytes: zipOf({ ...texts(), 'users.csv': inGb18030(texts()['users.csv'] ?? '') }),
      forgiven: ['users.csv 1 : 文件编码是 gb18030，应为 UTF-8，已照常读取'],
      records: 20,
    },
  ],
  BOM: [
    {
      file: '名单.csv',
      bytes: `\ufeff${list(['1', '张三', '7', ''])}`,
      forgiven: ['名单.csv 0 : 文件开头有 BOM 标记，已忽略'],
      records: 1,
    },
    {
      file: '名册.zip',
      bytes: zipOf({ ...texts(), 'users.csv': `\ufeff${texts()['users.csv']}` }),
      forgiven: ['users.csv 0 : 文件开头有 BOM 标记，已忽略'],
      records: 20,
    },
  ],
  'full width': [
    {
      file: '学校.xlsx',
      bytes: students([['１', '张三', '００７', '１３８００００００００１'.slice(0, 11)]]),
      forgiven: [
        '学员 2 编号: “１”：全角字符已按半角读取',
        '学员 2 学号: “００７”：全角字符已按半角读取',
        '学员 2 手机号: “１３８００００００００”已按 13800000000 读取',
      ],
      records: 1,
    },
    {
      file: '名单.csv',
      bytes: list(['１', '张三', '００７', '']),
      forgiven: ['名单.csv 2 编号: “１”：全角字符已按半角读取', '名单.csv 2 学号: “００７”：全角字符已按半角读取'],
      records: 1,
    },
    {
      file: '名册.zip',
      bytes: roster(inRow('academicSessions', 0, { schoolYear: '２０２７' })),
      forgiven: ['academicSessions.csv 2 schoolYear: “２０２７”已按 2027 读取'],
      records: 20,
    },
  ],
  TRUE: [
    {
      file: '名册.zip',
      bytes: roster(inRow('users', 0, { enabledUser: 'TRUE' })),
      forgiven: ['users.csv 2 enabledUser: “TRUE”已按 true 读取'],
      records: 20,
    },
  ],
  '2026/9/1': [
    {
      file: '学校.xlsx',
      bytes: sheetFile({
        进班: [
          ['班级', '学员', '加入日期'],
          ['甲', '乙', '2026/9/1'],
        ],
      }),
      forgiven: ['进班 2 加入日期: “2026/9/1”已按 2026-09-01 读取'],
      records: 1,
    },
    {
      file: '名册.zip',
      bytes: roster(inRow('academicSessions', 0, { startDate: '2026/9/1' })),
      forgiven: ['academicSessions.csv 2 startDate: “2026/9/1”已按 2026-09-01 读取'],
      records: 20,
    },
  ],
  'scientific notation': [
    {
      file: '学校.xlsx',
      bytes: students([
        ['1', '张三', '2.026E+07', ''],
        ['2', '李四', '8', ''],
      ]),
      refused: [/^学员 2 学号: “2\.026E\+07”是科学计数法，后面的数字已经丢失；请把这一列设为“文本”格式/],
      records: 1,
    },
    {
      file: '名单.csv',
      bytes: list(['1', '张三', '', '1.38E+10'], ['2', '李四', '8', '']),
      forgiven: [/^名单\.csv 2 手机号: “1\.38E\+10”是科学计数法.*这一格没有读取/],
      records: 2,
    },
    {
      file: '名册.zip',
      bytes: roster(inRow('users', 4, { identifier: '2.026E+11' })),
      refused: [
        /^users\.csv 6 identifier: “2\.026E\+11”是科学计数法/,
        'enrollments.csv 8 userSourcedId: “s-3”在 users.csv 第6行，那一行有错误，请先改正',
      ],
      records: 18,
    },
  ],
  'merged cells': [
    {
      file: '学校.xlsx',
      bytes: sheetFile(
        {
          进班: [
            ['班级', '学员'],
            ['甲', '张三'],
            ['', '李四'],
          ],
        },
        { merged: { 进班: ['A2:A3'] } },
      ),
      forgiven: ['进班 3 班级: 合并的单元格，已按“甲”读取'],
      records: 2,
    },
  ],
  '.xls renamed': [
    {
      file: '学校.xls',
      bytes: students([['1', '张三', '7', '']]),
      forgiven: ['学校.xls 0 : 文件扩展名是 .xls，内容是 .xlsx，已照常读取'],
      records: 1,
    },
    ...['学校.xls', '学校.xlsx', '名单.csv', '名册.zip'].map((file) => ({
      file,
      bytes: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2048)]),
      refused: [
        `${file} 0 : 这是旧版 Excel 文件（.xls），请在 Excel 或 WPS 中“另存为”，选择“Excel 工作簿（.xlsx）”后再上传`,
      ],
      records: 0,
    })),
    {
      file: '导出.xls',
      bytes: '<html><table><tr><td>姓名</td></tr></table>',
      refused: [
        '导出.xls 0 : 这是网页，不是 Excel 文件（有的系统导出的 .xls 其实是网页）；请用 Excel 打开后另存为 .xlsx',
      ],
      records: 0,
    },
  ],
  'hidden sheets': [
    {
      file: '学校.xlsx',
      bytes: sheetFile(
        {
          学员: [
            ['姓名', '学号'],
            ['张三', '7'],
          ],
          人员: [['姓名'], ['李']],
        },
        { hidden: ['人员'] },
      ),
      forgiven: ['人员 0 : 工作表“人员”是隐藏的，没有读取'],
      records: 1,
    },
  ],
  formulas: [
    {
      file: '学校.xlsx',
      bytes: students([
        ['1', '=A1|张三', '7', ''],
        ['2', '=A1|', '8', ''],
        ['3', '=A1|#REF!', '9', ''],
      ]),
      forgiven: ['学员 2 姓名: 单元格是公式，已按保存的结果“张三”读取'],
      refused: ['学员 3 姓名: 单元格是公式，文件中没有保存计算结果，请粘贴为数值', '学员 4 姓名: 单元格是错误值 #REF!'],
      records: 1,
    },
    // Number format of Excel in a text file.
    { file: '名单.csv', bytes: list(['1', '张三', '="007"', '']), records: 1 },
  ],
  'duplicate ids': [
    {
      file: '学校.xlsx',
      bytes: students([
        ['1', '张三', '7', ''],
        ['1', '李四', '8', ''],
      ]),
      refused: ['学员 3 编号: “1”与第2行重复', '学员 2 编号: “1”与第3行重复'],
      records: 0,
    },
    {
      file: '名单.csv',
      bytes: list(['', '张三', '7', ''], ['', '李四', '7', '']),
      refused: ['名单.csv 3 : “李四”与第2行重复，请用编号区分', '名单.csv 2 : 与第3行重复，请用编号区分'],
      records: 0,
    },
    {
      file: '名册.zip',
      bytes: roster(inRow('roles', 4, { sourcedId: 'r-4' })),
      refused: ['roles.csv 6 sourcedId: “r-4”与第5行重复', 'roles.csv 5 sourcedId: “r-4”与第6行重复'],
      records: 16,
    },
  ],
  'orphan references': [
    {
      file: '学校.xlsx',
      bytes: sheetFile({
        班级: [['班级名称'], ['高一（1）班']],
        学员: [
          ['姓名', '学号'],
          ['张三', '7'],
        ],
        进班: [
          ['班级', '学员'],
          ['高一(1)班', '张三'],
          ['高一（1）班', '王五'],
        ],
      }),
      refused: ['进班 3 学员: “王五”在工作表“学员”中没有'],
      records: 3,
    },
    {
      file: '名册.zip',
      bytes: roster(inRow('enrollments', 6, { userSourcedId: 's-9' })),
      refused: ['enrollments.csv 8 userSourcedId: “s-9”在 users.csv 中没有'],
      records: 19,
    },
  ],
  'two primary roles': [
    {
      file: '名册.zip',
      bytes: roster((all) => {
        all.roles?.push({ ...all.roles[0], sourcedId: 'r-9', role: 'aide' });
      }),
      refused: ['roles.csv 7 roleType: “t-1”在同一学校有两个主要角色（第2行），只能有一个 primary'],
      records: 20,
    },
    {
      file: '学校.xlsx',
      bytes: sheetFile({
        人员: [
          ['身份', '用户名', '姓名'],
          ['讲师', 'wang', '王老师'],
          ['助教', 'wang', '王老师'],
        ],
      }),
      refused: ['人员 3 : “王老师”与第2行重复，请用编号区分', '人员 2 : 与第3行重复，请用编号区分'],
      records: 0,
    },
    {
      file: '教师.csv',
      bytes: csv([
        ['身份', '用户名', '姓名'],
        ['讲师', 'wang', '王老师'],
        ['助教', 'wang', '王老师'],
      ]),
      refused: ['教师.csv 3 : “王老师”与第2行重复，请用编号区分', '教师.csv 2 : 与第3行重复，请用编号区分'],
      records: 0,
    },
  ],
  'a folder in the zip': [
    {
      file: '名册.zip',
      bytes: zipOf(Object.fromEntries(Object.entries(texts()).map(([name, text]) => [`导出/${name}`, text]))),
      forgiven: ['manifest.csv 0 : 文件在压缩包的文件夹“导出/”中，应直接放在压缩包内'],
      records: 20,
    },
  ],
  'a zip bomb': ['学校.xlsx', '名册.zip'].map((file) => ({
    file,
    bytes: zipOf({
      ...(file.endsWith('.zip')
        ? texts()
        : { '[Content_Types].xml': '<Types/>', '_rels/.rels': '<Relationships/>', 'xl/workbook.xml': '<workbook/>' }),
      [file.endsWith('.zip') ? 'users.csv' : 'xl/worksheets/sheet1.xml']: new Uint8Array(200 * 2 ** 20),
    }),
    refused: [/ 0 : 文件解压后超过 192 MB 或压缩得不合常理，已拒绝$/],
    records: 0,
  })),
  '0 rows': [
    {
      file: '学校.xlsx',
      bytes: students([]),
      refused: ['学校.xlsx 0 : 文件里没有可以导入的数据'],
      records: 0,
    },
    { file: '名单.csv', bytes: list(), refused: ['名单.csv 0 : 文件里没有可以导入的数据'], records: 0 },
    { file: '名单.csv', bytes: '', refused: ['名单.csv 0 : 文件是空的'], records: 0 },
    {
      file: '名册.zip',
      bytes: zipOf({ ...texts(), 'users.csv': (texts()['users.csv'] ?? '').split('\n', 1)[0] ?? '' }),
      refused: ['users.csv 1 : 只有标题行，没有数据'],
      records: 0,
    },
  ],
  'a file cut off': [
    ...[['学校.xlsx', students([['1', '张三', '7', '']])] as const, ['名册.zip', roster()] as const].map(
      ([file, whole]) => ({
        file,
        bytes: whole.subarray(0, whole.length - 50),
        refused: [`${file} 0 : 文件已损坏，可能没有传完，请重新上传`],
        records: 0,
      }),
    ),
    {
      file: '名单.csv',
      bytes: '编号,姓名\n1,"张',
      refused: ['名单.csv 2 : 引号没有结束，文件可能没有传完'],
      records: 0,
    },
  ],
};

/** True for a message in Chinese words, without code or internal names. */
const isSaid = (message: string) =>
  /\p{Script=Han}/u.test(message) && !/undefined|null|NaN|Error|\[object/.test(message);

describe.each(Object.entries(cases))('%s', (_, ways) => {
  it.each(ways)('refuses or reads $file', async ({ file, bytes, refused = [], forgiven = [], records }) => {
    const reading: ParsedUpload = await readUploadedFile(keep(file, bytes));
    const told = remarkLines(reading.refused);
    expect(told).toHaveLength(refused.length);
    for (const reason of refused)
      expect(told).toContainEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
    const passed = remarkLines([...reading.forgiven, ...reading.doubted]);
    for (const reason of forgiven)
      expect(passed).toContainEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
    expect(lines(reading)).toHaveLength(records);
    for (const { message } of [...reading.refused, ...reading.forgiven]) expect(isSaid(message)).toBe(true);
  });
});

it.each(['学校.xlsx', '名册.zip', '名单.csv'])('300 MB in %s are refused unread', async (name) => {
  const file = keep(name, 'x');
  truncateSync(file.path, 300 * 2 ** 20);
  expect(remarkLines((await readUploadedFile(file)).refused)).toEqual([
    `${name} 0 : 文件超过 64 MB，已拒绝；请分成几个文件，或删去图片后再上传`,
  ]);
});
