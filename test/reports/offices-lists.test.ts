/** Lists as school offices keep them: a sheet for each class, titles, totals, days and money in every format. */
import { describe, expect, it } from 'vitest';
import { guessList } from '#server/import/formats/people-mapping.ts';
import { lines, remarkLines, sheetFile, uploader } from '../support/import-files.ts';

const upload = uploader();

describe('a workbook with a sheet for each class', () => {
  const sheets = {
    说明: [['请各班主任核对，有误请联系教务处']],
    高一2班: [
      ['姓名', '学号'],
      ['张一', '1201'],
    ],
    Sheet3: [
      ['2026学年第一学期高一（3）班学生名单', ''],
      ['学号', '姓名', '家长电话'],
      ['1301', '李二', '13800000001'],
      ['合计', '', '1人'],
    ],
  };

  it('puts its students into the class of their sheet, and says so', async () => {
    const reading = await upload('高一.xlsx', sheetFile(sheets));
    expect(lines(reading)).toEqual([
      'student 1201: nickname=张一 number=1201',
      'student 1301: nickname=李二 number=1301 guardian_mobile=13800000001',
      'membership 高一2班/1201: class_id=class:高一2班? student_id=student:1201',
      'membership 高一（3）班/1301: class_id=class:高一（3）班? student_id=student:1301',
    ]);
    // The line of totals is not read as a student.
    expect(remarkLines(reading.refused)).toEqual([]);
    expect(remarkLines(reading.forgiven)).toContain('说明 1 : 工作表“说明”没有名单的标题行，没有读取');
    expect(reading.list?.isGuessed).toBe(true);
    expect(reading.list?.heads).toEqual(['姓名', '学号', '家长电话']);
    expect(reading.list?.sheets?.map(({ className }) => className)).toEqual(['高一2班', '高一（3）班']);
  });

  it('puts its students into no class if the mapping says so', async () => {
    const columns = { 姓名: '姓名', 学号: '学号' };
    const mapping = { kind: 'student', columns, classes: { 高一2班: '', Sheet3: '' } } as const;
    const reading = await upload('高一.xlsx', sheetFile(sheets), { mapping });
    expect(lines(reading).filter((line) => line.startsWith('membership'))).toEqual([]);
  });

  it('uses its class column if it has one', () => {
    const rows = [
      ['姓名', '班级'],
      ['张一', '高一1班'],
    ].map((cells, at) => ({
      row: at + 1,
      cells: cells.map((text) => ({ text, isFormula: false, isMerged: false })),
    }));
    expect(guessList({ name: '高一2班', rowCount: 2, rows: () => rows }).heads).toEqual(['姓名', '班级']);
  });
});

