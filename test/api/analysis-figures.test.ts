/**
 * Compares the analysis with a second, naive computation. Both start from the plain objects behind the random homework.
 * Each test names its seed.
 */
import { describe, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import {
  chance,
  type MadeAnswer,
  type MadeHomework,
  type MadeQuestion,
  type MadeReport,
  makeHomework,
  type Wishes,
} from '../support/random-homework.ts';
import type { TestSchool } from '../support/school.ts';

/** Whole percent, truncated. Computes with BigInt, because the integers may have any size. */
const percent = (part: number, whole: number) => (whole === 0 ? 0 : Number((BigInt(part) * 100n) / BigInt(whole)));
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const unit = (mode: 1 | 2) => (mode === 1 ? 100 : 10);
/** Score of a report in points, truncated to one decimal. */
const earned = (stored: number, mode: 1 | 2) => Math.floor((stored * 10) / unit(mode)) / 10;
/** An average of stored scores in points, with one decimal. */
const average = (total: number, count: number, mode: 1 | 2) =>
  count === 0 ? 0 : Math.round((total * 10) / (count * unit(mode)) + 1e-9) / 10;

type Who = 'teacher' | 'assist' | 'otherAssist';
interface View {
  who: Who;
  classId: number | undefined;
  reports: MadeReport[];
}

/** Lists the views of the staff: all visible classes together, and each class alone. */
function viewsOf(made: MadeHomework): View[] {
  const { assist, otherAssist, nobody } = made.classes;
  const of = (...classIds: number[]) => made.reports.filter(({ classId }) => classIds.includes(classId));
  return [
    { who: 'teacher', classId: undefined, reports: made.reports },
    { who: 'teacher', classId: nobody, reports: of(nobody) },
    { who: 'assist', classId: undefined, reports: of(assist) },
    { who: 'otherAssist', classId: otherAssist, reports: of(otherAssist) },
  ];
}

const submittedOf = (reports: MadeReport[]) => reports.filter(({ status }) => status !== 1);
const gradedOf = (reports: MadeReport[]) => reports.filter(({ status }) => status === 3);
const answersTo = (question: MadeQuestion, reports: MadeReport[]): (MadeAnswer | undefined)[] =>
  reports.map(({ answers }) => answers.find(({ questionId }) => questionId === question.id));
const scoreOf = (report: MadeReport) => sum(report.answers.map(({ score }) => score ?? 0));

function discrimination(question: MadeQuestion, reports: MadeReport[]): number | null {
  const x = answersTo(question, reports).map((answer) => answer?.score ?? 0);
  const rest = reports.map((report, index) => scoreOf(report) - (x[index] as number));
  const mean = (values: number[]) => sum(values) / values.length;
  if (new Set(x).size < 2 || new Set(rest).size < 2) return null;
  const [mx, mr] = [mean(x), mean(rest)];
  const covariance = mean(x.map((value, index) => (value - mx) * ((rest[index] as number) - mr)));
  const variance = (values: number[], middle: number) => mean(values.map((value) => (value - middle) ** 2));
  return (100 * covariance) / Math.sqrt(variance(x, mx) * variance(rest, mr));
}

function fallible(question: MadeQuestion, answers: (MadeAnswer | undefined)[]): string {
  const counts = Array.from({ length: question.options }, (_, index) => ({
    id: index + 1,
    count: answers.filter((answer) => answer?.chosen.includes(index + 1)).length,
  })).filter(({ id, count }) => count > 0 && !question.right.includes(id));
  const most = Math.max(...counts.map(({ count }) => count));
  const first = counts.find(({ count }) => count === most);
  if (!first) return '/';
  return question.type === 2 ? (['正确', '错误'][first.id - 1] ?? '') : ('ABCDEF'[first.id - 1] ?? '');
}

function expectedAnalysis({ questions, mode }: MadeHomework, reports: MadeReport[]) {
  const submitted = submittedOf(reports);
  return questions.map((question) => {
    const answers = answersTo(question, submitted);
    const given = answers.filter((answer) => answer !== undefined && answer.status !== 3);
    const score = sum(answers.map((answer) => answer?.score ?? 0));
    const waiting = answers.filter((answer) => answer?.status === 4).length;
    return {
      _id: question.id,
      number: question.number,
      ques_type: question.type,
      parent_id: question.parentId,
      submitted: submitted.length,
      graded: gradedOf(reports).length,
      total: given.length,
      right_count: answers.filter((answer) => answer?.status === 1).length,
      part_count: answers.filter((answer) => answer?.status === 5).length,
      wrong_count: answers.filter((answer) => answer?.status === 2).length,
      waiting_count: waiting,
      un_answer_count: submitted.length - given.length,
      average_right_percent: percent(score, question.full * (submitted.length - waiting)),
      ques_score: question.full / unit(mode),
      average_score: average(score, submitted.length - waiting, mode),
      fallibility_option: fallible(question, answers),
      options: Array.from(
        { length: question.options },
        (_, index) => answers.filter((answer) => answer?.chosen.includes(index + 1)).length,
      ),
    };
  });
}

function bandOf(score: number, full: number): number {
  // Compares decimal shares, as the definition says. The product compares integers.
  const share = Number((BigInt(score) * 1_000_000n) / BigInt(full)) / 1_000_000;
  const isExactly = (bound: number) => BigInt(score) * 100n === BigInt(full) * BigInt(bound);
  for (const [id, low] of [
    [100, 90],
    [90, 80],
    [80, 70],
    [70, 60],
  ] as const) {
    if (share >= low / 100 && !isExactly(low)) return id;
  }
  return 60;
}

/** Bounds in percent, from the best band down. The last band holds students without a submission. */
const bandBounds = [
  [90, 100],
  [80, 90],
  [70, 80],
  [60, 70],
  [0, 60],
  [0, 0],
] as const;

async function check(school: TestSchool, made: MadeHomework): Promise<void> {
  const { mode, questions } = made;
  const { assist, otherAssist, nobody } = made.classes;
  const classNames = new Map([
    [assist, '随机甲班'],
    [otherAssist, '随机乙班'],
    [nobody, '随机丙班'],
  ]);
  const full = sum(questions.map((question) => question.full));
  for (const { who, classId, reports } of viewsOf(made)) {
    const get = async (path: string) => {
      const { status, body } = await school.as(who).get(path);
      expect(status, `${who} ${path}: ${body.msg}`).toBe(200);
      return body.data;
    };
    const at = (path: string) => `${path}/${made.id}${classId === undefined ? '' : `/${classId}`}`;
    const [submitted, finished] = [submittedOf(reports), gradedOf(reports)];

    // ---- header
    const header = await get(
      classId === undefined ? `homework/${made.id}` : `class/homework/detail/${classId}/${made.id}`,
    );
    expect(header).toMatchObject({
      total: reports.length,
      submit: submitted.length,
      revise: finished.length,
      submit_rate: percent(submitted.length, reports.length),
      revise_rate: percent(finished.length, submitted.length),
      question_num: questions.length,
      score: full / unit(mode),
      is_set_score: mode,
    });
    expect(sum(Object.values(header.scores as { score: number }[]).map(({ score }) => score))).toBeCloseTo(
      full / unit(mode),
    );

    // ---- question analysis
    const expected = expectedAnalysis(made, reports);
    const rows = await get(at('homework/question/analysis'));
    expect(
      rows.map((row: { options: { count: number }[] }) => ({ ...row, options: row.options.map((o) => o.count) })),
    ).toMatchObject(expected);
    for (const [index, row] of rows.entries()) {
      const question = questions[index] as MadeQuestion;
      const score = sum(answersTo(question, submitted).map((answer) => answer?.score ?? 0));
      const marked = submitted.length - row.waiting_count;
      expect(row.average_right_rate).toBeCloseTo(marked ? score / question.full / marked : 0, 9);
      const own = sum(answersTo(question, finished).map((answer) => answer?.score ?? 0));
      expect(row.facility).toBe(finished.length === 0 ? null : percent(own, question.full * finished.length));
      const index2 = finished.length === 0 ? null : discrimination(question, finished);
      if (index2 === null) expect(row.discrimination).toBeNull();
      else expect(Math.abs(row.discrimination - index2)).toBeLessThan(0.051);
      expect(row.parent_ques_item === null).toBe(question.parentId === 0);
    }
    for (const [field, order] of [
      ['right_count', 'desc'],
      ['wrong_count', 'asc'],
      ['average_right_rate', 'desc'],
    ] as const) {
      const sorted = await get(`${at('homework/question/analysis')}?sort_field=${field}&sort=${order}`);
      const values: number[] = sorted.map((row: Record<string, number>) => row[field]);
      expect(values).toEqual([...values].sort((a, b) => (order === 'asc' ? a - b : b - a)));
      expect(sorted.map((row: { _id: number }) => row._id).sort()).toEqual(questions.map(({ id }) => id).sort());
    }

    // ---- answers, and who gave them
    const details = await get(at(who === 'teacher' ? 'homework/answer/detail' : 'class/homework/answer/detail'));
    expect(details).toMatchObject(
      expected.map(({ _id, total, right_count, part_count, wrong_count, un_answer_count, average_right_percent }) => ({
        id: _id,
        answered_count: total,
        right_count,
        part_count,
        wrong_count,
        un_answer_count,
        average_right_percent,
      })),
    );
    expect(
      details.map((row: { option_counts: { count: number }[] }) => row.option_counts.map(({ count }) => count)),
    ).toEqual(expected.map(({ options }) => options));
    const question = questions.at(-1) as MadeQuestion;
    const names = (wanted: (answer: MadeAnswer | undefined) => boolean) =>
      submitted
        .filter((report) => wanted(report.answers.find(({ questionId }) => questionId === question.id)))
        .map(({ nickname }) => nickname)
        .sort();
    for (const [path, wanted] of [
      ['homework/answer/right/students', (answer) => answer?.status === 1],
      ['homework/answer/part/students', (answer) => answer?.status === 5],
      ['class/homework/answer/wrong/students', (answer) => answer?.status === 2],
      ['homework/answered/students', (answer) => answer !== undefined && answer.status !== 3],
      ['class/homework/answer/waiting/students', (answer) => answer?.status === 4],
      ['class/homework/unanswer/students', (answer) => answer === undefined || answer.status === 3],
    ] as [string, (answer: MadeAnswer | undefined) => boolean][]) {
      const found = await get(`${path}?hw_id=${made.id}&class_id=${classId ?? 0}&ques_id=${question.id}`);
      expect(found.map((row: { nickname: string }) => row.nickname).sort(), path).toEqual(names(wanted));
    }

    // ---- by type and by question
    const statistics = (name: string) =>
      who === 'teacher'
        ? `homework/questions${name}/${made.id}?class_id=${classId ?? 0}`
        : `homework/class/question${name}?hw_id=${made.id}&class_id=${classId ?? 0}`;
    const types = [...new Set(questions.map(({ type }) => type))].sort();
    expect(await get(statistics('Statistics').replace('questionsTypeStatistics', 'questionsStatistics'))).toMatchObject(
      expected.map((row, index) => {
        const score = sum(answersTo(questions[index] as MadeQuestion, submitted).map((answer) => answer?.score ?? 0));
        const subjective = row.ques_type === 5;
        return {
          id: row._id,
          total_right: subjective ? null : row.right_count,
          total: submitted.length,
          average_score: row.average_score,
          correct_rate: subjective ? null : percent(row.right_count, submitted.length),
          waiting_count: row.waiting_count,
          score_rate: percent(score, (submitted.length - row.waiting_count) * (questions[index] as MadeQuestion).full),
        };
      }),
    );
    expect(await get(statistics('TypeStatistics'))).toMatchObject(
      types.map((type) => {
        const own = questions.filter((one) => one.type === type);
        const right = sum(expected.filter((row) => row.ques_type === type).map((row) => row.right_count));
        const rows = expected.filter((row) => row.ques_type === type);
        const scores = own.map((one) => sum(answersTo(one, submitted).map((answer) => answer?.score ?? 0)));
        const score = sum(scores);
        const gradedCount = (row: { waiting_count: number }) => submitted.length - row.waiting_count;
        const worth = sum(own.map((one) => one.full));
        return {
          type,
          total: own.length,
          score: worth / unit(mode),
          waiting_count: sum(rows.map((row) => row.waiting_count)),
          average_score:
            Math.round(
              sum(
                rows.map((row, place) =>
                  gradedCount(row) === 0 ? 0 : (scores[place] ?? 0) / unit(mode) / gradedCount(row),
                ),
              ) *
                10 +
                1e-9,
            ) / 10,
          score_rate: percent(
            score,
            sum(rows.map((row, place) => gradedCount(row) * (own[place] as MadeQuestion).full)),
          ),
          correct_rate: type === 5 ? null : percent(right, own.length * submitted.length),
          average_right_answer:
            type === 5 ? null : submitted.length ? Math.round((right / submitted.length) * 10 + 1e-9) / 10 : 0,
        };
      }),
    );

    // ---- transcript
    const transcript = await get(`${at('homework/transcripts')}?limit=999999`);
    expect(transcript.total).toBe(reports.length);
    expect(transcript.list).toHaveLength(reports.length);
    for (const row of transcript.list) {
      const report = reports.find(({ id }) => id === row.id) as MadeReport;
      const objective = sum(
        report.answers
          .filter(({ questionId }) => questions.find(({ id }) => id === questionId)?.type !== 5)
          .map(({ score }) => score ?? 0),
      );
      const objectiveFull = sum(questions.filter(({ type }) => type !== 5).map((one) => one.full));
      const isGraded = report.status === 3;
      expect(row).toMatchObject({
        nickname: report.nickname,
        status: report.status,
        updated_at: report.submitTime ?? 0,
        rank: isGraded ? 1 + finished.filter((other) => scoreOf(other) > scoreOf(report)).length : null,
        user_score: isGraded ? earned(scoreOf(report), mode) : null,
        objective_score: isGraded ? earned(objective, mode) : null,
        subjective_score: isGraded ? earned(scoreOf(report) - objective, mode) : null,
        user_rate: isGraded ? percent(scoreOf(report), full) : null,
        objective_rate: isGraded ? percent(objective, objectiveFull) : null,
        answer_time: isGraded ? report.seconds : null,
      });
    }
    const paged: number[] = [];
    for (let page = 1; page <= Math.ceil(reports.length / 3); page += 1) {
      const { list } = await get(`${at('homework/transcripts')}?limit=3&page=${page}`);
      paged.push(...list.map((row: { id: number }) => row.id));
    }
    expect(paged).toEqual(transcript.list.map((row: { id: number }) => row.id));
    const times = submitted.map(({ seconds }) => seconds);
    expect(await get(at('homework/transcripts/detail'))).toMatchObject({
      total: questions.length,
      score: full / unit(mode),
      object_count: questions.filter(({ type }) => type !== 5).length,
      subject_count: questions.filter(({ type }) => type === 5).length,
      average_answer_time: times.length ? Math.floor(sum(times) / times.length) : 0,
    });

    // ---- distribution
    const scores = finished.map(scoreOf);
    const distribution = await get(at('homework/grade/distribution'));
    const numbers = [100, 90, 80, 70, 60].map((id) => scores.filter((score) => bandOf(score, full) === id).length);
    numbers.push(reports.length - submitted.length);
    expect(distribution).toMatchObject({
      correct_rate: percent(sum(scores), full * scores.length),
      score: full / unit(mode),
      average_score: scores.length ? average(sum(scores), scores.length, mode) : null,
      max_score: scores.length ? earned(Math.max(...scores), mode) : null,
      min_score: scores.length ? earned(Math.min(...scores), mode) : null,
      max_rate: scores.length ? percent(Math.max(...scores), full) : null,
      min_rate: scores.length ? percent(Math.min(...scores), full) : null,
      total: reports.length,
      grade_distribution: bandBounds.map(([low, high], index) => ({
        min: mode === 1 ? low : Math.floor((low * full) / 1000),
        max: mode === 1 ? high : Math.floor((high * full) / 1000),
        number: numbers[index],
        correct_rate: percent(numbers[index] as number, reports.length),
      })),
    });
    for (const [place, band] of distribution.grade_distribution.entries()) {
      const students = await get(
        `${at('homework/grade/distribution/students')}?min=${band.min}&max=${band.max}&band=${band.id}`,
      );
      const wanted =
        band.id === 0
          ? reports.filter(({ status }) => status === 1)
          : finished.filter((report) => bandOf(scoreOf(report), full) === band.id);
      expect(students).toHaveLength(numbers[place] as number);
      // The best student first; equal scores in the order of submission.
      const inOrder = wanted.toSorted((a, b) => scoreOf(b) - scoreOf(a) || a.studentId - b.studentId);
      expect(students).toEqual(
        inOrder.map((report) => ({
          report_id: report.id,
          student_id: report.studentId,
          nickname: report.nickname,
          mobile: '13900000000',
          class_name: classNames.get(report.classId),
          correct_rate: percent(scoreOf(report), full),
          score: earned(scoreOf(report), mode),
        })),
      );
    }

    // ---- one student
    const [one] = submitted;
    if (one) {
      const { ques_type_list } = await get(`student/homework/${one.id}`);
      const answerOf = (id: number) => one.answers.find(({ questionId }) => questionId === id);
      expect(ques_type_list).toMatchObject(
        types.map((type) => {
          const own = questions.filter((question) => question.type === type);
          return {
            ques_type: type,
            total: own.length,
            right_amount: own.filter(({ id }) => answerOf(id)?.status === 1).length,
            right_score: earned(sum(own.map(({ id }) => answerOf(id)?.score ?? 0)), mode),
            total_score: sum(own.map((question) => question.full)) / unit(mode),
          };
        }),
      );
      const info = await get(`homework/${made.id}?report_id=${one.id}`);
      const answered = one.answers.filter(({ status }) => status !== 3).length;
      expect(info).toMatchObject({ user: one.nickname, finish_rate: percent(answered, questions.length) });
    }
  }
}

const today = Math.floor(Date.now() / 86_400_000);

onBothEngines('figures of the homework analysis', (school) => {
  // The last seed differs every day.
  describe.each([1, 2, 3, 5, 8, 13, today])('with seed %i', (seed) => {
    it('equal a second computation for homework with scores', async () => {
      await check(school(), await makeHomework(school(), chance(seed), { mode: 2 }));
    });
    it('equal a second computation for homework with ratings', async () => {
      await check(school(), await makeHomework(school(), chance(seed + 1000), { mode: 1 }));
    });
  });

  it.each<[string, Wishes]>([
    ['without a submission', { submitted: 0, students: 6 }],
    ['without a student', { students: 0 }],
    ['with one student', { students: 1, submitted: 1, graded: 1 }],
    ['with equal scores throughout', { types: [5], answers: 'equal', students: 9, submitted: 1 }],
    ['all right', { answers: 'right', students: 9, submitted: 1 }],
    ['all zero', { answers: 'zero', students: 9, submitted: 1 }],
    ['of subjective questions alone', { types: [5], students: 12 }],
    ['of material questions alone', { types: [6], students: 12, mode: 2 }],
    ['with a question that nobody answered', { firstBlank: true, questions: 3, students: 10, mode: 2 }],
    ['of 100 questions', { questions: 100, students: 8, mode: 2 }],
    ['with nothing graded', { types: [5], graded: 0, submitted: 1, students: 8 }],
  ])('equal a second computation for homework %s', async (_, wishes) => {
    await check(school(), await makeHomework(school(), chance(42), wishes));
  });
});
