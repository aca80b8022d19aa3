/** Runs the examples of the learner API page as printed, with a real token and real ids. */

import { parseHTML } from 'linkedom';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { applicationPaths } from '#server/description.ts';
import { finishReport, gradeAnswer } from '#server/homework/report-grading.ts';
import { storeSetting } from '#server/school/settings.ts';
import { addExam } from '../support/exams.ts';
import { applicationOf } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addPaper } from '../support/paper.ts';
import { type Answer, day, noon } from '../support/school.ts';
import { hour } from '../support/team-lessons.ts';

interface Shown {
  method: string;
  /** Served at the school's own address. */
  address: string;
  headers: Record<string, string>;
  body: Record<string, unknown> | undefined;
  /** Form field of the file. */
  file: string | undefined;
  answer: { code: number; msg: string; data: unknown } | undefined;
}

/** Splits a command line like a shell. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? '');

function requestOf(text: string): Shown {
  const [line = '', ...answer] = text.split('\n\n');
  const [curl, ...words] = wordsOf(line);
  expect(curl).toBe('curl');
  const shown: Shown = {
    method: 'GET',
    address: '',
    headers: {},
    body: undefined,
    file: undefined,
    answer: answer.length > 0 ? JSON.parse(answer.join('\n\n')) : undefined,
  };
  while (words.length > 0) {
    const word = words.shift() ?? '';
    const value = word.startsWith('-') ? (words.shift() ?? '') : '';
    if (word === '-X') shown.method = value;
    else if (word === '-H') shown.headers[value.split(': ')[0] ?? ''] = value.split(': ')[1] ?? '';
    else if (word === '-d') shown.body = JSON.parse(value);
    else if (word === '-F') shown.file = value.split('=')[0];
    else shown.address = word.replace('$SCHOOL', '');
  }
  return shown;
}

/** Every example of the page by the method and path of its heading. */
function examplesOf(html: string): Map<string, Shown> {
  const { document } = parseHTML(html);
  return new Map(
    [...document.querySelectorAll('details')].map((details): [string, Shown] => {
      const [method, path] = ['.m', 'code'].map((part) => details.querySelector(part)?.textContent ?? '');
      return [`${method} ${path}`, requestOf(details.querySelector('pre')?.textContent ?? '')];
    }),
  );
}

/** Lists properties that an example has and the answer lacks. */
function missingNames(example: unknown, answer: unknown, at = 'data'): string[] {
  if (Array.isArray(example)) {
    if (!Array.isArray(answer)) return [at];
    return example.length === 0 || answer.length === 0 ? [] : missingNames(example[0], answer[0], `${at}[]`);
  }
  if (typeof example !== 'object' || example === null || answer === null) return [];
  if (typeof answer !== 'object') return [at];
  return Object.entries(example).flatMap(([name, value]) =>
    name in answer
      ? missingNames(value, (answer as Record<string, unknown>)[name], `${at}.${name}`)
      : [`${at}.${name}`],
  );
}

