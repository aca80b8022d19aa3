import { describe, expect, it } from 'vitest';
import { summariseReading } from '#server/import/formats/reading-summary.ts';
import {
  lines,
  places,
  type Roster,
  remarkLines,
  rosterTexts,
  smallRoster,
  uploader,
  zipOf,
} from '../support/import-files.ts';

const upload = uploader();
const packageOf = (roster: Roster, mode?: 'bulk' | 'delta') => zipOf(rosterTexts(roster, mode));

/** A file of the package written otherwise. */
const rewritten = (file: string, change: (text: string) => string): Uint8Array => {
  const texts = rosterTexts(smallRoster());
  return zipOf({ ...texts, [file]: change(texts[file] ?? '') });
};
const eachLine = (text: string, change: (line: string, at: number) => string) =>
  text.replace(
    /[^\r\n]+/g,
    (() => {
      let at = -1;
      return (line: string) => {
        at += 1;
        return change(line, at);
      };
    })(),
  );

describe('odd OneRoster package', () => {
  const odd: [string, Uint8Array, tolerantly: string[], strictly: string[]][] = [
    [
      'whose cells are parted by semicolons',
      rewritten('users.csv', (text) => text.replaceAll(',', ';')),
      ['warn', 'users.csv 1 : 各列以分号分隔，应为逗号，已照常读取'],
      ['err', 'users.csv 1 : 各列以分号分隔，应为逗号'],
    ],
    [
      'whose columns have one name twice',
      rewritten('users.csv', (text) => text.replace('pronouns', 'givenName')),
      ['err', 'users.csv 1 givenName: 列“givenName”出现了两次（第7列和第22列）'],
      ['err', 'users.csv 1 pronouns: 缺少列“pronouns”'],
    ],
    [
      'with commas behind every line',
      rewritten('users.csv', (text) => eachLine(text, (line) => `${line},,`)),
      ['warn', 'users.csv 1 : 标题行末尾有空的列，没有读取'],
      ['err', 'users.csv 1 : “”不是此文件的列；另加的列应以 metadata. 开头，放在最右'],
    ],
    [
      'with a line of nothing but commas',
      rewritten('users.csv', (text) => `${text},,,,\n`),
      ['warn', 'users.csv 7 : 这一行是空的，没有读取'],
      ['err', 'users.csv 7 : 这一行是空的'],
    ],
    [
      'with a column of another system between its own',
      rewritten('orgs.csv', (text) =>
        eachLine(text, (line, at) => line.replace(/^([^,]*),/, at ? '$1,x,' : '$1,metadata.x,')),
      ),
      ['warn', 'orgs.csv 1 : 列的顺序与标准不同，已按列名读取'],
      ['err', 'orgs.csv 1 status: 列“status”应为第2列'],
    ],
    [
      'with a space behind an id',
      rewritten('orgs.csv', (text) => text.replace('o-1,', 'o-1 ,')),
      ['warn', 'orgs.csv 2 sourcedId: “o-1”前后有空格，已按“o-1”读取'],
      ['err', 'orgs.csv 2 sourcedId: “o-1”前后有空格'],
    ],
    [
      'whose manifest says two things of one file',
      rewritten('manifest.csv', (text) => `${text}file.users,absent\n`),
      ['err', 'manifest.csv 25 file.users: “file.users”在第24行已写过“bulk”，这里是“absent”'],
      ['err', 'manifest.csv 25 file.users: “file.users”在第24行已写过“bulk”，这里是“absent”'],
    ],
    [
      'that lies packed in another archive',
      zipOf({ '名册.zip': zipOf(rosterTexts(smallRoster())) }),
      ['err', 'a.zip 0 : 压缩包里还是一个压缩包（“名册.zip”），请解压后上传里面的那一个'],
      ['err', 'a.zip 0 : 压缩包里还是一个压缩包（“名册.zip”），请解压后上传里面的那一个'],
    ],
    [
      'with one file twice',
      zipOf({ ...rosterTexts(smallRoster()), 'Users.csv': 'sourcedId\n' }),
      ['err', 'a.zip 0 : 文件里有两个部分的名称相同（不分大小写），分不清以哪一个为准，已拒绝'],
      ['err', 'a.zip 0 : 文件里有两个部分的名称相同（不分大小写），分不清以哪一个为准，已拒绝'],
    ],
  ];
  it.each(odd)('is handled: %s', async (_, bytes, tolerantly, strictly) => {
    for (const [strict, expected] of [
      [false, tolerantly],
      [true, strictly],
    ] as const) {
      const reading = await upload('a.zip', bytes, { strict });
      const told = remarkLines([...reading.refused, ...reading.forgiven]);
      expect([summariseReading(reading).verdict, told[0]]).toEqual(expected);
    }
  });
});

