/** SheetJS #1394, #2449, chamilo PR #8360: a cell displays its number in another form than it stores. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFormat, plainNumber } from '#server/platform/office/number-formats.ts';
import { readExcelQuestions } from '#server/questions/import/excel.ts';
import { lines, remarkLines, sheetFile, uploader } from '../support/import-files.ts';

const upload = uploader();

const formatNumber = (number: number, format: string) => compileFormat(format)(number, false).text;

describe('the number of an Excel cell', () => {
  it.each([
    [1234, '00000000', '00001234'],
    [7, '"S"0000', 'S0007'],
    [7, '\\S0000', 'S0007'],
    [5, '¥0.00', '¥5.00'],
    [5, '"¥"#,##0.00', '¥5.00'],
    [5, '[$¥-804]#,##0.00', '¥5.00'],
    [1234.5, '[$€-407]#,##0.00', '€1,234.50'],
    [7, '0.0"元"', '7.0元'],
    [8, '0" kg"', '8 kg'],
    [12345.7, '0.0,', '12.3'],
    [12345.7, '0!.0,"万"', '1.2万'],
    [1234567, '#,##0', '1,234,567'],
    [2.675, '0.00', '2.68'],
    [1.005, '0.00', '1.01'],
    [-0.001, '0.00', '0.00'],
    [-5, '0_);(0)', '(5)'],
    [-6, '0;0', '6'],
    [5, '+0;-0', '+5'],
    [0.5, '0%', '50%'],
    [0.75, '# ?/?', '3/4'],
    [1.5, '# ??/??', '1 1/2'],
    [3, '第0名', '第3名'],
    [90, 'G/通用格式"分"', '90分'],
    [-5, '[红色]0.0', '-5.0'],
    [0, '_ * #,##0.00_ ;_ * -#,##0.00_ ;_ * "-"??_ ;_ @_ ', '-'],
    [0, '0;-0;;@', ''],
    [0.1 + 0.2, 'General', '0.3'],
    [6.02e23, 'General', '6.02E+23'],
    [123456789012, 'General', '123456789012'],
    [46266, 'yyyy"年"m"月"d"日"', '2026-09-01'],
    [46266.8125, 'yyyy-mm-dd h:mm', '2026-09-01 19:30'],
    [46266.8125, 'yyyy-mm-dd', '2026-09-01'],
    [46266.770833333, 'h:mm', '18:30'],
    [46266, 'aaaa', '星期二'],
    [1.5, '[h]:mm', '36:00'],
  ])('%s in the format %s is read as %s', (number, format, text) => {
    expect(formatNumber(number, format)).toBe(text);
  });

  it.each([
    [12, '[DBNum1][$-804]General', '12'],
    [7, ';;;', '7'],
    [7, '0"', '7'],
    [7, '0'.repeat(300), '7'],
    [-3, 'yyyy-mm-dd', '-3'],
    [1.234567890123457e16, 'General', '12345678901234600'],
  ])('%s in the format %s is marked as not displayed that way', (number, format, text) => {
    expect(compileFormat(format)(number, false)).toMatchObject({ text, isFollowed: false });
  });

  it('is padded to any width without loss, and read in bounded time for any format', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 15 }), (number, width) => {
        expect(formatNumber(number, '0'.repeat(width))).toBe(String(number).padStart(width, '0'));
        expect(formatNumber(number, '#,##0').replaceAll(',', '')).toBe(String(number));
      }),
      { numRuns: 200 },
    );
    const part = fc.constantFrom(
      '0',
      '#',
      '?',
      '.',
      ',',
      '%',
      '"',
      '\\',
      '!',
      ';',
      '[',
      ']',
      'E+',
      'yyyy',
      'h',
      '@',
      '年',
      '*',
      '_',
      '-',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (parts, number) => {
          const { text, isFollowed } = compileFormat(parts.join(''))(number, false);
          expect(isFollowed || text === plainNumber(number)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a list of students from Excel', () => {
  const list = (rows: Parameters<typeof sheetFile>[0][string], options = {}) =>
    upload('名单.xlsx', sheetFile({ 名单: [['编号', '姓名', '学号', '手机号'], ...rows] }, options));

  it('has the zeros and letters that a format shows', async () => {
    const reading = await list([
      ['z1', '试一', { number: 1234, format: '00000000' }, { number: 13800000001, format: '000-0000-0000' }],
      ['z2', '试二', { number: 7, format: '"S"0000' }, { number: 13800000002, format: '#,##0' }],
      ['z3', '试三', { number: 2026001, format: '#,##0' }, { number: 13800000003, format: '0.00E+00' }],
    ]);
    expect(lines(reading)).toEqual([
      'student z1: nickname=试一 number=00001234 mobile=13800000001',
      'student z2: nickname=试二 number=S0007 mobile=13800000002',
      'student z3: nickname=试三 number=2026001 mobile=13800000003',
    ]);
    expect(reading.refused).toEqual([]);
  });

  it('is doubted for an unknown number format, and refused for a number that became a date', async () => {
    const reading = await list([
      ['z1', '试一', { number: 12, format: '[DBNum1]0' }, ''],
      ['z2', '试二', { number: 46024, format: 'm"月"d"日"' }, ''],
      ['z3', '试三', '', { day: 46024 }],
    ]);
    expect(remarkLines(reading.doubted)).toEqual([
      '名单 2 学号: 单元格的数字格式不能照原样读取，已按“12”读取，请核对',
      '名单 4 手机号: 单元格是日期“2026-01-02”，无法知道原来填写的内容；请设为“文本”格式后重新填写；这一格没有读取，请核对',
    ]);
    expect(remarkLines(reading.refused)).toEqual([
      '名单 3 学号: 单元格是日期“2026-01-02”，无法知道原来填写的内容；请设为“文本”格式后重新填写',
    ]);
  });

  it('is imported without unreadable mobile numbers, which are doubted at their cells', async () => {
    const reading = await list([
      ['z1', '试一', '1', '13500000001/13500000002'],
      ['z2', '试二', '2', '父13500000003'],
      ['z3', '试三', '3', '010-62345678'],
    ]);
    expect(lines(reading)).toHaveLength(3);
    expect(remarkLines(reading.doubted)).toEqual([
      '名单 2 手机号: “13500000001/13500000002”不是11位手机号；这一格没有读取，请核对',
      '名单 3 手机号: “父13500000003”不是11位手机号；这一格没有读取，请核对',
      '名单 4 手机号: “010-62345678”不是11位手机号；这一格没有读取，请核对',
    ]);
  });

  it('is doubted at rows that the sheet hides', async () => {
    const reading = await list(
      [
        ['z1', '试一', '1', ''],
        ['z2', '试二', '2', ''],
      ],
      { hiddenRows: [3] },
    );
    expect(lines(reading)).toHaveLength(2);
    expect(remarkLines(reading.doubted)).toEqual(['名单 3 : 这一行在文件中是隐藏的，已照常读取，请核对']);
  });
});

describe('an Excel sheet of questions', () => {
  const readQuestion = async (options: Parameters<typeof sheetFile>[0][string][number], hiddenRows: number[] = []) => {
    const file = sheetFile(
      {
        单选题: [
          ['题干', '选项A', '选项B', '选项C', '选项D', '答案', '难度'],
          ['题', ...options, 'A', 3],
        ],
      },
      { hiddenRows },
    );
    const preview = await readExcelQuestions(file, { savePicture: async () => '/files/pictures/1' });
    if ('refused' in preview) throw new Error(preview.refused);
    const [question] = preview.questions;
    return {
      options: question?.draft.ques_option.map(({ content }) => content),
      notes: question?.losses.map(({ where, message }) => `${where} ${message}`),
    };
  };

  it('has the options as the sheet displays them', async () => {
    expect(
      await readQuestion([
        { number: 7, format: '00000' },
        { number: 5, format: '"¥"#,##0.00' },
        { number: 8, format: '0" kg"' },
        { number: 12345.7, format: '0.0,' },
      ]),
    ).toEqual({ options: ['00007', '¥5.00', '8 kg', '12.3'], notes: [] });
    expect(
      (await readQuestion(['甲', '乙', { number: 2.675, format: '0.00' }, { number: 1.005, format: '0.00' }])).options,
    ).toEqual(['甲', '乙', '2.68', '1.01']);
  });

  it('is reported at cells of an unknown format and at hidden rows', async () => {
    expect((await readQuestion(['甲', '乙', '丙', { number: 12, format: '[DBNum2]0' }], [2])).notes).toEqual([
      '单选题!A2 这一行在文件中是隐藏的，已照常读入，请核对',
      '单选题!E2 单元格的数字格式不能照原样读取，按“12”读入，请核对；填写时请把单元格设为文本格式',
    ]);
  });
});
