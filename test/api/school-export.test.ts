import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { summariseReading } from '#server/import/formats/reading-summary.ts';
import { addBoundAdmin } from '../support/bound-admin.ts';
import { addExam, submitExamReport } from '../support/exams.ts';
import { importCalls } from '../support/import-calls.ts';
import { lines, uploader } from '../support/import-files.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';
import { addLesson, addTeam } from '../support/team-lessons.ts';
import { bytesOf, waitForFile } from '../support/wait-for-file.ts';

const upload = uploader();

/** CSV rows of a package file by column name. */
const rowsOf = (bytes: Uint8Array) => (file: string) => {
  const text = Buffer.from(unzipSync(bytes)[`${file}.csv`] ?? new Uint8Array()).toString();
  const [names = [], ...rows] = text
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain),
    );
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
};
const clean = { verdict: 'ok', faults: [], forgiven: [] };

onBothEngines('school export', (opened) => {
  const school = () => opened();
  const fetchFile = (path: string) => {
    const headers = { authorization: `Bearer ${school().people.admin.token}` };
    return school().api.fetch(new Request(`http://school.test${path}`, { headers }));
  };
  const exportFile = async (form: string): Promise<Uint8Array> => {
    const { status, body } = await school().as('admin').post('import/export', { form });
    expect(status).toBe(200);
    return bytesOf(await waitForFile(() => fetchFile(body.data.url)));
  };

  it('as a workbook reads back without errors, with every record', async () => {
    const team = await addTeam(school(), { name: '数学团课' });
    await addLesson(school(), { team });
    const reading = await upload('学校.xlsx', await exportFile('workbook'));
    expect(summariseReading(reading)).toEqual(clean);
    const { count } = await school()
      .database.db.selectFrom('student')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('disabled_at', 'is', null)
      .executeTakeFirstOrThrow();
    expect(lines(reading).filter((line) => line.startsWith('student '))).toHaveLength(Number(count));
    const named = ['school', 'staff', 'student', 'course', 'period', 'class', 'group_class', 'membership', 'lesson'];
    expect(reading.kinds).toEqual(expect.arrayContaining(named));
  });

  it('as a package passes strict reading, with the same enrolments', async () => {
    const bytes = await exportFile('oneroster');
    expect(summariseReading(await upload('学校.zip', bytes, { strict: true }))).toEqual(clean);
    const [roster, workbook] = [
      await upload('学校.zip', bytes),
      await upload('学校.xlsx', await exportFile('workbook')),
    ];
    const members = (all: string[]) => all.filter((line) => /^membership .*class_id=class:/.test(line)).sort();
    expect(members(lines(roster)).length).toBeGreaterThan(0);
    expect(members(lines(roster))).toEqual(
      members(lines(workbook)).map((line) => line.replace(/(student_id=\S+) (joined_at=\d+).*/, '$1 $2')),
    );
  });

  it("has homework and exams as line items, with each student's result", async () => {
    const { database, people, students, classes, addHomework, submit } = school();
    const { db } = database;
    const [first, second] = students.k1 as [number, number];
    const homework = await addHomework({
      name: '第一次作业',
      creator: 'teacher',
      classes: [classes.k1],
      ending: noon - 60,
    });
    await submit(homework, first, false, noon - 90);
    await db
      .updateTable('report')
      .set({ user_score: 875, graded_at: noon, comment: '很好\n继续' })
      .where('student_id', '=', first)
      .execute();
    const recalled = await addHomework({ name: '撤回的作业', creator: 'teacher', classes: [classes.k1], status: 2 });
    const { school_id } = await db
      .selectFrom('student')
      .select('school_id')
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    const exam = await addExam(db, { creator: people.teacher.id, school: school_id, name: '期中考试' });
    await submitExamReport(db, exam, first, ['2']);
    await submitExamReport(db, exam, second, ['2', '', '', '', '', '我的解答']);
    const given = await addExam(db, { creator: people.teacher.id, school: school_id, name: '月考' });
    await db.updateTable('exam').set({ by_class: 1 }).where('id', '=', given.id).execute();
    await db.insertInto('exam_class').values({ exam_id: given.id, class_id: classes.k2 }).execute();
    await submitExamReport(db, given, students.k2[0] as number, ['2']);
    const rows = rowsOf(await exportFile('oneroster'));
    const itemOf = (id: string) => rows('lineItems').find(({ sourcedId }) => sourcedId === id);
    const theClass = `class-${classes.k1}`;
    expect(itemOf(`homework-${homework}-${classes.k1}`)).toMatchObject({
      status: '',
      title: '第一次作业',
      assignDate: '2026-11-19',
      dueDate: '2026-11-20',
      classSourcedId: `${theClass}/course-${school().courses.shared}`,
      categorySourcedId: 'homework',
      academicSessionSourcedId: 'no-term',
      resultValueMin: '0',
      resultValueMax: '100',
      schoolSourcedId: `school-${school_id}`,
    });
    expect(itemOf(`homework-${recalled}-${classes.k1}`)).toBeUndefined();
    expect(itemOf(`exam-${exam.id}-${classes.k1}`)).toMatchObject({
      title: '期中考试',
      dueDate: '2099-12-31',
      classSourcedId: theClass,
      categorySourcedId: 'exam',
      resultValueMax: '100',
    });
    const resultsOf = (item: string) => rows('results').filter(({ lineItemSourcedId }) => lineItemSourcedId === item);
    const results = resultsOf(`homework-${homework}-${classes.k1}`);
    expect(results.find(({ studentSourcedId }) => studentSourcedId === `student-${first}`)).toMatchObject({
      scoreStatus: 'fully graded',
      score: '87.5',
      scoreDate: '2026-11-20',
      comment: '很好 继续',
      classSourcedId: `${theClass}/course-${school().courses.shared}`,
      late: 'false',
      missing: 'false',
    });
    expect(results.find(({ studentSourcedId }) => studentSourcedId === `student-${second}`)).toMatchObject({
      scoreStatus: 'not submitted',
      score: '',
      missing: 'true',
    });
    expect(resultsOf(`exam-${exam.id}-${classes.k1}`)).toMatchObject([
      {
        sourcedId: `exam-result-${exam.id}-${first}`,
        studentSourcedId: `student-${first}`,
        scoreStatus: 'fully graded',
        score: '10',
      },
      { studentSourcedId: `student-${second}`, scoreStatus: 'submitted', score: '' },
    ]);
    const items = rows('lineItems').map(({ sourcedId }) => sourcedId);
    expect(items.filter((id) => id?.startsWith(`exam-${given.id}-`))).toEqual([`exam-${given.id}-${classes.k2}`]);
    const manifest = rows('manifest').map(({ propertyName, value }) => `${propertyName}=${value}`);
    for (const file of ['categories', 'lineItems', 'results']) expect(manifest).toContain(`file.${file}=bulk`);
    const bytes = await exportFile('oneroster');
    expect(summariseReading(await upload('学校.zip', bytes, { strict: true }))).toEqual(clean);
    const read = await upload('学校.zip', bytes);
    expect([summariseReading(read), read.doubted]).toEqual([clean, []]);
  });

  it('is byte-identical while nothing changes', async () => {
    for (const form of ['workbook', 'oneroster']) expect(await exportFile(form)).toEqual(await exportFile(form));
  });

  it('imports without changes, including old course types and double roles', async () => {
    const { db } = school().database;
    const { k1 } = school().classes;
    const { assist } = school().people;
    await db.updateTable('course').set({ course_type: 4 }).where('id', '=', school().courses.shared).execute();
    await db
      .insertInto('class_staff')
      .values((['head', 'assistant'] as const).map((duty) => ({ class_id: k1, staff_id: assist.id, duty })))
      .onConflict((known) => known.doNothing())
      .execute();
    const { sendFile, countsOf } = importCalls(school);
    const { id } = (await sendFile('本校', '学校.xlsx', await exportFile('workbook'))).body.data;
    await school().as('admin').post(`import/${id}/choices`, { match: 'same' });
    await expect.poll(async () => (await school().as('admin').get(`import/${id}`)).body.data.job).toBe('');
    const { course, class_staff } = await countsOf(id);
    expect([course?.slice(0, 7), class_staff?.slice(0, 7)]).toEqual([Array(7).fill(0), Array(7).fill(0)]);
  });

  it("covers the administrator's schools", async () => {
    const bound = await addBoundAdmin(school(), { can_people: 1 });
    const answer = await bound.ask('POST', 'import/export', { form: 'workbook', school_id: 1 });
    expect([answer.status, answer.body.msg]).toEqual([404, '该学校不存在']);
    expect((await bound.ask('POST', 'import/export', { form: 'workbook' })).status).toBe(200);
  });

  it('completes while a template download is stalled', async () => {
    const headers = { authorization: `Bearer ${school().people.admin.token}` };
    const address = 'http://school.test/api/admin/import/template';
    expect((await school().api.fetch(new Request(address, { method: 'HEAD', headers }))).status).toBe(200);
    expect((await fetchFile('/api/admin/import/template')).status).toBe(200);
    expect((await exportFile('workbook')).length).toBeGreaterThan(1000);
  });

  it('offers the empty template', async () => {
    const template = await fetchFile('/api/admin/import/template');
    expect(template.status, template.status === 200 ? '' : await template.text()).toBe(200);
    expect(decodeURIComponent(template.headers.get('content-disposition') ?? '')).toContain('导入模板.xlsx');
    const reading = await upload('模板.xlsx', await bytesOf(template));
    expect(reading.refused.map(({ message }) => message)).toEqual(['文件里没有可以导入的数据']);
  });
});