describe('OneRoster package', () => {
  it('becomes schools, terms, people, courses, classes and enrolments', async () => {
    const reading = await upload('a.zip', packageOf(smallRoster()));
    expect([summariseReading(reading).verdict, reading.mode]).toEqual(['ok', 'bulk']);
    expect(reading.kinds).toEqual([
      'school',
      'term',
      'staff',
      'student',
      'course',
      'class',
      'class_course',
      'class_staff',
      'membership',
    ]);
    expect(lines(reading)).toEqual([
      'school o-1: name=春风网校',
      'term yr-1: name=2026学年 type=schoolYear first_day=2026-09-01 last_day=2027-07-14 parent_id=null',
      'term tm-1: name=上学期 type=term first_day=2026-09-01 last_day=2027-01-19 parent_id=term:yr-1',
      'grade 10: name=高一',
      'subject 数学: name=数学',
      'staff t-1: identity=teacher username=chen.laoshi real_name=陈一诺 mobile=13900000001 school_id=school:o-1',
      'staff a-1: identity=assist username=lin.zhujiao real_name=林小雨 school_id=school:o-1',
      'student s-1: nickname=赵子轩 number=2026001 school_id=school:o-1',
      'student s-2: nickname=司马思远 number=2026002 school_id=school:o-1',
      'student s-3: nickname=Anna Smith school_id=school:o-1',
      'course c-1: title=高一数学 school_id=school:o-1 grade_id=grade:10 subject_id=subject:数学',
      'class k-1: name=高一（1）班 school_id=school:o-1 grade_id=grade:10 term_ids=[term:tm-1]',
      'class k-3: name=数学竞赛 school_id=school:o-1 grade_id=null term_ids=[term:tm-1 term:yr-1]',
      'class_course k-2: class_id=class:k-1 course_id=course:c-1',
      'class_course k-3/c-1: class_id=class:k-3 course_id=course:c-1',
      'class_staff e-1: class_id=class:k-1 staff_id=staff:t-1 duty=head',
      'class_staff e-2: class_id=class:k-1 staff_id=staff:a-1 duty=assistant',
      'membership e-3: class_id=class:k-1 student_id=student:s-1 joined_at=1788192000 left_at=1793462400',
      'membership e-4: class_id=class:k-1 student_id=student:s-2',
      'membership e-7: class_id=class:k-3 student_id=student:s-3',
    ]);
    // The second run gives the same records, each with its position in the file.
    expect([...reading.intended].at(-1)?.place).toEqual({ file: 'enrollments.csv', row: 8 });
    expect(lines(reading)).toHaveLength(20);
  });

  it('gives the same result for any row order', async () => {
    const turned = Object.fromEntries(Object.entries(smallRoster()).map(([file, rows]) => [file, [...rows].reverse()]));
    const [one, other] = [await upload('a.zip', packageOf(smallRoster())), await upload('b.zip', packageOf(turned))];
    expect(lines(other).sort()).toEqual(lines(one).sort());
  });

  it('of deltas lists departures, and looks up others', async () => {
    const { users = [], enrollments = [] } = smallRoster();
    const roster: Roster = {
      users: users.slice(2, 4),
      enrollments: [{ ...enrollments[2], status: 'tobedeleted' }],
    };
    const reading = await upload('d.zip', packageOf(roster, 'delta'), {
      known: async () => (kind, id) => kind === 'student' && id === 's-1',
    });
    expect([reading.mode, reading.kinds]).toEqual(['delta', ['staff', 'student', 'class_staff', 'membership']]);
    expect(lines(reading)).toEqual([
      'student s-1: nickname=赵子轩 number=2026001',
      'membership e-3 gone: class_id=class:k-1 student_id=student:s-1 joined_at=1788192000 left_at=1793462400',
    ]);
    expect(remarkLines(reading.doubted)).toEqual([
      'users.csv 3 sourcedId: “s-2”没有角色，不知道是讲师、助教还是学员，没有导入',
    ]);
  });

  it('marks disabled users', async () => {
    const roster = smallRoster();
    Object.assign(roster.users?.[2] ?? {}, { enabledUser: 'false' });
    expect(lines(await upload('a.zip', packageOf(roster)))).toContain(
      'student s-1 gone: nickname=赵子轩 number=2026001 school_id=school:o-1',
    );
  });
});

