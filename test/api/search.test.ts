import { beforeAll, expect, it } from 'vitest';
import { addExam } from '../support/exams.ts';
import { addLessons } from '../support/lessons.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';
import { addTeam } from '../support/team-lessons.ts';

onBothEngines('global search', (school) => {
  type Who = 'teacher' | 'assist' | 'otherTeacher' | 'otherAssist' | 'plainTeacher';
  const db = () => school().database.db;
  const find = async (who: Who, q: string, more = '') =>
    (
      await school()
        .as(who)
        .get(`search?q=${encodeURIComponent(q)}${more}`)
    ).body.data;
  const names = async (who: Who, kind: string, q: string, more?: string) => {
    const found = await find(who, q, more);
    return found[kind].list.map(
      (row: Record<string, string>) => row.nickname ?? row.name ?? row.title ?? row.stem_text,
    );
  };
  let qian: number;
  let shan: number;
  let foreign: number;
  let team: number;

  const rename = async (id: number, nickname: string, mobile: string) => {
    await db().updateTable('student').set({ nickname, mobile }).where('id', '=', id).execute();
  };

  beforeAll(async () => {
    const { students, classes } = school();
    [qian, shan] = students.k2 as [number, number];
    foreign = students.k3[0] as number;
    // The third class takes only the other lecturer's courses.
    await db()
      .deleteFrom('class_course')
      .where('class_id', '=', classes.k3)
      .where('course_id', '=', school().courses.shared)
      .execute();
    await rename(qian, '钱霖', '13800007788');
    await rename(shan, '单100%_\'"\\', '13800009911');
    await rename(foreign, '钱霖霖', '13811117788');
    const added = await addTeam(school(), { name: '钱塘团课', size: 1 });
    team = added.id;
    await rename(added.students[0] as number, '钱琳', '');
    await addLessons(school(), { type: 7, classes: [classes.k2], starts: [noon + day], title: '钱币史' });
    await school().addHomework({ name: '钱学森的故事', creator: 'teacher', classes: [classes.k1], ending: noon + day });
    await school().addHomework({
      name: '钱塘潮',
      creator: 'otherTeacher',
      course: school().courses.theirs,
      classes: [classes.k3],
      ending: noon + day,
    });
    const { people } = school();
    for (const [class_id, title] of [
      [classes.k1, '钱包失物招领'],
      [classes.k3, '钱包找到了'],
    ] as const) {
      await db()
        .insertInto('class_notice')
        .values({
          class_id,
          title,
          content: '<p>见标题</p>',
          staff_id: people.teacher.id,
          created_at: noon,
          updated_at: noon,
        })
        .execute();
    }
  });

  it('finds a student by name, initials, pinyin, number and mobile', async () => {
    for (const q of ['钱霖', 'ql', 'QL', 'qianlin', 'qianl', 'qlin', '13800007788', '7788', String(qian)]) {
      expect(await names('teacher', 'students', q), q).toContain('钱霖');
      expect(await names('teacher', 'students', q), q).not.toContain('钱霖霖');
    }
    const [hit] = (await find('teacher', 'qianl')).students.list;
    expect(hit).toMatchObject({ uid: qian, nickname: '钱霖', spelled: [0, 2], class_id: school().classes.k2 });
    expect((await find('teacher', '钱霖')).students.list[0].spelled).toBeNull();
    // Both readings of the character; three digits do not match a mobile's end.
    for (const q of ['shan', 'dan']) expect((await names('teacher', 'students', q))[0], q).toContain('单100');
    expect(await names('teacher', 'students', '788')).toEqual([]);
  });

  it('finds classes, courses, homework and exams by initials and pinyin, under their current name', async () => {
    const spelled = async (who: Who, kind: string, q: string) =>
      (await find(who, q))[kind].list.map((row: Record<string, unknown>) => [row.name ?? row.title, row.spelled]);
    for (const q of ['qbs', 'qianbishi', 'QBshi', 'qian bi']) {
      const whole = q === 'qian bi' ? 2 : 3;
      expect(await spelled('teacher', 'courses', q), q).toEqual([['钱币史', [0, whole]]]);
    }
    expect(await spelled('teacher', 'homework', 'qxsdgs')).toEqual([['钱学森的故事', [0, 6]]]);
    expect(await spelled('teacher', 'homework', 'gushi')).toEqual([['钱学森的故事', [4, 6]]]);
    expect(await spelled('assist', 'classes', 'qttk')).toEqual([['钱塘团课', [0, 4]]]);
    // A literal match shows no pinyin; pinyin never finds unseen records.
    expect(await spelled('teacher', 'homework', '学森')).toEqual([['钱学森的故事', null]]);
    expect([await spelled('teacher', 'homework', 'qtc'), await spelled('teacher', 'classes', 'qttk')]).toEqual([
      [],
      [],
    ]);
    expect(await spelled('otherAssist', 'homework', 'qtc')).toEqual([['钱塘潮', [0, 3]]]);

    const { id } = await db().selectFrom('course').select('id').where('title', '=', '钱币史').executeTakeFirstOrThrow();
    const { people } = school();
    const exam = await addExam(db(), { creator: people.teacher.id, school: 1, name: '期中Unit 3测验' });
    expect(await spelled('teacher', 'exams', 'qz')).toEqual([['期中Unit 3测验', [0, 2]]]);
    expect(await spelled('teacher', 'exams', 'unit')).toEqual([['期中Unit 3测验', null]]);
    for (const [table, name] of [
      ['course', 'title'],
      ['exam', 'name'],
    ] as const) {
      await db()
        .updateTable(table)
        .set({ [name]: '重庆' })
        .where('id', '=', table === 'course' ? id : exam.id)
        .execute();
    }
    for (const q of ['cq', 'zhongqing']) {
      expect(await spelled('teacher', 'courses', q), q).toEqual([['重庆', [0, 2]]]);
      expect(await spelled('teacher', 'exams', q), q).toEqual([['重庆', [0, 2]]]);
    }
    expect(await spelled('teacher', 'courses', 'qbs')).toEqual([]);
    await db().updateTable('course').set({ title: '钱币史' }).where('id', '=', id).execute();
  });

  it('pages pinyin matches', async () => {
    const { classes } = school();
    for (let number = 1; number <= 7; number += 1) {
      await school().addHomework({ name: `晚自习${number}`, creator: 'teacher', classes: [classes.k1] });
    }
    const all = await find('teacher', 'wzx');
    expect([all.homework.total, all.homework.list.length]).toEqual([7, 5]);
    const second = await find('teacher', 'wzx', '&kind=homework&page=2&limit=5');
    expect(second.homework.list.map(({ name }: { name: string }) => name)).toEqual(['晚自习2', '晚自习1']);
  });

  it('follows a rename', async () => {
    await rename(qian, '赵敏', '13800007788');
    expect([await names('teacher', 'students', 'zm'), await names('teacher', 'students', 'ql')]).toEqual([
      ['赵敏'],
      [],
    ]);
    await rename(qian, '钱霖', '13800007788');
    expect(await names('teacher', 'students', 'ql')).toEqual(['钱霖']);
  });

  it('hides what the person does not see elsewhere', async () => {
    const showFound = async (who: Who) => {
      const found = await find(who, '钱');
      return Object.fromEntries(
        Object.entries<{ list: Record<string, string>[] }>(found).map(([kind, { list }]) => [
          kind,
          list.map((row) => row.nickname ?? row.name ?? row.title),
        ]),
      );
    };
    expect(await showFound('teacher')).toMatchObject({
      students: ['钱霖'],
      classes: [],
      courses: ['钱币史'],
      homework: ['钱学森的故事'],
      notices: ['钱包失物招领'],
    });
    // Assistants have group classes too.
    expect(await showFound('assist')).toMatchObject({
      students: ['钱霖', '钱琳'],
      classes: ['钱塘团课'],
      homework: ['钱学森的故事'],
      notices: ['钱包失物招领'],
    });
    expect((await find('assist', '钱塘')).classes.list).toMatchObject([{ id: team, class_type: 3, students: 1 }]);
    const others = await showFound('otherAssist');
    expect([others.students, others.homework, others.notices]).toEqual([['钱霖霖'], ['钱塘潮'], ['钱包找到了']]);
    expect((await school().as('teacher').get('search?q=钱')).status).toBe(200);
    expect((await school().ask('/api/lector/search?q=1', { method: 'GET' })).status).toBe(401);
  });

  it('takes every character literally, at any length', async () => {
    for (const q of ['%', '_', "'", '"', '\\', '100%', '_\'"']) {
      expect(await names('teacher', 'students', q), q).toEqual(['单100%_\'"\\']);
      expect((await find('teacher', q)).homework.total, q).toBe(0);
    }
    const { students, homework } = await find('teacher', '');
    expect([students.total, homework.total]).toEqual([0, 0]);
    for (const q of ['长'.repeat(100), 'x'.repeat(100), '😀', '   ', '99999999999', 'a\u0000b', '(', 'NEAR(', '*']) {
      expect((await find('teacher', q)).students.list, q).toEqual([]);
    }
    expect(await names('teacher', 'students', `钱霖${' '.repeat(3)}`)).toEqual(['钱霖']);
  });

  it('pages one kind, and counts the others', async () => {
    const all = await find('teacher', '学生');
    expect(all.students).toMatchObject({ page: 1, limit: 5 });
    expect(all.students.list.length).toBe(5);
    const second = await find('teacher', '学生', '&kind=students&page=2&limit=5');
    expect(second.students).toMatchObject({ page: 2, total: all.students.total });
    expect(second.students.list[0]).not.toEqual(all.students.list[0]);
    expect(second.homework.total).toBe(all.homework.total);
  });

  it('finds own and public questions, where they may be used', async () => {
    const { people } = school();
    const question = (owner: Who, stem_text: string, is_public: 0 | 1) =>
      db()
        .insertInto('question')
        .values({
          owner_id: people[owner].id,
          is_public,
          ques_type: 1,
          ques_stem: `<p>${stem_text}</p>`,
          stem_text,
          ques_option: '[]',
          right_answer: '1',
          ques_analysis: '',
          facility_value: 3,
          updated_at: noon,
          created_at: noon,
        } as never)
        .execute();
    await question('teacher', '钱塘江在哪里？', 0);
    await question('otherTeacher', '钱塘江的潮水', 0);
    await question('otherTeacher', '钱塘江有多长？', 1);
    expect(await names('teacher', 'questions', '钱塘江')).toEqual(['钱塘江在哪里？']);
    expect(await names('teacher', 'publicQuestions', '钱塘江')).toEqual(['钱塘江有多长？']);
    await question('teacher', '钱塘江宽 $x^2$ 米', 0);
    const stems = (await find('teacher', '钱塘江')).questions.list.map(({ stem }: { stem: string }) => stem);
    expect(stems).toEqual([expect.stringContaining('<math'), '']);
    const without = await find('plainTeacher', '钱塘江');
    expect([without.questions.total, without.publicQuestions.total]).toEqual([0, 0]);
  });
});
