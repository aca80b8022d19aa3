import { truncateSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readUploadedFile } from '#server/import/formats/read.ts';
import { summariseReading } from '#server/import/formats/reading-summary.ts';
import { templateSheets, workbookSheets } from '#server/import/formats/workbook-write.ts';
import type { ParsedUpload, RecordKind } from '#server/import/source-record.ts';
import { writeSpreadsheet } from '#server/platform/export/spreadsheet.ts';
import { lines, places, remarkLines, sheetFile, uploader, uploads } from '../support/import-files.ts';

const upload = uploader();
const keep = uploads();

/** A school with a bit of everything, as an office fills it in: by names. */
const filled = {
  学校: [['学校名称'], ['东湖网校'], ['西山网校']],
  年级与分类: [
    ['类别', '名称', '上级'],
    ['年级', '高一', ''],
    ['分类', '数学类', '同步课'],
    ['分类', '同步课', ''],
    ['科目', '数学', ''],
  ],
  课程: [
    ['课程名称', '类型', '学校', '分类', '年级', '科目', '上级课程', '简介'],
    ['函数', '小组直播课', '东湖网校', '同步课/数学类', '高一', '数学', '高一数学', '一二三'],
    ['高一数学', '直播课', '东湖网校', '', '', '', '', ''],
  ],
  课时: [
    ['课程', '章节', '课时名称', '类型', '讲师', '日期', '开始时间', '时长（分钟）', '提前进入（分钟）'],
    ['函数', '第一章', '定义域', '直播课', '王老师', '2026-09-01', '19:30', '90', '10'],
  ],
  班级: [
    ['编号', '班级名称', '学校', '年级', '分类', '大班', '有效期至', '班主任', '助教', '课程'],
    ['B1', '高一（1）班', '东湖网校', '高一', '', '', '2027-07-15', '王老师', '李助教、zhou', '函数'],
    ['B2', '高一（2）班', '西山网校', '', '', '', '长期', '', '', ''],
  ],
  人员: [
    ['身份', '用户名', '姓名', '手机号', '学校', '权限', '管理的学校'],
    ['讲师', 'Wang.li', '王老师', '13800000001', '东湖网校', '布置作业、批改作业', ''],
    ['助教', 'li', '李助教', '', '东湖网校', '', ''],
    ['助教', 'zhou', '周助教', '', '西山网校', '', ''],
    ['教务', 'admin1', '吴教务', '', '东湖网校', '管理人员', '东湖网校、西山网校'],
    ['教务', 'admin2', '郑教务', '', '东湖网校', '', '全部学校'],
  ],
  学员: [
    ['姓名', '学号', '手机号', '家长手机号', '学校'],
    ['张三', '001', '13900000001', '13900000002', '东湖网校'],
    ['李四', '', '13900000003', '', '东湖网校'],
    ['张三', '003', '', '', '西山网校'],
  ],
  进班: [
    [
      '班级',
      '学员',
      '加入日期',
      '离开日期',
      '离开原因',
      '合同编号',
      '计费方式',
      '剩余课时',
      '课时单价',
      '每课时分钟数',
    ],
    ['B1', '001', '2026-09-01', '2026-10-01', '转学', '', '', '', '', ''],
    ['高一（1）班', '李四', '', '', '', '', '', '', '', ''],
    ['提高班', '003', '2026-09-05', '', '', 'HT-1', '按课时', '20', '99.5', '60'],
  ],
  教室: [
    ['学校', '教室名称', '座位数'],
    ['东湖网校', 'A101', '40'],
  ],
  团课: [
    [
      '团课名称',
      '类型',
      '学校',
      '年级',
      '分类',
      '科目',
      '讲师',
      '教室',
      '上课方式',
      '计费方式',
      '上课时间',
      '开课日期',
      '备注',
      '班主任',
      '助教',
      '课程',
    ],
    [
      '提高班',
      '团课班级',
      '东湖网校',
      '高一',
      '',
      '数学',
      '王老师',
      'A101',
      '线下',
      '按课时',
      '每周六',
      '2026-09-05',
      '',
      '',
      '李助教',
      '函数',
    ],
  ],
  课次: [
    ['团课', '课程', '课时', '课题', '讲师', '教室', '上课方式', '日期', '开始时间', '结束时间'],
    ['提高班', '函数', '定义域', '', 'wang.li', 'A101', '线下', '2026-09-05', '09:00', '11:00'],
  ],
  课表: [
    ['团课', '课程', '星期', '开始时间', '结束时间', '第一周', '周次', '单双周', '讲师', '教室', '上课方式'],
    ['提高班', '函数', '周二', '19:00', '20:30', '2026-09-01', '1-2、第４周', '双周', '王老师', 'A101', '线下'],
    ['', '函数', '周三', '18:00', '18:45', '2026-09-01', '1-2', '', '', '', ''],
  ],
  分组: [
    ['班级', '课程', '分组名称', '助教', '学员'],
    ['B1', '函数', '一组', '李助教', '001'],
    ['B1', '函数', '一组', '', '李四'],
    ['B1', '函数', '二组', '周助教', ''],
  ],
  考试: [
    [
      '考试名称',
      '年级',
      '班级',
      '开始日期',
      '开始时间',
      '结束时间',
      '考试时长（分钟）',
      '及格分',
      '答题次数',
      '考试说明',
    ],
    ['月考', '', '高一(1)班、B2', '2026-11-05', '08:00', '10:00', '120', '60.5', '2', '带尺'],
    ['年级考', '高一', '', '', '', '', '', '', '', ''],
  ],
};

