/** OneRoster 1.2 for other systems: access, shapes, filters, sort order, pages. */
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#server/oneroster/endpoints.ts';
import { gradebookPath, rosteringPath, tokenPath } from '#server/oneroster/rules.ts';
import { addBoundAdmin } from '../support/bound-admin.ts';
import { addExam, submitExamReport } from '../support/exams.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { type Answer, noon } from '../support/school.ts';

const scope = (...names: string[]) => names.map((name) => `https://purl.imsglobal.org/spec/or/v1p2/scope/${name}`);

onBothEngines('OneRoster', (school) => {
  const db = () => school().database.db;
  const admin = () => school().as('admin');
  let client: { client_id: string; client_secret: string };
  let token: string;
  let schoolId: number;

  const basic = ({ client_id, client_secret }: typeof client) => ({
    authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
  });
  const askToken = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    school().ask(tokenPath, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    });
  const granted = { grant_type: 'client_credentials' };
  const tokenOf = async (made: typeof client, form: Record<string, string> = {}) =>
    (await askToken({ ...granted, ...form }, basic(made))).body.access_token as string;
  const ask = (address: string, bearer = token) =>
    school().ask(address, { headers: { authorization: `Bearer ${bearer}` } });
  const roster = (address: string, bearer?: string) => ask(`${rosteringPath}/${address}`, bearer);
  const grades = (address: string, bearer?: string) => ask(`${gradebookPath}/${address}`, bearer);
  const filter = (text: string) => `filter=${encodeURIComponent(text)}`;
  const codeOf = ({ status, body }: Answer) => [
    status,
    body.imsx_CodeMinor?.imsx_codeMinorField[0].imsx_codeMinorFieldValue,
  ];
  const ids = (rows: { sourcedId: string }[]) => rows.map(({ sourcedId }) => sourcedId);

  beforeAll(async () => {
    client = (await admin().post('roster-clients', { name: '区平台', every_school: 1, reads: ['roster', 'gradebook'] }))
      .body.data;
    token = await tokenOf(client);
    const first = school().students.k1[0] as number;
    ({ school_id: schoolId } = await db()
      .selectFrom('student')
      .select('school_id')
      .where('id', '=', first)
      .executeTakeFirstOrThrow());
  });

  describe('OneRoster clients', () => {
    it('are created by administrators with a secret shown once, and revoked', async () => {
      expect((await admin().post('roster-clients', { name: ' ', every_school: 1 })).body.errors).toEqual({
        name: ['请填写系统名称'],
        reads: ['请选择至少一项可读取的内容'],
      });
      expect((await admin().post('roster-clients', { name: '甲', reads: ['roster'] })).body.errors).toEqual({
        school_ids: ['请选择至少一所学校'],
      });
      const made = await admin().post('roster-clients', {
        name: '教务系统',
        school_ids: [schoolId],
        reads: ['roster'],
      });
      expect([made.status, made.body.msg]).toEqual([200, '对接系统已添加']);
      const { id, client_id, client_secret } = made.body.data;
      const [row] = (await admin().get('roster-clients?name=教务')).body.data.list;
      expect(row).toMatchObject({ name: '教务系统', client_id, reads: ['roster'], used_at: null, every_school: 0 });
      expect(JSON.stringify(row)).not.toContain(client_secret);
      const mine = await tokenOf({ client_id, client_secret });
      expect((await roster('orgs', mine)).status).toBe(200);
      expect((await admin().get(`roster-clients/${id}`)).body.data.used_at).toBe(noon);
      expect((await admin().post(`roster-clients/${id}/end`)).body.msg).toBe('对接系统已停用');
      expect((await admin().post(`roster-clients/${id}/end`)).status).toBe(409);
      expect(codeOf(await roster('orgs', mine))).toEqual([401, 'unauthorisedrequest']);
      expect((await askToken(granted, basic({ client_id, client_secret }))).status).toBe(401);
      const history = await db().selectFrom('history').select('after').where('record', '=', 'roster_client').execute();
      expect(JSON.stringify(history)).not.toContain(client_secret);
    });

    it('have no more access than their creator', async () => {
      const bound = await addBoundAdmin(school(), { can_settings: 1 });
      const body = { name: '分校系统', reads: ['roster'] };
      expect((await bound.ask('POST', 'roster-clients', { ...body, every_school: 1 })).body.errors).toEqual({
        every_school: ['只有管理全部学校的教务可以授予'],
      });
      expect((await bound.ask('POST', 'roster-clients', { ...body, school_ids: [schoolId] })).status).toBe(422);
      const made = await bound.ask('POST', 'roster-clients', { ...body, school_ids: [bound.school] });
      const theirs = await tokenOf(made.body.data);
      expect(ids((await roster('orgs', theirs)).body.orgs)).toEqual([`school-${bound.school}`]);
      for (const path of ['users', 'classes', 'enrollments', 'courses']) {
        const { body: answer, headers } = await roster(path, theirs);
        expect([answer[path], headers.get('x-total-count')]).toEqual([[], '0']);
      }
      for (const one of [`orgs/school-${schoolId}`, `users/student-1`, 'classes/class-1', 'schools/school-1/classes']) {
        expect(codeOf(await roster(one, theirs))).toEqual([404, 'unknownobject']);
        expect((await roster(one)).status).toBe(200);
      }
      const { id } = (await admin().get('roster-clients?name=区平台')).body.data.list[0];
      expect((await bound.ask('GET', `roster-clients/${id}`)).status).toBe(404);
    });
  });

  describe('OneRoster tokens', () => {
    it('are issued for the secret, in header or form', async () => {
      const { body, headers } = await askToken({ ...granted, ...client });
      expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
      expect(body.scope.split(' ')).toHaveLength(5);
      expect(headers.get('cache-control')).toBe('no-store');
      expect((await roster('orgs', body.access_token)).status).toBe(200);
      school().setNow(noon + 3599);
      expect((await roster('orgs', body.access_token)).status).toBe(200);
      school().setNow(noon + 3600);
      expect(codeOf(await roster('orgs', body.access_token))).toEqual([401, 'unauthorisedrequest']);
    });

    it('are refused with OAuth error codes', async () => {
      const error = async (answer: Promise<Answer>) => {
        const { status, body } = await answer;
        return [status, body.error];
      };
      const wrong = basic({ ...client, client_secret: 'x' });
      expect(await error(askToken(granted, wrong))).toEqual([401, 'invalid_client']);
      expect(await error(askToken(granted))).toEqual([401, 'invalid_client']);
      expect(await error(askToken({}, basic(client)))).toEqual([400, 'invalid_request']);
      expect(await error(askToken({ ...granted, ...client }, basic(client)))).toEqual([400, 'invalid_request']);
      expect(await error(askToken({ grant_type: 'password' }, basic(client)))).toEqual([400, 'unsupported_grant_type']);
      const other = { ...granted, scope: scope('gradebook.delete').join(' ') };
      expect(await error(askToken(other, basic(client)))).toEqual([400, 'invalid_scope']);
    });

    it('grant their scopes alone', async () => {
      const core = await tokenOf(client, { scope: scope('roster-core.readonly', 'resource.readonly').join(' ') });
      expect((await roster('users', core)).status).toBe(200);
      expect(codeOf(await roster('classes/class-1/students', core))).toEqual([403, 'forbidden']);
      expect(codeOf(await roster('demographics', core))).toEqual([403, 'forbidden']);
      expect(codeOf(await grades('results', core))).toEqual([403, 'forbidden']);
      expect(codeOf(await roster('users', 'or_nobody-knows-this-token'))).toEqual([401, 'unauthorisedrequest']);
      expect((await school().ask(`${rosteringPath}/users`)).headers.get('www-authenticate')).toContain('Bearer');
    });

    it('are rate-limited', async () => {
      const all = await Promise.all(
        Array.from({ length: 40 }, () => askToken(granted, { 'x-client-address': '9.9.9.9' })),
      );
      const refused = all.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await askToken(granted, { ...basic(client), 'x-client-address': '9.9.9.8' })).status).toBe(200);
    });
  });

  describe('OneRoster records', () => {
    it("have the standard's shapes", async () => {
      const { courses, classes, students, people } = school();
      const [student = 0] = students.k2;
      const href = (path: string) => `http://school.test${rosteringPath}/${path}`;
      const ref = (type: string, word: string, id: string) => ({
        href: href(`${word}/${encodeURIComponent(id)}`),
        sourcedId: id,
        type,
      });
      const org = ref('org', 'orgs', `school-${schoolId}`);
      expect((await roster(`users/student-${student}`)).body).toEqual({
        user: {
          sourcedId: `student-${student}`,
          status: 'active',
          dateLastModified: new Date(noon * 1000).toISOString(),
          metadata: { fullName: '学生二班1' },
          username: `student-${student}`,
          sms: '13800001001',
          enabledUser: 'true',
          familyName: '学',
          givenName: '生二班1',
          roles: [{ roleType: 'primary', role: 'student', org }],
          primaryOrg: org,
        },
      });
      const theClass = `class-${classes.k1}`;
      const taken = `${theClass}/course-${courses.shared}`;
      expect((await roster(`classes/${encodeURIComponent(taken)}`)).body.class).toMatchObject({
        sourcedId: taken,
        title: '一班 高一数学',
        classType: 'scheduled',
        course: ref('course', 'courses', `course-${courses.shared}`),
        school: org,
        terms: [ref('academicSession', 'academicSessions', 'no-term')],
      });
      expect((await roster(`classes/${theClass}`)).body.class).toMatchObject({
        classType: 'homeroom',
        course: { sourcedId: `homeroom-school-${schoolId}` },
      });
      const first = students.k1[0] as number;
      const enrollment = `${taken}.student-${first}`;
      expect((await roster(`enrollments/${encodeURIComponent(enrollment)}`)).body.enrollment).toEqual({
        sourcedId: enrollment,
        status: 'active',
        dateLastModified: new Date(noon * 1000).toISOString(),
        user: ref('user', 'users', `student-${first}`),
        class: ref('class', 'classes', taken),
        school: org,
        role: 'student',
        primary: 'false',
        beginDate: '2026-11-20',
      });
      expect(
        (await roster(`enrollments/${encodeURIComponent(`${theClass}/student-${students.k1.at(-1)}`)}`)).body
          .enrollment,
      ).toMatchObject({ status: 'tobedeleted', endDate: expect.stringMatching(/^2026-11-\d\d$/) });
      expect((await roster(`teachers/staff-${people.teacher.id}`)).body.user.roles[0].role).toBe('teacher');
      expect((await roster('terms/no-term')).body.academicSession).toMatchObject({ type: 'term', schoolYear: '2100' });
      expect((await roster('demographics')).body).toEqual({ demographics: [] });
      expect((await roster('gradingPeriods')).body).toEqual({ academicSessions: [] });
    });

    it('have no dangling references', async () => {
      for (const [path, one] of [
        ['classes', 'class'],
        ['courses', 'course'],
        ['enrollments', 'enrollment'],
        ['users', 'user'],
        ['orgs', 'org'],
      ]) {
        const rows = (await roster(`${path}?limit=1000`)).body[path as string];
        expect(rows.length).toBeGreaterThan(0);
        expect(new Set(ids(rows)).size).toBe(rows.length);
        const sample = [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)];
        for (const row of sample) {
          const again = await roster(`${path}/${encodeURIComponent(row.sourcedId)}`);
          expect(again.body[one as string]).toEqual(row);
          const references = [...JSON.stringify(row).matchAll(/"href":"([^"]+)"/g)].map(([, to = '']) => to);
          for (const to of references) expect((await ask(to.slice('http://school.test'.length))).status).toBe(200);
        }
      }
    });

    it('are nested in their parents', async () => {
      const { classes, courses, students, people } = school();
      const k1 = `class-${classes.k1}`;
      const present = students.k1.slice(0, -1).map((id) => `student-${id}`);
      expect(ids((await roster(`classes/${k1}/students`)).body.users)).toEqual(present);
      expect(ids((await roster(`schools/school-${schoolId}/classes/${k1}/students`)).body.users)).toEqual(present);
      const taken = encodeURIComponent(`${k1}/course-${courses.shared}`);
      expect(ids((await roster(`classes/${taken}/students`)).body.users)).toEqual(present);
      const enrolled = (await roster(`schools/school-${schoolId}/classes/${k1}/enrollments`)).body.enrollments;
      expect(enrolled.filter(({ role }: { role: string }) => role === 'student')).toHaveLength(students.k1.length);
      const teachers = ids((await roster(`classes/${k1}/teachers`)).body.users);
      for (const one of teachers) expect(ids((await roster(`users/${one}/classes`)).body.classes)).toContain(k1);
      expect(ids((await roster(`students/student-${students.k1[0]}/classes`)).body.classes)).toEqual(
        expect.arrayContaining([k1, `class-${classes.k3}`, `${k1}/course-${courses.shared}`]),
      );
      expect(ids((await roster(`courses/course-${courses.shared}/classes`)).body.classes)).toContain(
        `${k1}/course-${courses.shared}`,
      );
      const homerooms = (await roster(`courses/homeroom-school-${schoolId}/classes`)).body.classes;
      expect(new Set(homerooms.map(({ classType }: { classType: string }) => classType))).toEqual(
        new Set(['homeroom']),
      );
      expect((await roster('terms/no-term/classes')).body.classes.length).toBeGreaterThan(homerooms.length);
      expect((await roster(`schools/school-${schoolId}/teachers`)).body.users.length).toBeGreaterThan(0);
      expect(codeOf(await roster(`students/staff-${people.teacher.id}`))).toEqual([404, 'unknownobject']);
      expect(codeOf(await roster('classes/class-999/students'))).toEqual([404, 'unknownobject']);
    });
  });

  describe('OneRoster lists', () => {
    it('are paged', async () => {
      const all = (await roster('enrollments?limit=1000')).body.enrollments;
      const found: string[] = [];
      let next = `${rosteringPath}/enrollments?limit=7`;
      for (let pages = 0; next !== '' && pages < 100; pages += 1) {
        const { body, headers } = await ask(next);
        found.push(...ids(body.enrollments));
        expect(headers.get('x-total-count')).toBe(String(all.length));
        const links = headers.get('link') ?? '';
        expect(links).toContain('rel="first"');
        next = /<http:\/\/school\.test([^>]+)>; rel="next"/.exec(links)?.[1] ?? '';
      }
      expect(found).toEqual(ids(all));
      expect(new Set(found).size).toBe(all.length);
      const users = (await roster('users')).body.users;
      expect(users.length).toBeLessThanOrEqual(100);
      expect(codeOf(await roster('users?limit=0'))).toEqual([400, 'invaliddata']);
      expect(codeOf(await roster('users?offset=-1'))).toEqual([400, 'invaliddata']);
      expect((await roster('users?offset=100000')).body).toEqual({ users: [] });
    });

    it('sort by any field, with all record types mixed', async () => {
      const namesBy = async (order: string) =>
        (await roster(`users?limit=1000&sort=identifier&orderBy=${order}`)).body.users.length;
      expect(await namesBy('asc')).toBe(await namesBy('desc'));
      const up = ids((await roster('users?limit=1000&sort=username')).body.users);
      const down = ids((await roster('users?limit=1000&sort=username&orderBy=desc')).body.users);
      expect(down).toEqual([...up].reverse());
      const page = ids((await roster('users?limit=5&offset=3&sort=username')).body.users);
      expect(page).toEqual(up.slice(3, 8));
      const usual = ids((await roster('users?limit=1000')).body.users);
      expect(ids((await roster('users?limit=1000&sort=nothing')).body.users)).toEqual(usual);
      expect(codeOf(await roster('users?orderBy=up'))).toEqual([400, 'invaliddata']);
    });

    it('are filtered', async () => {
      const { students, classes, people } = school();
      const findIds = async (text: string) => ids((await roster(`users?limit=1000&${filter(text)}`)).body.users);
      const all = ids((await roster('users?limit=1000')).body.users);
      expect(await findIds(`sourcedId='student-${students.k1[0]}'`)).toEqual([`student-${students.k1[0]}`]);
      expect(await findIds("metadata.fullName~'一班'")).toEqual(students.k1.map((id) => `student-${id}`));
      expect(await findIds(`role='teacher' AND username='teacher'`)).toEqual([`staff-${people.teacher.id}`]);
      expect(await findIds(`username='teacher' OR username='assist'`)).toEqual(
        [people.teacher.id, people.assist.id].map((id) => `staff-${id}`),
      );
      expect(await findIds("status!='tobedeleted' AND familyName='学' AND givenName~'四班'")).toEqual(
        students.k4.map((id) => `student-${id}`),
      );
      expect(await findIds("username='no''one'")).toEqual([]);
      expect(await findIds(`dateLastModified>'${new Date(noon * 1000).toISOString()}'`)).toEqual([]);
      expect(await findIds("dateLastModified>='2026-11-01'")).toEqual(all);
      const stays = async (text: string) =>
        (await roster(`enrollments?limit=1000&${filter(text)}`)).body.enrollments as Record<string, unknown>[];
      expect(await stays(`class.sourcedId='class-${classes.k2}' AND role='student'`)).toHaveLength(students.k2.length);
      expect((await stays("beginDate='2026-11-20'")).length).toBeGreaterThan(0);
      expect((await stays("beginDate<'2026-11-20'")).length).toBe(0);
      for (const [text, code] of [
        ["nothing='1'", 'invalid_filter_field'],
        ['username=teacher', 'invalid_filter_field'],
        ["username='a' AND", 'invalid_filter_field'],
        ["dateLastModified>'yesterday'", 'invalid_filter_field'],
        ["dateLastModified~'2026'", 'invalid_filter_field'],
        ['', 'invalid_filter_field'],
        [Array(101).fill("username='a'").join(' OR '), 'invalid_filter_field'],
        [`username~'${'a'.repeat(501)}'`, 'invalid_filter_field'],
      ] as const) {
        expect(codeOf(await roster(`users?${filter(text)}`))).toEqual([400, code]);
      }
    });

    it('select fields', async () => {
      const [row] = (await roster('users?limit=1&fields=sourcedId,roles')).body.users;
      expect(Object.keys(row)).toEqual(['sourcedId', 'roles']);
      expect(Object.keys((await roster(`orgs/school-${schoolId}?fields=name`)).body.org)).toEqual(['name']);
      expect((await roster('users?limit=1&fields=nothing')).body.users[0].sourcedId).toBeDefined();
      expect(codeOf(await roster('users?fields='))).toEqual([400, 'invalid_selection_field']);
      expect(codeOf(await roster(`users?fields=${'status,'.repeat(300)}status`))).toEqual([
        400,
        'invalid_selection_field',
      ]);
      expect(codeOf(await roster('users?fields=sourcedId,,status'))).toEqual([400, 'invalid_selection_field']);
    });
  });

  describe('OneRoster gradebook', () => {
    it("has homework and exams with each student's result", async () => {
      const { classes, courses, students, people, addHomework, submit } = school();
      const [first, second] = students.k1 as [number, number];
      const homework = await addHomework({
        creator: 'teacher',
        classes: [classes.k1],
        ending: noon - 60,
        name: '集合',
      });
      const report = await submit(homework, first, false, noon - 30);
      await db()
        .updateTable('report')
        .set({ user_score: 875, graded_at: noon, comment: '很好' })
        .where('id', '=', report)
        .execute();
      const exam = await addExam(db(), { creator: people.teacher.id, school: schoolId });
      await submitExamReport(db(), exam, first, ['2']);
      const item = `homework-${homework}-${classes.k1}`;
      const taken = `class-${classes.k1}/course-${courses.shared}`;
      expect((await grades(`lineItems/${item}`)).body.lineItem).toMatchObject({
        sourcedId: item,
        status: 'active',
        title: '集合',
        dueDate: new Date((noon - 60) * 1000).toISOString(),
        class: { sourcedId: taken, type: 'class' },
        category: { sourcedId: 'homework', type: 'category' },
        school: { sourcedId: `school-${schoolId}`, type: 'org' },
        academicSession: { sourcedId: 'no-term' },
        resultValueMin: 0,
        resultValueMax: 100,
      });
      expect((await grades(`results/report-${report}`)).body.result).toMatchObject({
        lineItem: { sourcedId: item, type: 'lineItem' },
        student: { sourcedId: `student-${first}`, type: 'user' },
        class: { sourcedId: taken },
        scoreStatus: 'fully graded',
        score: 87.5,
        scoreDate: '2026-11-20',
        comment: '很好',
        late: 'true',
        missing: 'false',
      });
      const theClass = encodeURIComponent(taken);
      const results = (await grades(`classes/${theClass}/lineItems/${item}/results`)).body.results;
      expect(results).toHaveLength(students.k1.length - 1);
      expect(
        results.find((one: { student: { sourcedId: string } }) => one.student.sourcedId === `student-${second}`),
      ).toMatchObject({ scoreStatus: 'not submitted', missing: 'true' });
      expect(results[1].score).toBeUndefined();
      expect(ids((await grades(`classes/${theClass}/lineItems`)).body.lineItems)).toContain(item);
      expect(ids((await grades(`classes/class-${classes.k1}/lineItems`)).body.lineItems)).toEqual([
        `exam-${exam.id}-${classes.k1}`,
      ]);
      const examResult = `exam-result-${exam.id}-${first}`;
      expect((await grades(`results/${examResult}`)).body.result).toMatchObject({
        scoreStatus: 'fully graded',
        score: 10,
        lineItem: { sourcedId: `exam-${exam.id}-${classes.k1}` },
      });
      expect(ids((await grades(`classes/${theClass}/students/student-${first}/results`)).body.results)).toEqual([
        `report-${report}`,
      ]);
      expect(ids((await grades(`results?${filter("score>='80'")}`)).body.results)).toEqual([`report-${report}`]);
      expect(
        ids((await grades(`results?${filter("scoreStatus='fully graded'")}&sort=score&orderBy=desc`)).body.results),
      ).toEqual([`report-${report}`, examResult]);
      expect(ids((await grades(`lineItems?${filter("category.sourcedId='exam'")}`)).body.lineItems)).toContain(
        `exam-${exam.id}-${classes.k1}`,
      );
      await db().updateTable('homework').set({ status: 2 }).where('id', '=', homework).execute();
      expect((await grades(`lineItems/${item}`)).body.lineItem.status).toBe('tobedeleted');
      expect(ids((await grades('categories')).body.categories)).toEqual(['homework', 'exam']);
      expect((await grades('scoreScales')).body).toEqual({ scoreScales: [] });
      expect(codeOf(await grades('lineItems/homework-999-1'))).toEqual([404, 'unknownobject']);
    });

    it('has an exam given to classes as line items of these classes only, with their results', async () => {
      const { students, classes, people } = school();
      // Also in k1, which comes first.
      const [first = 0] = students.k1;
      const exam = await addExam(db(), { creator: people.teacher.id, school: schoolId });
      await db().updateTable('exam').set({ by_class: 1 }).where('id', '=', exam.id).execute();
      await db().insertInto('exam_class').values({ exam_id: exam.id, class_id: classes.k3 }).execute();
      await submitExamReport(db(), exam, first, ['2']);
      const items = ids((await grades('lineItems?limit=999')).body.lineItems);
      expect(items.filter((id) => id.startsWith(`exam-${exam.id}-`))).toEqual([`exam-${exam.id}-${classes.k3}`]);
      expect((await grades(`results/exam-result-${exam.id}-${first}`)).body.result).toMatchObject({
        lineItem: { sourcedId: `exam-${exam.id}-${classes.k3}` },
      });
    });
  });

  it("uses the source's ids, as a package does", async () => {
    const { students, classes } = school();
    const [, student = 0] = students.k2;
    const sources = [];
    for (const name of ['甲系统', '乙系统']) {
      const source = await db()
        .insertInto('import_source')
        .values({ name, created_at: noon })
        .returning('id')
        .executeTakeFirstOrThrow();
      const upload = { source_id: source.id, staff_id: null, file_name: 'a.zip', content_hash: 'x', mode: 'delta' };
      const { id } = await db()
        .insertInto('import')
        .values({ ...upload, kinds: '[]', state: 'applied', noted_at: noon, created_at: noon } as never)
        .returning('id')
        .executeTakeFirstOrThrow();
      sources.push({ source_id: source.id, import_id: id, fields: '{}', state: 'active' as const });
    }
    const [one, other] = sources as [(typeof sources)[0], (typeof sources)[0]];
    const other3 = students.k3[1] as number;
    await db()
      .insertInto('external_id')
      .values([
        { ...one, kind: 'student', sourced_id: '学号/001', record: String(student) },
        { ...one, kind: 'class', sourced_id: 'K-2', record: String(classes.k2) },
        // The same id from another source is a different record.
        { ...other, kind: 'student', sourced_id: '学号/001', record: String(other3) },
      ])
      .execute();
    const { users } = (await roster(`users?${filter("metadata.fullName='学生二班2'")}`)).body;
    const [{ sourcedId }] = users;
    expect(sourcedId).toMatch(/^x-[\w-]+$/);
    expect((await roster(`users/${sourcedId}`)).body.user).toEqual(users[0]);
    expect(ids((await roster(`users?${filter(`sourcedId='${sourcedId}'`)}`)).body.users)).toEqual([sourcedId]);
    expect((await roster(`users/student-${student}`)).status).toBe(404);
    expect((await roster(`users/student-${other3}`)).status).toBe(200);
    const [stay] = (await roster(`enrollments?${filter(`user.sourcedId='${sourcedId}' AND class.sourcedId='K-2'`)}`))
      .body.enrollments;
    expect((await roster(`enrollments/${encodeURIComponent(stay.sourcedId)}`)).body.enrollment).toEqual(stay);
    expect(ids((await roster('classes/K-2/students')).body.users)).toContain(sourcedId);
  });

  it("has the school's terms, and one for classes without any", async () => {
    const { classes } = school();
    const term = async (values: object) =>
      (
        await db()
          .insertInto('term')
          .values({ parent_id: null, put_away_at: null, ...values } as never)
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const year = await term({ name: '2026学年', type: 'schoolYear', first_day: '2026-09-01', last_day: '2027-08-31' });
    const autumn = await term({
      name: '上学期',
      type: 'term',
      first_day: '2026-09-01',
      last_day: '2027-01-31',
      parent_id: year,
    });
    const part = await term({
      name: '期中',
      type: 'gradingPeriod',
      first_day: '2026-11-01',
      last_day: '2026-11-15',
      parent_id: autumn,
    });
    await term({ name: '没有日期', type: 'term', first_day: '', last_day: '' });
    await db()
      .insertInto('class_term')
      .values([autumn, part].map((term_id) => ({ class_id: classes.k1, term_id })))
      .execute();
    const [theClass, session] = [`class-${classes.k1}`, `term-${autumn}`];
    expect((await roster(`academicSessions/${session}`)).body.academicSession).toMatchObject({
      title: '上学期',
      type: 'term',
      startDate: '2026-09-01',
      endDate: '2027-02-01',
      schoolYear: '2027',
      parent: { sourcedId: `term-${year}`, type: 'academicSession' },
    });
    expect(ids((await roster('academicSessions')).body.academicSessions)).toEqual([
      `term-${year}`,
      session,
      `term-${part}`,
      'no-term',
    ]);
    expect(ids((await roster('terms')).body.academicSessions)).toEqual([session, 'no-term']);
    expect(ids((await roster('gradingPeriods')).body.academicSessions)).toEqual([`term-${part}`]);
    expect(ids((await roster(`terms/${session}/gradingPeriods`)).body.academicSessions)).toEqual([`term-${part}`]);
    const ended = `academicSessions?${filter("endDate='2027-02-01'")}`;
    expect(ids((await roster(ended)).body.academicSessions)).toEqual([session]);
    expect(ids((await roster(`classes/${theClass}`)).body.class.terms)).toEqual([session, `term-${part}`]);
    const inTerm = ids((await roster(`terms/${session}/classes`)).body.classes);
    expect(inTerm).toContain(theClass);
    expect(inTerm).not.toContain(`class-${classes.k2}`);
    expect(ids((await roster(`classes?${filter(`terms.sourcedId='${session}'`)}`)).body.classes)).toEqual(inTerm);
    expect(ids((await roster('terms/no-term/classes')).body.classes)).not.toContain(theClass);
    const homework = await school().addHomework({ creator: 'teacher', classes: [classes.k1] });
    const { lineItem } = (await grades(`lineItems/homework-${homework}-${classes.k1}`)).body;
    expect(lineItem.academicSession.sourcedId).toBe(session);
  });

  it('answers every standard address and no other', async () => {
    for (const { path, resource, isOne } of endpoints) {
      const address = path.replace(/:(\w+)/g, 'nobody');
      const { status, body } = await ask(address);
      if (isOne || path.includes(':')) expect([address, status]).toEqual([address, 404]);
      else expect([address, Object.keys(body)]).toEqual([address, [resource.many]]);
    }
    expect(codeOf(await roster('resources'))).toEqual([404, 'unknownobject']);
    const written = await school().ask(`${rosteringPath}/users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect([...codeOf(written), written.headers.get('allow')]).toEqual([405, 'unsupported', 'GET']);
    expect((await school().ask('/api/openapi-oneroster.json')).body.paths[`${rosteringPath}/users`].get.summary).toBe(
      '全部人员',
    );
  });
});