describe('a sheet of a school office', () => {
  it('is read if staff have job titles instead of identities', async () => {
    const reading = await upload(
      '教师.xlsx',
      sheetFile({
        教师名册: [
          ['姓名', '职务', '工号', '电话'],
          ['王一', '语文教师', 'w1', '13800000001'],
          ['李二', '教学助理', 'l2', '13800000002'],
          ['赵三', '门卫', 'z3', ''],
        ],
      }),
    );
    expect(lines(reading).map((line) => line.split(' mobile')[0])).toEqual([
      'staff w1: identity=teacher username=w1 real_name=王一',
      'staff l2: identity=assist username=l2 real_name=李二',
    ]);
    expect(remarkLines(reading.refused)).toEqual([expect.stringContaining('“门卫”应为')]);
  });

  it('is read with money, percentages, brackets and formulas in contracts', async () => {
    const reading = await upload(
      '进班.xlsx',
      sheetFile({
        进班: [
          ['班级', '学员', '合同编号', '剩余课时', '课时单价'],
          ['提高班', '甲', 'HT1', { number: 20, format: '0"课时"' }, { number: 99.5, format: '"¥"#,##0.00' }],
          ['提高班', '乙', 'HT2', { number: 1200, format: '#,##0' }, '=A1*2|150'],
          ['提高班', '丙', 'HT3', { number: 0.5, format: '0%' }, ''],
          ['提高班', '丁', 'HT4', { number: -5, format: '0_);(0)' }, ''],
          ['提高班', '戊', 'HT5', '12节', ''],
          ['提高班', '己', { number: 4.5e10, format: '0.0E+00' }, '', '=A1/0|#DIV/0!'],
        ],
      }),
    );
    expect(lines(reading).map((line) => line.replace(/^.*contracts_number=/, ''))).toEqual([
      'HT1 remaining_lessons=20 periods_price=99.5',
      'HT2 remaining_lessons=1200 periods_price=150',
    ]);
    expect(remarkLines(reading.refused)).toEqual([
      '进班 4 剩余课时: “50%”不是整数',
      '进班 5 剩余课时: “(5)”不是整数',
      '进班 6 剩余课时: “12节”不是整数',
      '进班 7 课时单价: 单元格是错误值 #DIV/0!',
    ]);
  });

  it('is read with days as numbers or text; days out of bounds or ambiguous are refused', async () => {
    const reading = await upload(
      '班级.xlsx',
      sheetFile({
        班级: [
          ['班级名称', '有效期至'],
          ['一班', { day: 46583 }],
          ['二班', { number: 46583, format: 'yyyy"年"m"月"d"日"' }],
          ['三班', '9999-12-31'],
          ['四班', { number: 2958465, format: 'yyyy/m/d' }],
          ['五班', '0000-01-01'],
          ['六班', '1/5/2027'],
        ],
      }),
    );
    expect(lines(reading)).toEqual([
      'class 一班: name=一班 valid_type=2 valid_day=2027-07-15',
      'class 二班: name=二班 valid_type=2 valid_day=2027-07-15',
    ]);
    expect(remarkLines(reading.refused)).toEqual([
      '班级 4 有效期至: “9999-12-31”不在 1970-01-01 到 2200-12-31 之间',
      '班级 5 有效期至: “9999-12-31”不在 1970-01-01 到 2200-12-31 之间',
      '班级 6 有效期至: “0000-01-01”不在 1970-01-01 到 2200-12-31 之间',
      '班级 7 有效期至: “1/5/2027”分不清日和月，请写成 2026-09-01 的形式',
    ]);
  });

  it('is read with merged titles, notes, a total and a header below them', async () => {
    const reading = await upload(
      '名册.xlsx',
      sheetFile(
        {
          名册: [
            ['第一中学高一（1）班花名册', '', '', ''],
            ['班主任：王老师', '', '制表：2026年9月', ''],
            ['序号', '姓名', '学号', '联系方式'],
            [1, '张一', 20260001, 13800000001],
            [2, '李二', { number: 2, format: '"2026"0000' }, '138-0000-0002'],
            ['', '合计', '2人', ''],
            ['备注：', '李二休学', '', ''],
          ],
        },
        { merged: { 名册: ['A1:D1', 'A2:B2'] } },
      ),
    );
    expect(lines(reading).filter((line) => /张一|李二 /.test(line))).toEqual([
      'student 20260001: nickname=张一 number=20260001 mobile=13800000001',
      'student 20260002: nickname=李二 number=20260002 mobile=13800000002',
    ]);
    expect(lines(reading)).toContain(
      'membership 高一（1）班/20260001: class_id=class:高一（1）班? student_id=student:20260001',
    );
  });

  it('is read without its column of row numbers, which is not an id', async () => {
    const reading = await upload(
      '学员.xlsx',
      sheetFile({
        学员: [
          ['序号', '姓名', '学号'],
          [1, '张一', '7'],
        ],
      }),
    );
    expect(lines(reading)).toEqual(['student 7: nickname=张一 number=7']);
    expect(remarkLines(reading.forgiven)).toEqual(['学员 1 序号: 列“序号”没有读取']);
  });

  it('keeps the punctuation of its ids, as our own export writes it', async () => {
    const reading = await upload(
      '学员.xlsx',
      sheetFile({
        学员: [
          ['编号', '姓名', '学号'],
          ['育才学校（东）/７', '张一', '（７）'],
        ],
      }),
    );
    expect(lines(reading)).toEqual(['student 育才学校（东）/7: nickname=张一 number=(7)']);
    expect(remarkLines(reading.forgiven)).toEqual([
      '学员 2 编号: “育才学校（东）/７”：全角字符已按半角读取',
      '学员 2 学号: “（７）”：全角字符已按半角读取',
    ]);
  });

  it('is refused quickly when absurdly long or wide', async () => {
    const long = async (name: string, bytes: string) => {
      const began = performance.now();
      const reading = await upload(name, bytes);
      expect(performance.now() - began).toBeLessThan(5000);
      expect(JSON.stringify(reading.list ?? '').length).toBeLessThan(100_000);
      return remarkLines(reading.refused);
    };
    expect(await long('s.csv', 'a'.repeat(20_000_000))).toEqual(['s.csv 0 : 第1行：单元格超过32767个字符']);
    expect(await long('s.csv', '姓名,'.repeat(100_000))).toEqual(['s.csv 0 : 第1行：超过300列，请只保留需要的列']);
    expect(await long('s.csv', '"","",'.repeat(1_000_000))).toEqual(['s.csv 0 : 第1行：超过300列，请只保留需要的列']);
    const wide = await upload('s.xlsx', sheetFile({ 学员: [['姓名', ...Array(300).fill('列')], ['张一']] }));
    expect(remarkLines(wide.refused)).toEqual(['学员 0 : 工作表“学员”超过300列，请只保留需要的列']);
    const cell = await upload('s.csv', `姓名,学号\n${'张'.repeat(30_000)},1\n`);
    expect(remarkLines(cell.refused)).toEqual(['s.csv 2 姓名: 文字不能超过2000个字']);
    const refused = (await upload('s.csv', `姓名,手机号\n甲,${'9'.repeat(1999)}\n`)).refused;
    expect(JSON.stringify(refused).length).toBeLessThan(300);
  });
});