onBothEngines('learner API page', (school) => {
  it('has examples that work as one complete sequence', async () => {
    const page = await school().ask(applicationPaths.page);
    const examples = examplesOf(page.body);
    expect(examples.size).toBeGreaterThan(25);
    const sent = new Set<string>();
    const photograph = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer();
    const { token: application } = await applicationOf(school());
    let token = application;

    /** Sends an example; only the named parts of its address and body are replaced. */
    const send = async (
      name: string,
      mine: { in?: (string | number)[]; body?: object; query?: object } = {},
    ): Promise<Answer> => {
      const shown = examples.get(name);
      if (!shown) throw new Error(`the page does not show ${name}`);
      sent.add(name);
      const ids = [...(mine.in ?? [])];
      const template = name.split(' ')[1]?.split('/') ?? [];
      const [path = '', query = ''] = shown.address.split('?');
      const steps = path.split('/').map((step, at) => (template[at]?.startsWith('{') ? String(ids.shift()) : step));
      const search = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)), ...mine.query });
      const headers = Object.fromEntries(
        Object.entries(shown.headers).map(([header, value]) => [header, value.replace('$TOKEN', token)]),
      );
      const form = new FormData();
      if (shown.file) form.set(shown.file, new File([new Uint8Array(photograph)], 'photo.jpg'));
      const body = shown.file ? form : shown.body && JSON.stringify({ ...shown.body, ...mine.body });
      const answer = await school().ask(`${steps.join('/')}${query ? `?${search}` : ''}`, {
        method: shown.method,
        headers,
        ...(body && { body }),
      });
      expect([name, answer.status, answer.body.errors ?? answer.body.msg]).toEqual([name, 200, shown.answer?.msg]);
      expect([name, missingNames(shown.answer?.data, answer.body.data)]).toEqual([name, []]);
      return answer;
    };

    const { db } = school().database;
    const [uid] = school().students.k1 as [number];
    const me = { uid };
    const { school_id } = await db
      .selectFrom('student')
      .select('school_id')
      .where('id', '=', uid)
      .executeTakeFirstOrThrow();
    const number = '13800002026';
    await db.updateTable('student').set({ mobile: number }).where('id', '=', uid).execute();

    await storeSetting(db, 'sms_webhook_url', 'https://sms.example/');
    // By code; learners' own tokens need no id.
    await send('POST /api/app/session/code');
    const opened = await send('POST /api/app/session', { body: me });
    token = opened.body.data.token;
    await send('GET /api/app/me', { query: me });

    // Homework: photographed, saved, handed in, graded and read again.
    const paper = await addPaper(school(), { creator: 'teacher', classes: [school().classes.k1], ending: noon + day });
    const listed = await send('GET /api/app/homework', { query: me });
    expect(listed.body.data.list.map(({ id }: { id: number }) => id)).toContain(paper.homeworkId);
    const { path } = (await send('POST /api/app/public/file')).body.data;
    const choice = { ques_id: paper.questions.choice, user_answer: [2] };
    const essay = { ques_id: paper.questions.essay, user_answer: { content: '解：', images: [path] } };
    const hw = { in: [paper.homeworkId] };
    await send('POST /api/app/homework/{hwId}/draft', { ...hw, body: { ...me, answers: [choice] } });
    await send('GET /api/app/homework/{hwId}', { ...hw, query: me });
    const handedIn = await send('POST /api/app/homework/{hwId}/submission', {
      ...hw,
      body: { ...me, answers: [choice, essay], confirm_blank: 1 },
    });
    const reportId: number = handedIn.body.data.report_id;
    const review = {
      reportId,
      questionId: paper.questions.essay,
      version: undefined,
      score: 80,
      comment: '步骤完整',
      images: [{ draw: '', path }],
      now: noon,
    };
    await db.transaction().execute(async (trx) => {
      await gradeAnswer(trx, school().people.teacher, review);
      await finishReport(trx, school().people.teacher, { reportId, comment: '不错', now: noon });
    });
    const graded = (await send('GET /api/app/homework/{hwId}', { ...hw, query: me })).body.data;
    expect(graded.questions[1]).toMatchObject({
      answer_images: [{ url: path, path }],
      result: { review_comment: '步骤完整' },
    });

    // Leave: requested and withdrawn.
    const { id: period } = await db
      .insertInto('period')
      .values({
        course_id: school().courses.shared,
        title: '第三讲 数列',
        lecturer_id: school().people.teacher.id,
        chapter_id: null,
        start_play: noon + hour,
        total_time: hour,
        advance_time: 10,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const lessons = await send('GET /api/app/lessons', { query: { ...me, from: noon - hour, to: noon + day } });
    const lesson = lessons.body.data.list.find(
      ({ id, kind }: { id: number; kind: string }) => id === period && kind === 'period',
    );
    const cell = { class_id: lesson.class.id, course_id: lesson.course.id, course_periods_id: lesson.id };
    await send('POST /api/app/leave', { body: { ...me, ...cell } });
    const leave = (await send('GET /api/app/leave', { query: me })).body.data.list.find(
      (one: { period: { id: number } }) => one.period.id === period,
    );
    expect(leave.op_status).toBe(1);
    await send('POST /api/app/leave/{leaveId}/cancel', { in: [leave.id], body: me });

    // Exam: started, saved and handed in.
    const exam = await addExam(db, { creator: school().people.teacher.id, school: school_id, limit: 3600 });
    await db
      .updateTable('exam')
      .set({ published_at: noon, end_at: noon + day })
      .where('id', '=', exam.id)
      .execute();
    await send('GET /api/app/exams', { query: me });
    const sitting = { in: [exam.id] };
    await send('POST /api/app/exams/{examId}/start', { ...sitting, body: me });
    const answers = [{ ques_id: exam.questions[0], user_answer: [2], serial: 1 }];
    await send('POST /api/app/exams/{examId}/answers', { ...sitting, body: { ...me, answers } });
    await send('GET /api/app/exams/{examId}', { ...sitting, query: me });
    await send('POST /api/app/exams/{examId}/submission', { ...sitting, body: { ...me, confirm_blank: 1 } });

    // A notice, then sign-out.
    const { id: notice } = await db
      .insertInto('class_notice')
      .values({
        class_id: school().classes.k1,
        title: '期中安排',
        content: '<p>周一</p>',
        staff_id: school().people.teacher.id,
        created_at: noon,
        updated_at: noon,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await send('GET /api/app/notices', { query: me });
    await send('GET /api/app/notices/{noticeId}', { in: [notice], query: me });
    await send('POST /api/app/session/end');
    expect(sent.size).toBe(20);
  });
});