const bytesOf = async (reading: ParsedUpload): Promise<Buffer> => {
  const all = [...reading.intended];
  const sheets = workbookSheets((kind: RecordKind) => all.filter((one) => one.kind === kind));
  return buffer(writeSpreadsheet({ sheets }));
};

describe('own workbook', () => {
  it('is read by name in any sheet and row order', async () => {
    const reading = await upload('学校.xlsx', sheetFile(filled));
    expect(remarkLines(reading.refused)).toEqual([]);
    expect(remarkLines(reading.forgiven)).toEqual([]);
    expect(lines(reading)).toMatchInlineSnapshot(`
      [
        "school 东湖网校: name=东湖网校",
        "school 西山网校: name=西山网校",
        "grade 高一: name=高一",
        "category 同步课: name=同步课",
        "subject 数学: name=数学",
        "category 同步课/数学类: name=数学类 parent_id=category:同步课",
        "room 东湖网校/A101: school_id=school:东湖网校 name=A101 seats=40",
        "staff wang.li: identity=teacher username=wang.li real_name=王老师 mobile=13800000001 school_id=school:东湖网校 permissions=[dispatch correct]",
        "staff li: identity=assist username=li real_name=李助教 school_id=school:东湖网校",
        "staff zhou: identity=assist username=zhou real_name=周助教 school_id=school:西山网校",
        "staff admin1: identity=admin username=admin1 real_name=吴教务 school_id=school:东湖网校 permissions=[people] every_school=0 school_ids=[school:东湖网校 school:西山网校]",
        "staff admin2: identity=admin username=admin2 real_name=郑教务 school_id=school:东湖网校 every_school=1 school_ids=[]",
        "student 东湖网校/001: nickname=张三 number=001 mobile=13900000001 guardian_mobile=13900000002 school_id=school:东湖网校",
        "student 东湖网校/13900000003/李四: nickname=李四 mobile=13900000003 school_id=school:东湖网校",
        "student 西山网校/003: nickname=张三 number=003 school_id=school:西山网校",
        "course 高一数学: title=高一数学 course_type=1 school_id=school:东湖网校",
        "course 函数: title=函数 course_type=2 school_id=school:东湖网校 classify_id=category:同步课/数学类 grade_id=grade:高一 subject_id=subject:数学 parent_id=course:高一数学 introduction=一二三",
        "period 函数/定义域: course_id=course:函数 chapter_title=第一章 title=定义域 periods_type=1 lecturer_id=staff:wang.li minutes=90 advance_time=10 start_play=1788262200",
        "class B1: name=高一（1）班 school_id=school:东湖网校 grade_id=grade:高一 valid_type=2 valid_day=2027-07-15",
        "class B2: name=高一（2）班 school_id=school:西山网校 valid_type=1 valid_day=null",
        "group_class 提高班: name=提高班 class_type=3 school_id=school:东湖网校 grade_id=grade:高一 subject_id=subject:数学 lecturer_id=staff:wang.li room_id=room:东湖网校/A101 teaching_mode=2 sign_type=1 schedule=每周六 start_day=2026-09-05",
        "class_course B1/函数: class_id=class:B1 course_id=course:函数",
        "class_course 提高班/函数: class_id=group_class:提高班 course_id=course:函数",
        "class_staff B1/wang.li/head: class_id=class:B1 staff_id=staff:wang.li duty=head",
        "class_staff B1/li/assistant: class_id=class:B1 staff_id=staff:li duty=assistant",
        "class_staff B1/zhou/assistant: class_id=class:B1 staff_id=staff:zhou duty=assistant",
        "class_staff 提高班/li/assistant: class_id=group_class:提高班 staff_id=staff:li duty=assistant",
        "membership B1/东湖网校/001: class_id=class:B1 student_id=student:东湖网校/001 left_reason=转学 joined_at=1788192000 left_at=1790870400",
        "membership B1/东湖网校/13900000003/李四: class_id=class:B1 student_id=student:东湖网校/13900000003/李四",
        "membership 提高班/西山网校/003: class_id=group_class:提高班 student_id=student:西山网校/003 contracts_number=HT-1 sign_type=1 remaining_lessons=20 periods_price=99.5 lesson_minutes=60 joined_at=1788537600",
        "group B1/函数/一组: class_id=class:B1 course_id=course:函数 group_name=一组 staff_ids=[staff:li]",
        "group B1/函数/二组: class_id=class:B1 course_id=course:函数 group_name=二组 staff_ids=[staff:zhou]",
        "group_member B1/函数/东湖网校/001: group_id=group:B1/函数/一组 student_id=student:东湖网校/001",
        "group_member B1/函数/东湖网校/13900000003/李四: group_id=group:B1/函数/一组 student_id=student:东湖网校/13900000003/李四",
        "lesson 提高班/2026-09-05 09:00: class_id=group_class:提高班 course_id=course:函数 period_id=period:函数/定义域 lecturer_id=staff:wang.li room_id=room:东湖网校/A101 teaching_mode=2 day=2026-09-05 start=09:00 end=11:00",
        "lesson 课表/提高班/2026-09-08 19:00: class_id=group_class:提高班 course_id=course:函数 lecturer_id=staff:wang.li room_id=room:东湖网校/A101 teaching_mode=2 day=2026-09-08 start=19:00 end=20:30",
        "lesson 课表/提高班/2026-09-22 19:00: class_id=group_class:提高班 course_id=course:函数 lecturer_id=staff:wang.li room_id=room:东湖网校/A101 teaching_mode=2 day=2026-09-22 start=19:00 end=20:30",
        "period 课表/函数/2026-09-02 18:00: course_id=course:函数 title=第1周 周三 18:00 minutes=45 advance_time=10 start_play=1788343200",
        "period 课表/函数/2026-09-09 18:00: course_id=course:函数 title=第2周 周三 18:00 minutes=45 advance_time=10 start_play=1788948000",
        "exam 月考/高一(1)班、B2/2026-11-05: name=月考 class_ids=[class:B1 class:B2] limit_minutes=120 pass_score=60.5 attempts=2 introduce=带尺 start_at=1793836800 end_at=1793844000",
        "exam 年级考/高一: name=年级考 grade_ids=[grade:高一]",
      ]
    `);
  });

  it('round-trips with identical bytes', async () => {
    const first = await upload('a.xlsx', sheetFile(filled));
    const written = await bytesOf(first);
    const second = await upload('b.xlsx', written);
    expect(remarkLines([...second.refused, ...second.forgiven])).toEqual([]);
    expect(lines(second).sort()).toEqual(lines(first).sort());
    expect((await bytesOf(second)).equals(await bytesOf(second))).toBe(true);
    expect((await bytesOf(second)).equals(written)).toBe(true);
  });

  it('gives a state-school class a course of its own for its timetable', async () => {
    const head = ['班级', '团课', '课程', '星期', '开始时间', '结束时间', '第一周', '周次'];
    const rule = ['周三', '08:00', '08:45', '2026-09-01', '1'];
    const rules = [
      head,
      ['高一（1）班', '', '函数', ...rule],
      ['B1', '', '函数', '周四', ...rule.slice(1)],
      ['高一（2）班', '', '函数', ...rule],
      ['高一（1）班', '提高班', '函数', ...rule],
      ['高一（1）班', '', '外校课程', ...rule],
    ];
    const reading = await upload('课表.xlsx', await sheetFile({ ...filled, 课表: rules }));
    expect(remarkLines(reading.refused)).toEqual([
      '课表 5 班级: 团课和班级只能填一个',
      '课表 6 课程: “外校课程”在工作表“课程”中没有',
    ]);
    const own = '函数（高一（1）班）';
    const about = lines(reading).filter((line) => line.includes('函数（'));
    expect(about.slice(0, 4)).toEqual([
      `course ${own}: title=${own} course_type=2 school_id=school:东湖网校 classify_id=category:同步课/数学类 grade_id=grade:高一 subject_id=subject:数学 parent_id=course:高一数学 introduction=一二三`,
      `class_course B1/${own}: class_id=class:B1 course_id=course:${own}`,
      `period 课表/${own}/2026-09-02 08:00: course_id=course:${own} title=第1周 周三 08:00 minutes=45 advance_time=10 start_play=1788307200`,
      `period 课表/${own}/2026-09-03 08:00: course_id=course:${own} title=第1周 周四 08:00 minutes=45 advance_time=10 start_play=1788393600`,
    ]);
    expect(about.filter((line) => line.startsWith('course ') || line.startsWith('class_course '))).toHaveLength(4);
    expect(reading.kinds).toEqual(expect.arrayContaining(['course', 'class_course', 'period']));
    // Courses that the sheet 课程 and the class name already are not made twice.
    const again = await upload(
      '课表.xlsx',
      await sheetFile({ ...filled, 课程: [...filled.课程, [own, '录播课', '东湖网校']], 课表: rules.slice(0, 2) }),
    );
    expect(lines(again).filter((line) => line.startsWith(`course ${own}`))).toHaveLength(1);
  });

  it('refuses timetable rules without weeks, ending early, or overlapping', async () => {
    const rules = [
      ['课程', '团课', '星期', '开始时间', '结束时间', '第一周', '周次', '讲师'],
      ['函数', '', '周一', '09:00', '10:00', '2026-09-01', '1-40', ''],
      ['函数', '', '周一', '11:00', '10:00', '2026-09-01', '1-4', ''],
      ['函数', '提高班', '周二', '09:00', '10:00', '2026-09-01', '1-4', ''],
      ['函数', '', '周四', '09:00', '10:00', '2026-09-01', '1-4', ''],
      ['函数', '', '周四', '09:00', '11:00', '2026-09-01', '4', ''],
    ];
    const reading = await upload('课表.xlsx', await sheetFile({ ...filled, 课表: rules }));
    expect(remarkLines(reading.refused)).toEqual([
      '课表 2 周次: “1-40”应写成 1-16，或 1-8、10-16，最多30周',
      '课表 3 结束时间: 结束时间须晚于开始时间',
      '课表 4 讲师: 请选择讲师',
      '课表 6 开始时间: 2026-09-24 09:00 与第5行的时间相同',
    ]);
    expect(lines(reading).filter((line) => line.includes('课表/'))).toHaveLength(4);
  });

  it('refuses exams whose times have no day, and reads an end without a time as the end of that day', async () => {
    const heads = ['考试名称', '学校', '开始日期', '开始时间', '结束日期', '结束时间'];
    const reading = await upload(
      '考试.xlsx',
      sheetFile({
        考试: [
          heads,
          ['甲考', '东湖网校', '', '08:00', '', ''],
          ['乙考', '东湖网校', '', '', '', '10:00'],
          ['丙考', '东湖网校', '2026-11-05', '', '2026-11-06', ''],
          ['丁考', '东湖网校', '十一月五日', '', '', ''],
          ['丙考', '东湖网校', '2026-11-05', '', '', ''],
        ],
      }),
    );
    expect(remarkLines(reading.refused)).toMatchInlineSnapshot(`
      [
        "考试 5 开始日期: “十一月五日”不是日期，请写成 2026-09-01 的形式",
        "考试 2 开始时间: 写了开始时间“08:00”，请填写开始日期",
        "考试 3 结束时间: 写了结束时间“10:00”，请填写结束日期",
        "考试 6 : 与第4行重复",
        "考试 4 : 与第6行重复",
      ]
    `);
    expect(lines(reading)).toMatchInlineSnapshot(`[]`);
  });

  it('warns once of the years of the timetable without holidays', async () => {
    const rule = ['函数', '', '周一', '09:00', '10:00', '2026-12-01', '1-8', ''];
    const rules = [['课程', '团课', '星期', '开始时间', '结束时间', '第一周', '周次', '讲师'], rule];
    const warnings = async (closed: string[], yearsByLaw: number[] = []) => {
      const holidays = async () => ({ closed, worked: new Map<string, number>(), yearsByLaw });
      const reading = await upload('课表.xlsx', await sheetFile({ ...filled, 课表: rules }), { holidays });
      return remarkLines(reading.doubted).filter((line) => line.includes('节假日'));
    };
    expect(await warnings([])).toEqual(['课表 0 节假日: 2026年、2027年还没有节假日，不会跳过任何放假的日子']);
    expect(await warnings(['2026-10-01'])).toEqual(['课表 0 节假日: 2027年还没有节假日，不会跳过任何放假的日子']);
    expect(await warnings(['2026-10-01', '2027-01-01'])).toEqual([]);
    expect(await warnings(['2026-10-01', '2027-01-01'], [2027, 2028])).toEqual([
      '课表 0 节假日: 2027年的放假调休安排尚未公布或尚未采用，目前只按法定节日跳过',
    ]);
  });

  it('has a template whose examples are skipped with a remark', async () => {
    const template = await buffer(writeSpreadsheet({ sheets: templateSheets() }));
    const reading = await upload('模板.xlsx', template);
    expect(remarkLines(reading.refused)).toEqual(['模板.xlsx 0 : 文件里没有可以导入的数据']);
    expect(reading.forgiven).toHaveLength(14);
    const parts = unzipSync(template);
    const sheet = (number: number) => Buffer.from(parts[`xl/worksheets/sheet${number}.xml`] ?? []).toString();
    expect(sheet(6)).toContain('<formula1>&quot;讲师,助教,教务&quot;</formula1>');
    expect(sheet(8)).toContain("<formula1>'班级'!$B$2:$B$20000</formula1>");
    expect(sheet(7)).toContain('prompt="11位手机号"');
    expect(sheet(15)).toContain('空的单元格不改动已有的内容');
  });
});

