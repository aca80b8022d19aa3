/** Lists as school offices keep them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { guessGrade } from '#server/import/formats/class-of-sheet.ts';
import type { ReadOptions } from '#server/import/formats/options.ts';
import { extractRefusedRows } from '#server/import/formats/refused-rows.ts';
import { csv, inGb18030, lines, remarkLines, sheetFile, uploader } from '../support/import-files.ts';
import { classSheet, officeFile, studentHeads, teacherSheet } from '../support/office-sheets.ts';

const upload = uploader();
const read = async (bytes: Uint8Array | string, options?: ReadOptions, name = '名单.xlsx') => {
  const reading = await upload(name, bytes, options);
  return {
    mode: reading.mode,
    list: reading.list,
    lines: lines(reading),
    refused: remarkLines(reading.refused),
    forgiven: remarkLines(reading.forgiven),
    doubted: remarkLines(reading.doubted),
  };
};
const membershipsIn = (all: readonly string[]) =>
  all.flatMap(
    (line) => /^membership .*class_id=class:(.*)\? student_id=student:(.*)$/.exec(line)?.slice(1).join(' ') ?? [],
  );

describe('a workbook with a sheet per class', () => {
  const students = (tag: string) => [
    ['王欣怡', '女', `${tag}01`, '138 0000 0001', '父13500000001'],
    ['许雨桐', '女', `${tag}02`, '１３８００００２００２', '010-62345678'],
    ['冯思源', '男', `${tag}03`, '13800002002', '13500000003/13600000003'],
  ];
  const school = () =>
    officeFile({
      封面: [],
      高一1班: classSheet('育才中学高一（1）班学生名单', students('1')),
      高一2班: classSheet('学生名单', students('2')),
    });

  it('takes the class from the title, else from the name of the sheet', async () => {
    const { mode, list, lines: all, refused } = await read(await school());
    expect([mode, refused]).toEqual(['delta', []]);
    expect(list?.sheets).toEqual([
      { name: '高一1班', className: '高一（1）班', isRead: true, titled: '高一（1）班' },
      { name: '高一2班', className: '高一2班', isRead: true, titled: '高一2班' },
    ]);
    expect(list?.isGuessed).toBe(true);
    expect(membershipsIn(all)).toEqual([
      '高一（1）班 101',
      '高一（1）班 102',
      '高一（1）班 103',
      '高一2班 201',
      '高一2班 202',
      '高一2班 203',
    ]);
  });

  it('imports a student without an unreadable optional cell, and doubts the cell', async () => {
    const { lines: all, doubted } = await read(await school());
    expect(all.slice(0, 3)).toEqual([
      'student 101: nickname=王欣怡 number=101 mobile=13800000001',
      'student 102: nickname=许雨桐 number=102 mobile=13800002002',
      'student 103: nickname=冯思源 number=103 mobile=13800002002',
    ]);
    expect(doubted.slice(0, 3)).toEqual([
      '高一1班 4 家长电话: “父13500000001”不是11位手机号；这一格没有读取，请核对',
      '高一1班 5 家长电话: “010-62345678”不是11位手机号；这一格没有读取，请核对',
      '高一1班 6 家长电话: “13500000003/13600000003”不是11位手机号；这一格没有读取，请核对',
    ]);
  });

  it('skips totals and repeated headings below a list, and says so', async () => {
    const printed = classSheet('高一（1）班', [['王欣怡', '女', '101', '', '']]);
    const { lines: all, forgiven } = await read(await officeFile({ Sheet1: [...printed, studentHeads] }));
    expect(all.filter((line) => line.startsWith('student'))).toEqual(['student 101: nickname=王欣怡 number=101']);
    expect(forgiven.filter((line) => line.includes('不是名单中的人'))).toEqual([
      'Sheet1 5 : “合计”这一行不是名单中的人，没有读取',
      'Sheet1 7 : “序号”这一行不是名单中的人，没有读取',
    ]);
  });

  it('is read with the classes and the sheets that a person chose', async () => {
    const { list } = await read(await school());
    const mapping = {
      ...(list?.mapping ?? { kind: 'student', columns: {} }),
      classes: { 高一1班: '高一甲班', 高一2班: null },
    };
    const chosen = await read(await school(), { mapping });
    expect(membershipsIn(chosen.lines)).toEqual(['高一甲班 101', '高一甲班 102', '高一甲班 103']);
    expect(chosen.forgiven).toContain('高一2班 1 : 工作表“高一2班”没有读取');
    expect(chosen.list?.sheets?.map(({ isRead }) => isRead)).toEqual([true, false]);
  });

  it('ignores the class that an earlier file had for the same sheet name', async () => {
    const next = await officeFile({ Sheet1: classSheet('高一（2）班', [['王欣怡', '女', '201', '', '']]) });
    const { mapping } = (await read(next)).list ?? {};
    for (const className of ['高一（1）班', null]) {
      const remembered = { kind: 'student' as const, columns: {}, ...mapping, classes: { Sheet1: className } };
      const { list, lines: all, refused } = await read(next, { remembered });
      expect([membershipsIn(all), refused]).toEqual([['高一（2）班 201'], []]);
      expect([list?.isGuessed, list?.mapping.classes]).toEqual([true, undefined]);
    }
  });

  it('is read without asking again with the class that a person confirmed for its title', async () => {
    const next = await officeFile({ Sheet1: classSheet('高一（2）班', [['王欣怡', '女', '201', '', '']]) });
    const { mapping } = (await read(next)).list ?? {};
    const remembered = {
      kind: 'student' as const,
      columns: {},
      ...mapping,
      titledClasses: { '高一（2）班': '高一二班' },
    };
    const { list, lines: all } = await read(next, { remembered });
    expect([membershipsIn(all), list?.isGuessed]).toEqual([['高一二班 201'], false]);
    const other = await officeFile({ Sheet1: classSheet('高一（3）班', [['王欣怡', '女', '201', '', '']]) });
    expect((await read(other, { remembered })).list?.isGuessed).toBe(true);
  });

  it('adds classes whose names differ from known ones only in a letter or a sign like 甲 or 文', async () => {
    const added = async (known: string, name: string) => {
      const file = await officeFile({
        Sheet1: [
          ['姓名', '学号', '班级'],
          ['张三', '1', name],
        ],
      });
      const { lines: all } = await read(file, {
        mapping: { kind: 'student', columns: { 姓名: '姓名', 学号: '学号', 班级: '班级' }, newClasses: true },
        classes: async () => [{ name: known, school: '' }],
      });
      return all.some((line) => line.startsWith('class '));
    };
    for (const [known, name] of [
      ['高一A班', '高一B班'],
      ['高一Ａ班', '高一b班'],
      ['高一甲班', '高一乙班'],
      ['文科班', '理科班'],
      ['日语班', '英语班'],
      ['上午班', '下午班'],
      ['高一Ⅰ班', '高一Ⅱ班'],
    ] as const)
      expect([name, await added(known, name)]).toEqual([name, true]);
    for (const [known, name] of [
      ['高一A班', '高一a 班'],
      ['高一年级A班', '高一A班'],
      ['高二理科班', '高二理科'],
    ] as const)
      expect([name, await added(known, name)]).toEqual([name, false]);
  });
});

describe('the class of a list', () => {
  const classOf = async (name: string, title: string, more: Record<string, string[][]> = {}) => {
    const sheet = [[title], ['姓名', '学号'], ['张三', '1']];
    return (await read(await officeFile({ [name]: sheet, ...more }))).list?.sheets?.[0]?.className;
  };

  it('is read from titles as offices write them', async () => {
    expect(await classOf('Sheet1', '育才中学2026学年七（2）班花名册')).toBe('七（2）班');
    expect(await classOf('Sheet1', '高一年级3班学生名单')).toBe('高一年级3班');
    expect(await classOf('Sheet1', '高二理科（4）班')).toBe('高二理科（4）班');
    expect(await classOf('Sheet1', '初三实验班名单')).toBe('初三实验班');
    expect(await classOf('Sheet1', '2026级12班')).toBe('2026级12班');
    expect(await classOf('Sheet1', '高一年级各班学生名单')).toBe('');
  });

  it('is not taken from a sheet name without a meaning', async () => {
    expect(await classOf('名单', '新生', { 封面: [['教务处制']] })).toBe('');
    expect(
      await classOf('男生', '新生', {
        女生: [
          ['姓名', '学号'],
          ['李四', '2'],
        ],
      }),
    ).toBe('');
    expect(
      await classOf('701', '新生', {
        702: [
          ['姓名', '学号'],
          ['李四', '2'],
        ],
      }),
    ).toBe('');
    expect(
      await classOf('火箭班', '新生', {
        平行班: [
          ['姓名', '学号'],
          ['李四', '2'],
        ],
      }),
    ).toBe('火箭班');
  });

  it('of a sheet called 学生名单 is read from its title, and nobody leaves who is missing', async () => {
    const { mode, lines: all } = await read(
      await officeFile({
        学生名单: [['高一（3）班'], ['姓名', '学号', '班级'], ['王丽', '1', ''], ['李强', '2', '高一4班']],
      }),
    );
    expect([mode, membershipsIn(all)]).toEqual(['delta', ['高一（3）班 1', '高一4班 2']]);
  });

  it('of two students with one name and without numbers tells them apart', async () => {
    const rows = [
      ['姓名', '手机号', '班级'],
      ['李四', '', '高一1班'],
      ['李四', '', '高一2班'],
      ['张三', '1380000', '高一1班'],
      ['王五', '', '高一1班'],
      ['王五', '', '高一1班'],
    ];
    const { lines: all, doubted, refused, forgiven } = await read(inGb18030(csv(rows)), {}, '名单.csv');
    expect(all.filter((line) => line.startsWith('student'))).toEqual([
      'student 高一1班/李四: nickname=李四',
      'student 高一2班/李四: nickname=李四',
      'student 张三: nickname=张三',
    ]);
    expect(doubted).toEqual([
      '名单.csv 4 手机号: “1380000”不是11位手机号；这一格没有读取，请核对',
      '名单.csv 3 姓名: 与第2行同名，没有学号和手机号，已按班级区分，请核对',
    ]);
    // Two people of one name in one class are one person twice, or cannot be told apart.
    expect(refused).toEqual(['名单.csv 6 : “王五”与第5行重复，请用编号区分', '名单.csv 5 : 与第6行重复，请用编号区分']);
    expect(forgiven).toContain('名单.csv 1 : 文件编码是 gb18030，应为 UTF-8，已照常读取');
  });

  it('in merged cells counts for each of their rows', async () => {
    const { lines: all } = await read(
      sheetFile(
        {
          Sheet1: [['2026级新生'], ['班级', '姓名', '学号'], ['高一1班', '张三', '1'], ['', '李四', '2']],
        },
        { merged: { Sheet1: ['A1:C1', 'A3:A4'] } },
      ),
    );
    expect(membershipsIn(all)).toEqual(['高一1班 1', '高一1班 2']);
  });
});

it('guesses the grade of a class by its name', () => {
  const grades = {
    '高一(1)班': '高一',
    高一年级3班: '高一',
    初三实验班: '初三',
    '高中二（1）班': '高二',
    '七（2）班': '七年级',
    '2024级1班': '',
    火箭班: '',
  };
  expect(Object.fromEntries(Object.keys(grades).map((name) => [name, guessGrade(name)]))).toEqual(grades);
});

describe('a list with two rows of headings', () => {
  const rows = [
    ['高一年级学生总表'],
    ['班级', '学生', '', '联系方式', '', '家长', ''],
    ['', '姓名', '学号', '手机', '家长手机', '姓名', '工作单位'],
    ['高一1班', '张三', '1', '13800000001', '13900000001', '张大', '第二小学'],
    ['班级', '学生', '学生', '联系方式', '', '', ''],
    ['高一2班', '李四', '2', '', '', '李大', ''],
  ];
  const expected = [
    'student 1: nickname=张三 number=1 mobile=13800000001 guardian_mobile=13900000001',
    'student 2: nickname=李四 number=2',
    'membership 高一1班/1: class_id=class:高一1班? student_id=student:1',
    'membership 高一2班/2: class_id=class:高一2班? student_id=student:2',
  ];

  it('takes its columns from the lower row, with the group where it matters', async () => {
    const merged = { Sheet1: ['A1:G1', 'A2:A3', 'B2:C2', 'D2:E2', 'F2:G2'] };
    const { lines: all, list, doubted } = await read(sheetFile({ Sheet1: rows }, { merged }));
    expect(all).toEqual(expected);
    expect([list?.headRow, list?.heads, doubted]).toEqual([
      3,
      ['班级', '学生姓名', '学号', '手机', '家长手机', '家长姓名', '家长工作单位'],
      [],
    ]);
  });

  it('needs no merged cells', async () => {
    expect((await read(csv(rows), {}, '名单.csv')).lines).toEqual(expected);
  });

  it('may have groups alone above them, or a single heading below', async () => {
    const grouped = [
      ['序号', '学生信息', '', '家长信息', ''],
      ['', '姓名', '学号', '姓名', '电话'],
      ['1', '张三', '101', '张大', '13900000001'],
    ];
    const merged = { 高一1班: ['A1:A2', 'B1:C1', 'D1:E1'] };
    const { list, lines: all } = await read(sheetFile({ 高一1班: grouped }, { merged }));
    expect([list?.headRow, list?.heads]).toEqual([2, ['序号', '学生姓名', '学号', '家长姓名', '家长电话']]);
    expect(all[0]).toBe('student 101: nickname=张三 number=101 guardian_mobile=13900000001');
    const single = [
      ['姓名', '学号', '家长', ''],
      ['', '', '称呼', '电话'],
      ['张三', '101', '张大', '13900000001'],
    ];
    expect((await read(csv(single), {}, '名单.csv')).list?.heads).toEqual(['姓名', '学号', '家长称呼', '家长电话']);
  });

  it('has refused rows with one row of headings', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'list-')), '名单.csv');
    onTestFinished(() => rmSync(dirname(path), { recursive: true }));
    writeFileSync(path, csv(rows));
    const places = new Map([['名单.csv', new Map([[6, '重复']])]]);
    const file = await extractRefusedRows({ name: '名单.csv', path }, places);
    expect(Buffer.from(file?.bytes ?? []).toString()).toBe(
      '\uFEFF"班级","学生姓名","学号","手机","家长手机","家长姓名","家长工作单位","原因"\r\n' +
        '"高一2班","李四","2","","","李大","","重复"\r\n',
    );
  });
});

it('doubts a title that names another school', async () => {
  const schools = async () => ['上海市育才中学'];
  const told = async (title: string) =>
    (await read(await officeFile({ Sheet1: classSheet(title, [['张三', '男', '1', '', '']]) }), { schools })).doubted;
  expect(await told('育才中学高一（1）班学生名单')).toEqual([]);
  expect(await told('2026学年育才中学高一（1）班学生名单')).toEqual([]);
  expect(await told('第二中学高一（1）班学生名单')).toEqual([
    'Sheet1 1 : 标题写的是“第二中学”，不是本系统的学校，请确认没有选错文件',
  ]);
});

it('doubts a list beside our own sheets, which is not read', async () => {
  const bytes = await officeFile({
    学校: [['学校名称'], ['育才中学']],
    高一1班: classSheet('高一（1）班', [['张三', '男', '1', '', '']]),
  });
  expect((await read(bytes)).doubted).toEqual(['高一1班 0 : 工作表“高一1班”像是一份名单，没有读取，请单独上传']);
});

describe('a list of teachers', () => {
  const teachers = () => officeFile({ 教师: teacherSheet('2026学年教师名单') });
  const columns = { 姓名: '姓名', 职务: '身份', 手机号: '手机号' };
  const staff = (more: object) => ({ mapping: { kind: 'staff', columns, ...more } }) as ReadOptions;

  it('is recognised by its title or name, and refused without a required column', async () => {
    const { list, refused } = await read(await teachers());
    expect(list?.mapping).toEqual({ kind: 'staff', columns });
    expect(refused).toEqual(['教师 2 用户名: 没有找到“用户名”所在的列，请指定']);
    const bare = await officeFile({ Sheet1: [['任课教师一览表'], ['姓名', '联系电话'], ['王丽', '13900000001']] });
    expect((await read(bare)).list?.mapping.kind).toBe('staff');
    const taught = await officeFile({
      Sheet1: [
        ['姓名', '任教学科', '联系电话'],
        ['王丽', '语文', '13900000001'],
      ],
    });
    expect((await read(taught)).list?.mapping.kind).toBe('staff');
  });

  it('maps job titles to identities, and doubts those that get the chosen one', async () => {
    const {
      lines: all,
      doubted,
      refused,
    } = await read(await teachers(), staff({ identity: '助教', username: 'mobile' }));
    expect(all).toEqual([
      'staff 13900000001: identity=teacher username=13900000001 real_name=王丽 mobile=13900000001',
      'staff 13900000002: identity=teacher username=13900000002 real_name=李强 mobile=13900000002',
      'staff 13900000003: identity=teacher username=13900000003 real_name=赵敏 mobile=13900000003',
      'staff 13900000004: identity=assist username=13900000004 real_name=曾荣 mobile=13900000004',
      'staff 13900000005: identity=assist username=13900000005 real_name=周兰 mobile=13900000005',
    ]);
    expect([doubted, refused]).toEqual([['教师 6 职务: “校长”不知道是什么身份，已按“助教”读取，请核对'], []]);
  });

  it('refuses the rows without an identity if none is chosen for them', async () => {
    const { lines: all, refused } = await read(await teachers(), staff({ username: 'pinyin' }));
    expect(all.map((line) => line.split(':')[0])).toEqual([
      'staff wangli0001',
      'staff liqiang0002',
      'staff zhaomin0003',
    ]);
    expect(refused).toEqual(['教师 6 职务: “校长”应为 讲师、助教、教务 之一', '教师 7 职务: “身份”必须填写']);
  });

  it('makes user names of pinyin, and refuses a row from which none can be made', async () => {
    const rows = [
      ['姓名', '身份', '手机号', '用户名'],
      ['曾荣', '讲师', '', ''],
      ['单丽', '讲师', '13900000007', 'dan.li'],
      ['Anna 王', '讲师', '', ''],
    ];
    const list = (username: string) =>
      read(
        csv(rows),
        {
          mapping: {
            kind: 'staff',
            columns: { 姓名: '姓名', 身份: '身份', 手机号: '手机号', 用户名: '用户名' },
            username,
          },
        } as ReadOptions,
        'a.csv',
      );
    expect((await list('pinyin')).lines.map((line) => line.split(':')[0])).toEqual([
      'staff zengrong',
      'staff dan.li',
      'staff annawang',
    ]);
    const byMobile = await list('mobile');
    expect(byMobile.lines.map((line) => line.split(':')[0])).toEqual(['staff dan.li']);
    expect(byMobile.refused).toEqual([
      'a.csv 2 用户名: 没有手机号，不能作为用户名，请填写用户名',
      'a.csv 4 用户名: 没有手机号，不能作为用户名，请填写用户名',
    ]);
  });

  it('does not reuse the columns of a student list from the same source', async () => {
    const remembered = { kind: 'student', columns: { 姓名: '姓名', 手机号: '手机号' } } as const;
    expect((await read(await teachers(), { remembered })).list?.mapping.kind).toBe('staff');
  });

  it('beside a list of students is doubted, and not read as students', async () => {
    const bytes = await officeFile({
      高一1班: classSheet('高一（1）班', [['张三', '男', '1', '', '']]),
      任课: teacherSheet('教师名单'),
    });
    const { lines: all, doubted } = await read(bytes);
    expect(all.filter((line) => !line.startsWith('membership'))).toEqual(['student 1: nickname=张三 number=1']);
    expect(doubted).toEqual(['任课 1 : 工作表“任课”像是人员名单，没有读取，请单独上传']);
  });
});