type Change = (roster: Roster) => Roster | undefined;
type TextChange = (files: Record<string, string>) => Record<string, string | Uint8Array> | undefined;

const inRow =
  (file: keyof Roster, index: number, values: Record<string, string>): Change =>
  (roster) => {
    Object.assign(roster[file]?.[index] ?? {}, values);
    return roster;
  };
const replaced =
  (file: string, from: string | RegExp, to: string): TextChange =>
  (files) => ({ ...files, [file]: (files[file] ?? '').replace(from, to) });

interface Case {
  what: string;
  change?: Change;
  text?: TextChange;
  mode?: 'delta';
  /** Place of the error in strict mode. */
  strict: string[];
  /** Place of the error in lenient mode; undefined: accepted. */
  refused?: string[];
  /** Remarks in lenient mode; undefined: none. */
  told?: (string | RegExp)[];
}

const cases: Case[] = [
  // Faults that the lenient mode forgives.
  {
    what: 'TRUE',
    change: inRow('users', 0, { enabledUser: 'TRUE' }),
    strict: ['users.csv 2 enabledUser'],
    told: ['users.csv 2 enabledUser: “TRUE”已按 true 读取'],
  },
  {
    what: '1 for true',
    change: inRow('users', 1, { enabledUser: '1' }),
    strict: ['users.csv 3 enabledUser'],
    told: [/“1”已按 true 读取/],
  },
  {
    what: 'Scheduled',
    change: inRow('classes', 1, { classType: 'Scheduled' }),
    strict: ['classes.csv 3 classType'],
    told: [/“Scheduled”已按 scheduled 读取/],
  },
  {
    what: 'a day as Excel writes it',
    change: inRow('academicSessions', 0, { startDate: '2026/9/1' }),
    strict: ['academicSessions.csv 2 startDate'],
    told: [/“2026\/9\/1”已按 2026-09-01 读取/],
  },
  {
    what: 'a Chinese day',
    change: inRow('academicSessions', 1, { endDate: '2027年1月20日' }),
    strict: ['academicSessions.csv 3 endDate'],
    told: [/已按 2027-01-20 读取/],
  },
  {
    what: 'a day of full width',
    change: inRow('academicSessions', 1, { endDate: '２０２７－０１－２０' }),
    strict: ['academicSessions.csv 3 endDate'],
    told: [/已按 2027-01-20 读取/],
  },
  {
    what: 'digits of full width',
    change: inRow('academicSessions', 0, { schoolYear: '２０２７' }),
    strict: ['academicSessions.csv 2 schoolYear'],
    told: [/“２０２７”已按 2027 读取/],
  },
  {
    what: 'a day with its time',
    change: inRow('academicSessions', 0, { startDate: '2026-09-01T00:00:00Z' }),
    strict: ['academicSessions.csv 2 startDate'],
    told: [/已按 2026-09-01 读取/],
  },
  {
    what: 'the 13th in the order of others',
    change: inRow('academicSessions', 0, { startDate: '13/08/2026' }),
    strict: ['academicSessions.csv 2 startDate'],
    told: [/已按 2026-08-13 读取/],
  },
  {
    what: 'a mark at the beginning',
    text: replaced('users.csv', /^/, '\ufeff'),
    strict: [],
    told: ['users.csv 0 : 文件开头有 BOM 标记，已忽略'],
  },
  {
    what: 'UTF-16',
    text: (files) => ({ ...files, 'users.csv': Buffer.from(`\ufeff${files['users.csv']}`, 'utf16le') }),
    strict: ['users.csv 1'],
    told: [/BOM/, /utf-16le/],
  },
  {
    what: 'a folder in the archive',
    text: (files) => Object.fromEntries(Object.entries(files).map(([name, text]) => [`导出/${name}`, text])),
    strict: ['manifest.csv 0'],
    told: [/文件夹/],
  },
  {
    what: 'what macOS adds',
    text: (files) => ({ ...files, '__MACOSX/._users.csv': 'x', '.DS_Store': 'x' }),
    strict: [],
  },
  {
    what: 'a file of another name',
    text: (files) => ({ ...files, 'user.csv': 'a\nb\n' }),
    strict: ['user.csv 0'],
    told: [/是否应为 users.csv/],
  },
  {
    what: 'a name in small letters',
    text: ({ 'academicSessions.csv': text = '', ...files }) => ({ ...files, 'academicsessions.csv': text }),
    strict: ['academicsessions.csv 0'],
    told: [/文件名应为 academicSessions.csv/],
  },
  {
    what: 'a column of another system',
    text: (files) => ({
      ...files,
      'orgs.csv': (files['orgs.csv'] ?? '').replace(/\n/g, ',x\n').replace(',x\n', ',metadata.code\n'),
    }),
    strict: [],
  },
  {
    what: 'a column that nobody knows',
    text: (files) => ({
      ...files,
      'orgs.csv': (files['orgs.csv'] ?? '').replace(/\n/g, ',x\n').replace(',x\n', ',fax\n'),
    }),
    strict: ['orgs.csv 1 fax'],
    told: [/不认识的列“fax”/],
  },
  {
    what: 'a column of which a letter is missing',
    text: replaced('roles.csv', 'dateLastModified', 'dataLastModified'),
    strict: ['roles.csv 1 dateLastModified'],
    told: [/“dataLastModified”已按“dateLastModified”读取/],
  },
  {
    what: 'an optional column missing',
    text: (files) => ({ ...files, 'orgs.csv': (files['orgs.csv'] ?? '').replace(/,[^,\n]*\n/g, '\n') }),
    strict: ['orgs.csv 1 parentSourcedId'],
    told: [/缺少列“parentSourcedId”/],
  },
  {
    what: 'a withdrawn column',
    text: (files) => ({ ...files, 'users.csv': withColumn(files['users.csv'] ?? '', 'resourceSourcedIds', 17) }),
    strict: [
      'users.csv 1 preferredFamilyName',
      'users.csv 1 preferredGivenName',
      'users.csv 1 preferredMiddleName',
      'users.csv 1 primaryOrgSourcedId',
      'users.csv 1 pronouns',
      'users.csv 1 pronouns',
    ],
    told: [/在 1.2.1 中已取消/],
  },
  {
    what: 'a status in a whole list',
    change: inRow('users', 0, { status: 'active' }),
    strict: ['users.csv 2 status'],
    told: [/“status”应为空/],
  },
  {
    what: 'a change without its day',
    change: inRow('users', 0, { dateLastModified: '' }),
    mode: 'delta',
    strict: ['users.csv 2 dateLastModified'],
    told: [/“dateLastModified”必须填写/],
  },
  {
    what: 'a change without its status',
    change: inRow('users', 0, { status: '' }),
    mode: 'delta',
    strict: ['users.csv 2 status'],
    told: [/已按 active 读取/],
  },
  {
    what: 'the status of version 1.1',
    change: inRow('enrollments', 6, { status: 'inactive' }),
    mode: 'delta',
    strict: ['enrollments.csv 8 status'],
    told: [/已按 tobedeleted 读取/],
  },
  {
    what: 'codes that are fewer than their subjects',
    change: inRow('courses', 0, { subjects: '数学,物理', subjectCodes: 'MA' }),
    strict: ['courses.csv 2 subjectCodes'],
    told: [/个数不同/],
  },
  {
    what: 'a line break in a cell',
    change: inRow('orgs', 0, { name: '春风\n网校' }),
    strict: ['orgs.csv 2'],
    told: [/换行/],
  },
  {
    what: 'a version of before',
    text: replaced('manifest.csv', 'oneroster.version,1.2', 'oneroster.version,1.1'),
    strict: ['manifest.csv 3 oneroster.version'],
    told: [/已按 1.2 读取/],
  },
  {
    what: 'a manifest with an empty cell',
    text: replaced('manifest.csv', 'file.results,absent', 'file.results,'),
    strict: ['manifest.csv 18 file.results'],
    told: [/没有填写/],
  },
  {
    what: 'a file that the manifest does not have',
    text: replaced('manifest.csv', 'file.orgs,bulk', 'file.orgs,absent'),
    strict: ['orgs.csv 0'],
    told: [/没有列出/],
  },
  {
    what: 'a Chinese id',
    change: inRow('enrollments', 3, { sourcedId: '选课四' }),
    strict: ['enrollments.csv 5 sourcedId'],
    told: [/标准不允许的字符/],
  },
  {
    what: 'an end before its beginning',
    change: inRow('academicSessions', 1, { endDate: '2026-08-01' }),
    strict: [],
    told: [/早于开始日期/],
  },
  { what: 'a parent', change: inRow('roles', 1, { role: 'parent' }), strict: [], told: [/“家长”在这里没有对应的身份/] },
  // Rows that both modes refuse.
  {
    what: 'a number in scientific notation',
    change: inRow('users', 2, { identifier: '2.026E+11' }),
    strict: ['users.csv 4 identifier'],
    refused: ['enrollments.csv 4 userSourcedId', 'users.csv 4 identifier'],
  },
  {
    what: 'a day that nobody can tell',
    change: inRow('academicSessions', 0, { startDate: '1/5/2026' }),
    strict: ['academicSessions.csv 2 startDate'],
    refused: ['academicSessions.csv 2 startDate'],
  },
  {
    what: 'the 30th of February',
    change: inRow('academicSessions', 0, { startDate: '2026-02-30' }),
    strict: ['academicSessions.csv 2 startDate'],
    refused: ['academicSessions.csv 2 startDate'],
  },
  {
    what: 'a name missing',
    change: inRow('users', 3, { givenName: '' }),
    strict: ['users.csv 5 givenName'],
    refused: ['enrollments.csv 5 userSourcedId', 'users.csv 5 givenName'],
  },
  {
    what: 'two of one id',
    change: inRow('roles', 4, { sourcedId: 'r-4' }),
    strict: ['roles.csv 6 sourcedId'],
    refused: ['roles.csv 5 sourcedId', 'roles.csv 6 sourcedId'],
  },
  {
    what: 'a class of nowhere',
    change: inRow('enrollments', 6, { classSourcedId: 'k-9' }),
    strict: ['enrollments.csv 8 classSourcedId'],
    refused: ['enrollments.csv 8 classSourcedId'],
  },
  {
    what: 'one term of two that is not there',
    change: inRow('classes', 2, { termSourcedIds: 'tm-1,tm-9' }),
    strict: ['classes.csv 4 termSourcedIds'],
    refused: ['classes.csv 4 termSourcedIds', 'enrollments.csv 8 classSourcedId'],
  },
  {
    what: 'a course that is not there',
    change: inRow('classes', 2, { courseSourcedId: 'c-9' }),
    strict: ['classes.csv 4 courseSourcedId'],
    refused: ['classes.csv 4 courseSourcedId', 'enrollments.csv 8 classSourcedId'],
  },
  {
    what: 'a school above that is not there',
    change: inRow('orgs', 1, { parentSourcedId: 'o-9' }),
    strict: ['orgs.csv 3 parentSourcedId'],
    refused: ['orgs.csv 3 parentSourcedId'],
  },
  {
    what: 'two primary roles',
    change: inRow('roles', 1, { userSourcedId: 't-1', orgSourcedId: 'o-2' }),
    strict: ['roles.csv 3 roleType'],
    refused: ['roles.csv 3 roleType'],
    told: [/“a-1”没有角色/],
  },
  {
    what: 'a role that there is not',
    change: inRow('roles', 0, { role: '讲师' }),
    strict: ['roles.csv 2 role'],
    refused: ['roles.csv 2 role'],
    told: [/“t-1”没有角色/],
  },
  {
    what: 'a type that there is not',
    change: inRow('orgs', 0, { type: 'campus' }),
    strict: ['orgs.csv 2 type'],
    refused: ['orgs.csv 2 type'],
  },
  {
    what: 'a status that there is not',
    change: inRow('users', 0, { status: 'deleted' }),
    mode: 'delta',
    strict: ['users.csv 2 status'],
    refused: ['enrollments.csv 2 userSourcedId', 'users.csv 2 status'],
  },
  {
    what: 'an id that is too long',
    change: inRow('enrollments', 6, { sourcedId: 'x'.repeat(256) }),
    strict: ['enrollments.csv 8 sourcedId'],
    refused: ['enrollments.csv 8 sourcedId'],
  },
  {
    what: 'a row with a cell too few',
    text: replaced('roles.csv', ',,o-1,\n', ',,o-1\n'),
    strict: ['roles.csv 3'],
    refused: ['roles.csv 3'],
    told: [/“a-1”没有角色/],
  },
  {
    what: 'a row with a cell too many',
    text: replaced('roles.csv', ',,o-1,\n', ',,o-1,,x\n'),
    strict: ['roles.csv 3'],
    refused: ['roles.csv 3'],
    told: [/“a-1”没有角色/],
  },
  // Faults for which the whole package is refused.
  {
    what: 'a column missing that has to be',
    text: (files) => ({ ...files, 'orgs.csv': (files['orgs.csv'] ?? '').replace(',name,', ',label,') }),
    strict: ['orgs.csv 1 label', 'orgs.csv 1 name'].slice(1),
    refused: ['orgs.csv 1 name'],
    told: [/label/],
  },
  {
    what: 'no manifest',
    text: ({ 'manifest.csv': _, ...files }) => files,
    strict: ['manifest.csv 0'],
    refused: ['manifest.csv 0'],
  },
  {
    what: 'no file that the manifest has',
    text: ({ 'roles.csv': _, ...files }) => files,
    strict: ['roles.csv 0'],
    refused: ['roles.csv 0'],
  },
  {
    what: 'no rows',
    text: (files) => ({ ...files, 'orgs.csv': `${(files['orgs.csv'] ?? '').split('\n')[0]}\n` }),
    strict: ['orgs.csv 1'],
    refused: ['orgs.csv 1'],
  },
  { what: 'nothing', text: (files) => ({ ...files, 'orgs.csv': '' }), strict: ['orgs.csv 1'], refused: ['orgs.csv 1'] },
  {
    what: 'a file that is cut off within quotes',
    text: (files) => ({
      ...files,
      'classes.csv': (files['classes.csv'] ?? '').replace(/"tm-1,yr-1".*$/s, '"tm-1,yr'),
    }),
    strict: ['classes.csv 4'],
    refused: ['classes.csv 4'],
  },
  {
    what: 'a picture',
    text: (files) => ({ ...files, 'orgs.csv': new Uint8Array([0x89, 0x50, 0, 0]) }),
    strict: ['orgs.csv 1'],
    refused: ['orgs.csv 1'],
  },
  {
    what: 'a mode that there is not',
    text: replaced('manifest.csv', 'file.orgs,bulk', 'file.orgs,full'),
    strict: ['manifest.csv 15 file.orgs'],
    refused: ['manifest.csv 15 file.orgs'],
  },
  {
    what: 'an archive in which only a picture is',
    text: () => ({ 'a.png': 'x' }),
    strict: ['p.zip 0'],
    refused: ['p.zip 0'],
  },
];

