import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '#server/demo/random.ts';
import type { AnswerReview } from '#server/grading/answer-review.ts';
import { sameAnswerKey } from '#server/grading/equal-answers.ts';
import { publishToClasses } from '#server/homework/assign.ts';
import { finishReport, gradeAnswer } from '#server/homework/report-grading.ts';
import { submitReport } from '#server/homework/submission.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import { type Database, type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { migrate } from '#server/schema/migrate.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { expectCountersToBeRight } from '../support/recount.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const now = 1_795_147_200;
const grader = { id: 1 };
const colleague = { id: 2 };
const classIds = [1, 2, 3];
const classSize = 6;
describeEngines('reports', (engine) => {
  let homeworkId = 0;

  /** The questions of each homework: a choice, two blanks, a short answer, and a material question with two parts. */
  let question: { choice: number; blanks: number; essay: number; material: number; part: number; partEssay: number };

  let postgres: TestDatabase | undefined;
  let database: OpenDatabase;
  let db: Database;

  beforeAll(async () => {
    if (engine === 'PostgreSQL') postgres = await createDatabase();
    database = openDatabase(postgres?.url ?? ':memory:');
    db = database.db;
    await migrate(database);
    await db.insertInto('school').values({ id: 1, org_name: '总校' }).execute();
    for (const id of [1, 2]) {
      await db
        .insertInto('staff')
        .values({
          id,
          identity: 'teacher',
          username: `teacher${id}`,
          password_hash: '',
          real_name: id === 1 ? '周老师' : '吴老师',
          school_id: 1,
          disabled_at: null,
          created_at: now,
        })
        .execute();
    }
    await db
      .insertInto('course')
      .values({
        id: 1,
        parent_id: null,
        title: '高一数学',
        school_id: 1,
        classify_id: null,
        grade_id: null,
        subject_id: null,
        created_at: now,
      })
      .execute();
    for (const id of classIds) {
      const belongs = { school_id: 1, grade_id: null, classify_id: null, large_class_id: null, created_at: now };
      await db
        .insertInto('class')
        .values({ id, name: `${id}班`, ...belongs })
        .execute();
      for (let number = 1; number <= classSize; number += 1) {
        const studentId = id * 100 + number;
        await db
          .insertInto('student')
          .values({ id: studentId, nickname: '王子涵', school_id: 1, created_at: now })
          .execute();
        await db
          .insertInto('class_student')
          .values({ class_id: id, student_id: studentId, joined_at: now, left_at: null })
          .execute();
      }
    }
  });
  afterAll(async () => {
    await database?.destroy();
    await postgres?.drop();
  });

  async function addHomework(mode: 1 | 2, ending = now + 1000): Promise<number> {
    const { id } = await db
      .insertInto('homework')
      .values({
        name: '集合的运算',
        type: 1,
        course_id: 1,
        period_id: null,
        creator_id: 1,
        publish_time: now,
        ending_time: ending,
        is_set_score: mode,
        publish_scope: 3,
        publish_type: 1,
        arrange_id: null,
        arrange_type: null,
        total_score: mode === 1 ? 500 : 505,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('homework_class')
      .values(classIds.map((class_id) => ({ homework_id: id, class_id, published_at: null })))
      .execute();
    const add = async (ques_type: number, right_answer: string, score: number, parent: number | null = null) => {
      const inserted = await db
        .insertInto('homework_question')
        .values({
          homework_id: id,
          source_id: null,
          parent_id: parent,
          sort: 1,
          ques_type,
          ques_stem: '',
          right_answer,
          score: mode === 1 ? 100 : score,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return inserted.id;
    };
    const material = await add(6, '', 205);
    question = {
      choice: await add(1, '2', 100),
      blanks: await add(7, '2@@4', 100),
      essay: await add(5, '略', 100),
      material,
      part: await add(2, '1', 50, material),
      partEssay: await add(5, '略', 155, material),
    };
    return id;
  }

  beforeEach(async () => {
    homeworkId = await addHomework(2);
    await publishToClasses(db, { homeworkId, classIds: [1, 2], now });
  });

  const text = (content: string) => JSON.stringify({ content, images: [] });

  async function reportOf(studentId: number) {
    return db
      .selectFrom('report')
      .selectAll()
      .where('homework_id', '=', homeworkId)
      .where('student_id', '=', studentId)
      .executeTakeFirstOrThrow();
  }

  const inTransaction = <T>(run: (trx: Database) => Promise<T>) => db.transaction().execute(run);

  async function submit(studentId: number, answers: [questionId: number, userAnswer: string][], submitTime = now + 10) {
    const { id: reportId } = await reportOf(studentId);
    return inTransaction((trx) =>
      submitReport(trx, {
        reportId,
        answers: answers.map(([questionId, userAnswer]) => ({ questionId, userAnswer })),
        answerTime: 600,
        submitTime,
      }),
    );
  }

  async function grade(studentId: number, questionId: number, more: Partial<AnswerReview>, actor = grader) {
    const { id: reportId } = await reportOf(studentId);
    const review = { reportId, questionId, version: 0, score: undefined, comment: '', attachments: [], now: now + 20 };
    return inTransaction((trx) => gradeAnswer(trx, actor, { ...review, ...more }));
  }

  async function finish(studentId: number) {
    const { id: reportId } = await reportOf(studentId);
    return inTransaction((trx) => finishReport(trx, grader, { reportId, comment: '继续努力', now: now + 30 }));
  }

  const answersOf = async (studentId: number) =>
    db
      .selectFrom('answer')
      .select(['question_id', 'status', 'score'])
      .where('report_id', '=', (await reportOf(studentId)).id)
      .orderBy('question_id')
      .execute();

  function refusalOf(outcome: unknown): Refusal {
    expect(isRefusal(outcome)).toBe(true);
    return outcome as Refusal;
  }

  const countersOf = (id = homeworkId) =>
    db
      .selectFrom('homework')
      .select([
        'class_count',
        'published_class_count',
        'homework_count',
        'submitted_homework_count',
        'not_revised_homework_count',
      ])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  describe('submission of a report', () => {
    test('scores objective answers, waits for the others, and counts', async () => {
      const outcome = await submit(101, [
        [question.choice, '2'],
        [question.blanks, '2@@5'],
        [question.essay, text('解：略')],
        [question.part, '2'],
      ]);
      expect(outcome).toEqual({ status: 2, user_score: 150 });
      expect(await answersOf(101)).toEqual([
        { question_id: question.choice, status: 1, score: 100 },
        { question_id: question.blanks, status: 2, score: 50 },
        { question_id: question.essay, status: 4, score: null },
        { question_id: question.part, status: 2, score: 0 },
        { question_id: question.partEssay, status: 3, score: 0 },
      ]);
      expect(await reportOf(101)).toMatchObject({
        status: 2,
        objective_score: 150,
        subjective_score: 0,
        submit_time: now + 10,
        answer_time: 600,
        graded_at: null,
      });
      expect(await countersOf()).toMatchObject({
        homework_count: 12,
        submitted_homework_count: 1,
        not_revised_homework_count: 1,
      });
    });

    test('is graded at once without essays', async () => {
      expect(await submit(101, [[question.choice, '1']])).toEqual({ status: 3, user_score: 0 });
      expect(await reportOf(101)).toMatchObject({ status: 3, graded_at: now + 10, graded_by: null });
      expect(await countersOf()).toMatchObject({ submitted_homework_count: 1, not_revised_homework_count: 0 });
    });

    test('works with one question or none', async () => {
      const keep = (ids: number[]) =>
        db.deleteFrom('homework_question').where('homework_id', '=', homeworkId).where('id', 'not in', ids).execute();
      await keep([question.choice]);
      expect(await submit(101, [[question.choice, '2']])).toEqual({ status: 3, user_score: 100 });
      expect(await answersOf(101)).toEqual([{ question_id: question.choice, status: 1, score: 100 }]);
      homeworkId = await addHomework(2);
      await publishToClasses(db, { homeworkId, classIds: [1], now });
      await keep([0]);
      expect(await submit(101, [])).toEqual({ status: 3, user_score: 0 });
    });

    test('is refused when repeated, late, recalled or foreign, without changes', async () => {
      await submit(101, []);
      expect(refusalOf(await submit(101, [[question.choice, '2']])).kind).toBe('conflict');
      expect(refusalOf(await submit(102, [], now + 1000)).kind).toBe('conflict');
      expect(refusalOf(await submit(102, [[question.material, '2']])).kind).toBe('invalid');
      expect(
        refusalOf(
          await submit(102, [
            [question.choice, '1'],
            [question.choice, '2'],
          ]),
        ).kind,
      ).toBe('invalid');
      await db.updateTable('homework').set({ status: 2 }).where('id', '=', homeworkId).execute();
      expect(refusalOf(await submit(102, [])).msg).toBe('该作业已撤回，不能提交');
      expect((await reportOf(102)).status).toBe(1);
      expect(await countersOf()).toMatchObject({ submitted_homework_count: 1 });
      const nobody = await inTransaction((trx) =>
        submitReport(trx, { reportId: 9999, answers: [], answerTime: 0, submitTime: now }),
      );
      expect(refusalOf(nobody).kind).toBe('missing');
    });
  });

  describe('grading of a report', () => {
    beforeEach(async () => {
      await submit(101, [
        [question.choice, '2'],
        [question.essay, text('解：略')],
      ]);
    });

    test('counts a mark, replaces it, and finishes once', async () => {
      expect(refusalOf(await finish(101)).msg).toBe('还有题目未批改，不能完成批改');
      expect(await grade(101, question.essay, { score: 85 })).toEqual({ mode: 2, status: 5, score: 85, version: 1 });
      expect(await reportOf(101)).toMatchObject({ status: 2, subjective_score: 85, user_score: 185 });
      expect(await grade(101, question.essay, { score: 100, version: 1 })).toMatchObject({ status: 1 });
      expect(await grade(101, question.essay, { score: 0, version: 2 })).toMatchObject({ status: 2 });
      expect(await reportOf(101)).toMatchObject({ subjective_score: 0, user_score: 100 });
      expect(await finish(101)).toBeNull();
      expect(await reportOf(101)).toMatchObject({ status: 3, graded_by: 1, graded_at: now + 30, comment: '继续努力' });
      expect(await countersOf()).toMatchObject({ submitted_homework_count: 1, not_revised_homework_count: 0 });
      expect(refusalOf(await finish(101)).kind).toBe('conflict');
      expect(refusalOf(await grade(101, question.essay, { score: 50, version: 3 })).kind).toBe('conflict');
      expect(await countersOf()).toMatchObject({ not_revised_homework_count: 0 });
    });

    test('counts a tenth of a point', async () => {
      await grade(101, question.essay, { score: 84 });
      await grade(101, question.essay, { score: 85, version: 1 });
      expect(await reportOf(101)).toMatchObject({ subjective_score: 85, user_score: 185 });
    });

    test('keeps the answer waiting when saved without a score', async () => {
      expect(await grade(101, question.essay, { comment: '先看图' })).toEqual({
        mode: 2,
        status: 4,
        score: null,
        version: 1,
      });
      expect(refusalOf(await finish(101)).kind).toBe('conflict');
    });

    test("reports a colleague's save without overwriting it", async () => {
      await grade(101, question.essay, { score: 85 }, colleague);
      const refusal = refusalOf(await grade(101, question.essay, { score: 20 }));
      expect(refusal.kind).toBe('conflict');
      expect(refusal.msg).toBe('该题已由吴老师批改，得分8.5');
      expect(refusal.data).toEqual({ user_score: 8.5, name: '吴老师', by_me: 0, version: 1 });
      expect(await reportOf(101)).toMatchObject({ subjective_score: 85 });
    });

    test('refuses marks of objective and blank answers, and above full score', async () => {
      expect(refusalOf(await grade(101, question.choice, { score: 50 })).kind).toBe('conflict');
      expect(refusalOf(await grade(101, question.partEssay, { score: 5 })).kind).toBe('conflict');
      expect(await grade(101, question.partEssay, { score: 0 })).toMatchObject({ status: 3 });
      expect(refusalOf(await grade(101, question.essay, { score: 101 })).kind).toBe('invalid');
      expect(refusalOf(await grade(101, 9999, { score: 1 })).kind).toBe('missing');
      expect(refusalOf(await grade(102, question.essay, { score: 1 })).msg).toBe('该作业未提交，不能批改');
      await db.updateTable('homework').set({ status: 2 }).where('id', '=', homeworkId).execute();
      expect(refusalOf(await grade(101, question.essay, { score: 1 })).msg).toBe('该作业已撤回，不能批改');
      expect(refusalOf(await finish(101)).msg).toBe('该作业已撤回，不能批改');
    });

    test('writes a history row for every mark and finish', async () => {
      await grade(101, question.essay, { score: 85 });
      await grade(101, question.essay, { score: 90, version: 1 });
      await finish(101);
      const rows = await db.selectFrom('history').selectAll().orderBy('id', 'desc').limit(3).execute();
      expect(rows.map((row) => [row.record, row.action, JSON.parse(row.before as string), row.staff_id])).toEqual([
        ['report', 'finish', { status: 2 }, 1],
        ['answer', 'grade', { status: 5, score: 85 }, 1],
        ['answer', 'grade', { status: 4, score: null }, 1],
      ]);
    });

    test("stores a rating's quarter exactly", async () => {
      homeworkId = await addHomework(1);
      await publishToClasses(db, { homeworkId, classIds: [1], now });
      await submit(101, [
        [question.choice, '2'],
        [question.essay, text('解：略')],
      ]);
      expect(refusalOf(await grade(101, question.essay, { score: 30 })).kind).toBe('invalid');
      expect(await grade(101, question.essay, { score: 25 })).toEqual({ mode: 1, status: 5, score: 25, version: 1 });
      expect(await reportOf(101)).toMatchObject({ user_score: 125 });
      expect(refusalOf(await grade(101, question.essay, { score: 50 })).msg).toBe('该题已由周老师批改，正确率25%');
    });
  });

  test('keeps counters equal to a recount after any sequence of steps', async () => {
    const random = seededRandom(7);
    const homeworks: { id: number; essay: number }[] = [];
    for (let count = 0; count < 3; count += 1) homeworks.push({ id: await addHomework(2), essay: question.essay });
    let done = 0;
    for (let step = 0; step < 400; step += 1) {
      const { id, essay } = random.pick(homeworks);
      homeworkId = id;
      const report = await db
        .selectFrom('report')
        .select(['id', 'status'])
        .where('homework_id', '=', id)
        .orderBy('id')
        .limit(1)
        .offset(random.whole(0, 3 * classSize))
        .executeTakeFirst();
      const outcome = await inTransaction<unknown>(async (trx) => {
        if (!report || random.chance(0.02)) {
          return publishToClasses(trx, { homeworkId: id, classIds: [random.pick(classIds)], now });
        }
        if (report.status === 1) {
          const answers = random.chance(0.7) ? [{ questionId: essay, userAnswer: text('解') }] : [];
          return submitReport(trx, { reportId: report.id, answers, answerTime: 1, submitTime: now });
        }
        if (random.chance(0.4)) return finishReport(trx, grader, { reportId: report.id, comment: '', now });
        const review = { reportId: report.id, questionId: essay, version: 0, comment: '', attachments: [], now };
        return gradeAnswer(trx, grader, { ...review, score: random.whole(0, 100) });
      });
      if (!isRefusal(outcome)) done += 1;
    }
    expect(done).toBeGreaterThan(60);

    await expectCountersToBeRight(db);
  });
});

test('equal answers are waiting ones with identical text', () => {
  const key = (content: string, { status = 4, images = [] as string[] } = {}) =>
    sameAnswerKey(JSON.stringify({ content, images }), status);
  expect(key(' 因为\r\n所以 ')).toBe(key('因为\n所以'));
  expect(key('因为')).not.toBe(key('所以'));
  expect(key('因为')).not.toBeNull();
  expect(key('因为', { status: 3 })).toBeNull();
  expect(key(' \n ')).toBeNull();
  expect(key('因为', { images: ['/files/2026/11/1.png'] })).toBeNull();
});