describe('foreign workbook', () => {
  const students = (rows: string[][], heads = ['编号', '姓名', '学号', '手机号']) =>
    sheetFile({ 学员: [heads, ...rows] });
  const readRemarks = async (bytes: Uint8Array, name = '学员.xlsx') => {
    const reading = await upload(name, bytes);
    const { refused, forgiven, doubted } = reading;
    return {
      refused: remarkLines(refused),
      forgiven: remarkLines(forgiven),
      doubted: remarkLines(doubted),
      lines: lines(reading),
    };
  };

  it('repeats merged cells with a remark', async () => {
    const { refused, forgiven, lines } = await readRemarks(
      sheetFile(
        {
          进班: [
            ['班级', '学员'],
            ['B1', '张三'],
            ['', '李四'],
            ['', '王五'],
            ['B2', '赵六'],
          ],
        },
        { merged: { 进班: ['A2:A4'] } },
      ),
    );
    expect(refused).toEqual([]);
    expect(lines.map((line) => line.replace(/:.*/, ''))).toEqual([
      'membership B1/张三',
      'membership B1/李四',
      'membership B1/王五',
      'membership B2/赵六',
    ]);
    expect(forgiven).toEqual(['进班 3 班级: 合并的单元格，已按“B1”读取', '进班 4 班级: 合并的单元格，已按“B1”读取']);
  });

  it('allows a title, other column orders, synonyms and unknown columns', async () => {
    const heads = ['姓名*', '联系电话', '性别', '学号', '备注'];
    const { refused, forgiven, lines } = await readRemarks(
      sheetFile({ 学员: [['2026级学生名单'], heads, ['张三', '138 0000 0001', '男', '００１', '']] }),
    );
    expect(refused).toEqual([]);
    expect(lines).toEqual(['student 001: nickname=张三 number=001 mobile=13800000001']);
    expect(forgiven).toEqual([
      '学员 2 联系电话: 列“联系电话”已按“手机号”读取',
      '学员 2 性别: 不认识的列“性别”，没有读取',
      '学员 2 备注: 不认识的列“备注”，没有读取',
      '学员 3 学号: “００１”：全角字符已按半角读取',
      '学员 3 联系电话: “138 0000 0001”已按 13800000001 读取',
    ]);
  });

  it('skips hidden and foreign sheets with a remark', async () => {
    const { forgiven, lines } = await readRemarks(
      sheetFile(
        {
          学员: [
            ['姓名', '学号'],
            ['张三', '1'],
          ],
          人员: [['姓名'], ['甲']],
          分阻: [
            ['姓名', '学号'],
            ['丙', '3'],
          ],
        },
        { hidden: ['人员'] },
      ),
    );
    expect(lines).toHaveLength(1);
    expect(forgiven).toEqual([
      '人员 0 : 工作表“人员”是隐藏的，没有读取',
      '分阻 0 : 不认识的工作表“分阻”，是否应为“分组”，没有读取',
    ]);
  });

  it('uses stored formula results, and refuses cells without one', async () => {
    const { refused, forgiven, lines } = await readRemarks(
      sheetFile({
        学员: [
          ['姓名', '学号'],
          ['=LEFT("张三丰",2)|张三', '7'],
          ['=A1|', '8'],
          ['=A1|#REF!', '9'],
        ],
      }),
    );
    expect(lines).toEqual(['student 7: nickname=张三 number=7']);
    expect(forgiven).toEqual(['学员 2 姓名: 单元格是公式，已按保存的结果“张三”读取']);
    expect(refused).toEqual([
      '学员 3 姓名: 单元格是公式，文件中没有保存计算结果，请粘贴为数值',
      '学员 4 姓名: 单元格是错误值 #REF!',
    ]);
  });

  it('keeps integers of up to 15 digits, and refuses those that Excel rounded', async () => {
    const { refused, lines } = await readRemarks(
      sheetFile({
        学员: [
          ['姓名', '学号', '手机号'],
          ['张三', 20260001, 13800000001],
          ['李四', 330106199001010000, ''],
          ['王五', '3.30106E+17', ''],
        ],
      }),
    );
    expect(lines).toEqual(['student 20260001: nickname=张三 number=20260001 mobile=13800000001']);
    expect(refused).toEqual([
      '学员 3 学号: “330106199001010000”超过15位，Excel 已丢失后面的数字；请设为“文本”格式后重新填写',
      '学员 4 学号: “3.30106E+17”是科学计数法，后面的数字已经丢失；请把这一列设为“文本”格式，重新填写完整的数字',
    ]);
  });

  it('reads days from cells and text, and doubts or refuses invalid ones', async () => {
    const { refused, doubted, lines } = await readRemarks(
      sheetFile({
        进班: [
          ['班级', '学员', '加入日期', '离开日期'],
          ['B', '甲', { day: 46266 }],
          ['B', '乙', '2026/9/1'],
          ['B', '丙', '2026年9月1日'],
          ['B', '丁', '9月1日'],
          ['B', '戊', '', '2026-02-30'],
        ],
      }),
    );
    expect(lines.map((line) => /joined_at=\d+/.exec(line)?.[0])).toEqual([
      ...Array(3).fill('joined_at=1788192000'),
      undefined,
    ]);
    expect(doubted).toEqual(['进班 5 加入日期: “9月1日”不是日期，请写成 2026-09-01 的形式；这一格没有读取，请核对']);
    expect(refused).toEqual(['进班 6 离开日期: 没有“2026-02-30”这一天']);
  });

  it('reports missing, duplicate and unknown values by row with suggestions', async () => {
    const { refused } = await readRemarks(
      sheetFile({
        班级: [
          ['编号', '班级名称', '班主任'],
          ['1', '高一（4）班', ''],
          ['1', '高一（2）班', ''],
          ['', '高二（1）班', ''],
          ['', '高一（1）班', ''],
        ],
        学员: [
          ['编号', '姓名', '手机号'],
          ['', '张三', '13800000001'],
          ['', '张三', ''],
          ['', '张三', ''],
          ['9', '', ''],
          ['10', '', '1380000'],
        ],
        进班: [
          ['班级', '学员', '离开日期'],
          ['高中一（1）班', '9', ''],
          ['高二（1）班', '张三', ''],
          ['高一（1）班', '10', ''],
          ['高一（1）班', '13800000001', '清空'],
          ['高一（1）班', '13800000001', ''],
        ],
      }),
    );
    expect(refused).toEqual([
      '学员 5 姓名: “姓名”必须填写',
      '学员 6 姓名: “姓名”必须填写',
      '学员 4 : “张三”与第3行重复，请用编号区分',
      '学员 3 : 与第4行重复，请用编号区分',
      '班级 3 编号: “1”与第2行重复',
      '班级 2 编号: “1”与第3行重复',
      '进班 2 班级: “高中一（1）班”在工作表“班级”中没有，是否应为“高一（1）班”',
      '进班 2 学员: “9”在“学员”第5行，那一行有错误，请先改正',
      '进班 3 学员: 有多个“张三”，请写编号',
      '进班 4 学员: “10”在“学员”第6行，那一行有错误，请先改正',
      '进班 6 : 与第5行重复',
      '进班 5 : 与第6行重复',
    ]);
  });

  it('keeps stored values for empty cells, and clears on 清空', async () => {
    const { lines } = await readRemarks(students([['1', '张三', '清空', '']]));
    expect(lines).toEqual(['student 1: nickname=张三 number=null']);
  });

  it('imports only the kinds whose columns and rows are present', async () => {
    const reading = await upload(
      'a.xlsx',
      sheetFile({
        年级与分类: [
          ['类别', '名称'],
          ['年级', '高一'],
        ],
        班级: [
          ['班级名称', '课程'],
          ['甲班', ''],
        ],
        学员: [['姓名', '学号']],
      }),
    );
    expect([reading.mode, reading.kinds]).toEqual(['bulk', ['grade', 'class', 'class_course']]);
  });

  it('is refused without required headers', async () => {
    const bare = await upload(
      'a.xlsx',
      sheetFile({
        学员: [
          ['张三', '1'],
          ['李四', '2'],
        ],
        学校: [['学校名称'], ['东']],
      }),
    );
    expect([places(bare.refused), bare.kinds, lines(bare)]).toEqual([['学员 1'], [], []]);
    const missing = await upload(
      'a.xlsx',
      sheetFile({
        人员: [
          ['姓名', '身份'],
          ['张三', '讲师'],
        ],
        学校: [['学校名称'], ['东']],
      }),
    );
    expect(remarkLines(missing.refused)).toEqual(['人员 1 用户名: 缺少必需的列“用户名”']);
  });

  it('ignores our own reason columns when returned', async () => {
    const { forgiven, lines } = await readRemarks(
      students([['1', '张三', '7', '', '手机号不对']], ['编号', '姓名', '学号', '手机号', '原因']),
    );
    expect([lines.length, forgiven]).toEqual([1, []]);
  });

  it('reads a workbook named .xls, and refuses the old format and web pages with advice', async () => {
    const bytes = students([['1', '张三', '7', '']]);
    expect((await readRemarks(bytes, '学员.xls')).forgiven).toEqual([
      '学员.xls 0 : 文件扩展名是 .xls，内容是 .xlsx，已照常读取',
    ]);
    const old = new Uint8Array(2048);
    old.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    expect((await readRemarks(old, '学员.xls')).refused[0]).toContain('另存为');
    expect((await readRemarks(Buffer.from('<html><table></table></html>'), '学员.xls')).refused[0]).toContain(
      '这是网页',
    );
  });

  it('is refused when truncated, empty or too large', async () => {
    const bytes = students([['1', '张三', '7', '']]);
    expect((await readRemarks(bytes.subarray(0, bytes.length / 2))).refused).toEqual([
      '学员.xlsx 0 : 文件已损坏，可能没有传完，请重新上传',
    ]);
    expect((await readRemarks(new Uint8Array(0))).refused).toEqual(['学员.xlsx 0 : 文件是空的']);
    const large = keep('大.xlsx', 'PK');
    truncateSync(large.path, 300 * 2 ** 20);
    expect(remarkLines((await readUploadedFile(large)).refused)).toEqual([
      expect.stringContaining('大.xlsx 0 : 文件超过 64 MB'),
    ]);
  });

  it('is refused as a zip bomb before unpacking', async () => {
    const bomb = sheetFile({
      学员: [
        ['姓名', '学号'],
        ['a'.repeat(9 * 2 ** 20), '1'],
      ],
    });
    const { refused } = await readRemarks(bomb);
    expect(refused[0]).toContain('压缩得不合常理');
    expect(summariseReading(await upload('b.xlsx', bomb)).verdict).toBe('err');
  });
});