function withColumn(text: string, name: string, at: number): string {
  return text
    .split('\n')
    .map((row, index) => {
      if (row === '') return row;
      const cells = row.split(',');
      cells.splice(at, 0, index === 0 ? name : '');
      return cells.join(',');
    })
    .join('\n');
}

describe('real school packages', () => {
  it.each(cases)('are handled: $what', async ({ change, text, mode, strict, refused = [], told = [] }) => {
    const roster = smallRoster();
    const texts = rosterTexts(change?.(roster) ?? roster, mode);
    const bytes = zipOf(text?.(texts) ?? texts);
    expect(places((await upload('p.zip', bytes, { strict: true })).refused)).toEqual([...strict].sort());
    const reading = await upload('p.zip', bytes);
    expect(places(reading.refused)).toEqual(refused);
    const remarks = remarkLines([...reading.forgiven, ...reading.doubted]);
    for (const one of told) expect(remarks.join('\n')).toMatch(typeof one === 'string' ? one : one);
    if (told.length === 0 && refused.length === 0) expect(remarks).toEqual([]);
  });

  it('report twenty equal remarks with a total', async () => {
    const roster = smallRoster();
    roster.users = roster.users?.concat(
      Array.from({ length: 50 }, (_, index) => ({
        sourcedId: `x-${index}`,
        enabledUser: 'TRUE',
        username: `x${index}`,
        givenName: '同',
        familyName: '学',
      })),
    );
    const { forgiven } = await upload('p.zip', packageOf(roster));
    expect(forgiven).toHaveLength(21);
    expect(forgiven.at(-1)?.message).toContain('同类共50处');
  });

  it('are refused completely for one unreadable file', async () => {
    const texts = rosterTexts(smallRoster());
    const reading = await upload('p.zip', zipOf({ ...texts, 'users.csv': '' }));
    expect([lines(reading), reading.kinds]).toEqual([[], []]);
  });
});

describe('strict OneRoster reading', () => {
  const strictly = async (roster: Roster, change: (texts: Record<string, string>) => void = () => undefined) => {
    const texts = rosterTexts(roster);
    change(texts);
    const bytes = zipOf(texts);
    const [strict, tolerant] = [await upload('名册.zip', bytes, { strict: true }), await upload('名册.zip', bytes)];
    return {
      strict: remarkLines(strict.refused),
      tolerant: remarkLines(tolerant.refused),
      forgiven: remarkLines(tolerant.forgiven),
    };
  };

  it('requires each file in the manifest', async () => {
    const told = await strictly(smallRoster(), (texts) => {
      texts['manifest.csv'] = texts['manifest.csv']?.replace('file.userProfiles,absent\n', '') ?? '';
    });
    expect(told).toEqual({
      strict: ['manifest.csv 0 file.userProfiles: manifest.csv 缺少 file.userProfiles'],
      tolerant: [],
      forgiven: ['manifest.csv 0 : manifest.csv 没有列出 file.userProfiles，已按 absent 读取'],
    });
  });

  it.each([
    ['classes', 'classes.csv 2'],
    ['enrollments', 'enrollments.csv 2'],
  ] as const)('requires a school in %s', async (file, place) => {
    const roster = smallRoster();
    const [first, ...others] = roster[file] ?? [];
    const told = await strictly({ ...roster, [file]: [{ ...first, schoolSourcedId: 'o-2' }, ...others] });
    expect(told.strict).toEqual([`${place} schoolSourcedId: “o-2”在 orgs.csv 中的类型是 department，应为 school`]);
    expect(told.tolerant).toEqual([]);
  });

  it('requires a role in the primary organisation', async () => {
    const roster = smallRoster();
    const [first, ...others] = roster.users ?? [];
    const told = await strictly({ ...roster, users: [{ ...first, primaryOrgSourcedId: 'o-1' }, ...others] });
    expect(told.strict).toEqual(['users.csv 2 primaryOrgSourcedId: “t-1”在主要组织“o-1”中没有角色']);
    expect(told.tolerant).toEqual([]);
  });

  it('accepts an empty delta', async () => {
    expect(await strictly({})).toEqual({ strict: [], tolerant: [], forgiven: [] });
    const nothing = await strictly({}, (texts) => {
      texts['manifest.csv'] = 'propertyName,value\nmanifest.version,1.0\noneroster.version,1.2\n';
    });
    expect(nothing.tolerant).toEqual(['manifest.csv 0 : 压缩包里没有任何数据文件']);
  });
});
