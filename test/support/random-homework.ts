/**
 * Creates random homework and reports in the tables. Returns the plain objects from which they were made: tests compute
 * figures from these objects and compare them with the API.
 */
import type { TestSchool } from './school.ts';
import { day, noon } from './school.ts';

/**
 * Random numbers by a linear congruential generator (Numerical Recipes): the same numbers for a seed on every machine.
 */
export function chance(seed: number) {
  let state = BigInt(seed >>> 0);
  const next = () => {
    state = (state * 1_664_525n + 1_013_904_223n) % 4_294_967_296n;
    return Number(state) / 4_294_967_296;
  };
  next();
  const upTo = (most: number) => Math.floor(next() * (most + 1));
  return {
    next,
    upTo,
    between: (least: number, most: number) => least + upTo(most - least),
    pick: <T>(from: readonly T[]): T => from[upTo(from.length - 1)] as T,
    happens: (probability: number) => next() < probability,
  };
}
export type Chance = ReturnType<typeof chance>;

export interface MadeQuestion {
  id: number;
  number: string;
  type: number;
  /** Full score, in the stored unit. */
  full: number;
  right: number[];
  options: number;
  parentId: number;
}

export interface MadeAnswer {
  questionId: number;
  status: number;
  score: number | null;
  chosen: number[];
}

export interface MadeReport {
  id: number;
  studentId: number;
  nickname: string;
  classId: number;
  status: 1 | 2 | 3;
  seconds: number;
  submitTime: number | null;
  answers: MadeAnswer[];
}

export interface MadeHomework {
  id: number;
  mode: 1 | 2;
  classes: { assist: number; otherAssist: number; nobody: number };
  questions: MadeQuestion[];
  reports: MadeReport[];
}

export interface Wishes {
  mode?: 1 | 2;
  /** Number of top-level questions. */
  questions?: number;
  types?: number[];
  students?: number;
  /** Probability that a report is submitted, and probability that a submitted report is graded. */
  submitted?: number;
  graded?: number;
  /** Outcome of every answer: all right, all without points, or all equal. Default: random. */
  answers?: 'right' | 'zero' | 'equal';
  /** True if no student answers the first question. */
  firstBlank?: boolean;
}

const answeredTypes = [1, 2, 3, 4, 5, 7];

/** Creates classes of one assistant, of the other and of nobody, and a homework of the first lecturer for them. */
export async function makeHomework(school: TestSchool, random: Chance, wishes: Wishes = {}): Promise<MadeHomework> {
  const { db } = school.database;
  const mode = wishes.mode ?? random.pick([1, 2] as const);
  const students = wishes.students ?? random.between(0, 25);
  const classes = {
    assist: await addClass(school, '随机甲班', school.people.assist.id),
    otherAssist: await addClass(school, '随机乙班', school.people.otherAssist.id),
    nobody: await addClass(school, '随机丙班', undefined),
  };
  const ids = Object.values(classes);
  for (let index = 0; index < students; index += 1) await addStudent(school, random.pick(ids), `随机学生${index}`);
  const homeworkId = await school.addHomework({
    name: '随机作业',
    creator: 'teacher',
    classes: ids,
    ending: noon - 1,
    publishTime: noon - 10 * day,
  });
  const questions = await addQuestions(school, random, { homeworkId, mode, wishes });
  await db
    .updateTable('homework')
    .set({ is_set_score: mode, total_score: questions.reduce((sum, { full }) => sum + full, 0) })
    .where('id', '=', homeworkId)
    .execute();
  const rows = await db
    .selectFrom('report')
    .innerJoin('student', 'student.id', 'report.student_id')
    .select(['report.id', 'report.student_id', 'report.class_id', 'student.nickname'])
    .where('homework_id', '=', homeworkId)
    .orderBy('student_id')
    .execute();
  const reports: MadeReport[] = [];
  for (const row of rows) {
    const submitted = random.happens(wishes.submitted ?? 0.75);
    const graded = random.happens(wishes.graded ?? 0.8);
    const answers = submitted ? questions.flatMap((one) => answerTo(one, random, { mode, graded, wishes })) : [];
    const waiting = answers.some(({ status }) => status === 4);
    const report: MadeReport = {
      id: row.id,
      studentId: row.student_id,
      nickname: row.nickname,
      classId: row.class_id,
      status: submitted ? (waiting ? 2 : 3) : 1,
      seconds: submitted ? random.between(1, 5000) : 0,
      submitTime: submitted ? noon - random.between(1, 5 * day) : null,
      answers,
    };
    reports.push(report);
    await write(school, report, questions);
  }
  const { recountHomework } = await import('#server/homework/assign.ts');
  await recountHomework(db, homeworkId);
  return { id: homeworkId, mode, classes, questions, reports };
}

export async function addClass(school: TestSchool, name: string, assistantId: number | undefined): Promise<number> {
  const { db } = school.database;
  const someone = await db.selectFrom('school').select('id').executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('class')
    .values({ name, school_id: someone.id, grade_id: null, classify_id: null, large_class_id: null, created_at: noon })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (assistantId !== undefined) {
    await db.insertInto('class_staff').values({ class_id: id, staff_id: assistantId, duty: 'assistant' }).execute();
  }
  return id;
}

export async function addStudent(school: TestSchool, classId: number, nickname: string): Promise<number> {
  const { db } = school.database;
  const someone = await db.selectFrom('school').select('id').executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('student')
    .values({ nickname, mobile: '13900000000', school_id: someone.id, created_at: noon })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('class_student')
    .values({ class_id: classId, student_id: id, joined_at: noon, left_at: null })
    .execute();
  return id;
}

async function addQuestions(
  school: TestSchool,
  random: Chance,
  { homeworkId, mode, wishes }: { homeworkId: number; mode: 1 | 2; wishes: Wishes },
): Promise<MadeQuestion[]> {
  const made: MadeQuestion[] = [];
  const count = wishes.questions ?? random.between(1, 7);
  let sort = 0;
  const insert = async (values: { type: number; full: number; parentId: number; options: number; right: number[] }) => {
    const { type, full, parentId, options, right } = values;
    sort += 1;
    const content = (id: number) => (type === 2 ? (id === 1 ? '正确' : '错误') : `选项<b>${id}</b>`);
    const list = Array.from({ length: options }, (_, index) => index + 1);
    const row = await school.database.db
      .insertInto('homework_question')
      .values({
        homework_id: homeworkId,
        source_id: null,
        parent_id: parentId || null,
        sort,
        ques_type: type,
        ques_stem: `<p>题干 ${sort}</p>`,
        ques_option: JSON.stringify(
          list.map((id) => ({ id, content: content(id), is_right: right.includes(id) ? 1 : 2 })),
        ),
        right_answer: type <= 4 ? right.join(',') : '答',
        score: full,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
  const addQuestion = async (number: string, type: number, parentId: number) => {
    const full = mode === 1 ? 100 : random.between(10, 200);
    const options = type > 4 ? 0 : type === 2 ? 2 : random.between(2, 6);
    const all = Array.from({ length: options }, (_, index) => index + 1);
    const right = type <= 2 ? all.slice(0, 1).map(() => random.pick(all)) : subset(all, random);
    const id = await insert({ type, full, parentId, options, right });
    made.push({ id, number, type, full, right: right.sort((a, b) => a - b), options, parentId });
    return full;
  };
  for (let number = 1; number <= count; number += 1) {
    const type = random.pick(wishes.types ?? [...answeredTypes, 6]);
    if (type !== 6) {
      await addQuestion(String(number), type, 0);
      continue;
    }
    const parentId = await insert({ type: 6, full: 0, parentId: 0, options: 0, right: [] });
    const parts = random.between(1, 4);
    let full = 0;
    for (let part = 1; part <= parts; part += 1) {
      full += await addQuestion(`${number}.${part}`, random.pick(answeredTypes), parentId);
    }
    await school.database.db.updateTable('homework_question').set({ score: full }).where('id', '=', parentId).execute();
  }
  return made;
}

/** Picks a random subset, never empty. */
function subset(all: number[], random: Chance): number[] {
  const some = all.filter(() => random.happens(0.5));
  return some.length > 0 || all.length === 0 ? some : [random.pick(all)];
}

function answerTo(
  question: MadeQuestion,
  random: Chance,
  { mode, graded, wishes }: { mode: 1 | 2; graded: boolean; wishes: Wishes },
): MadeAnswer[] {
  const { id: questionId, type, full, right } = question;
  const blank: MadeAnswer = { questionId, status: 3, score: 0, chosen: [] };
  if (wishes.firstBlank && question.number.split('.')[0] === '1') return [blank];
  if (wishes.answers === 'right') {
    return [{ questionId, status: 1, score: full, chosen: type <= 4 ? right : [] }];
  }
  // Half of the full score for every student, so that all totals are equal.
  if (wishes.answers === 'equal' && type === 5)
    return [{ questionId, status: 5, score: Math.floor(full / 2), chosen: [] }];
  if (wishes.answers === undefined && random.happens(0.04)) return [];
  if (wishes.answers === undefined && random.happens(0.12)) return [blank];
  if (type <= 4) {
    const all = Array.from({ length: question.options }, (_, index) => index + 1);
    let chosen = random.happens(0.4) ? right : type <= 2 ? [random.pick(all)] : subset(all, random);
    if (wishes.answers === 'zero') chosen = [all.find((one) => !right.includes(one)) ?? 0].filter(Boolean);
    if (chosen.length === 0) return [blank];
    const isRight = chosen.length === right.length && chosen.every((one) => right.includes(one));
    return [{ questionId, status: isRight ? 1 : 2, score: isRight ? full : 0, chosen }];
  }
  if (wishes.answers === 'zero') return [{ questionId, status: 2, score: 0, chosen: [] }];
  if (type === 7) {
    const score = random.pick([0, 0, Math.floor(full / 2), full, full]);
    return [{ questionId, status: score === full ? 1 : 2, score, chosen: [] }];
  }
  if (!graded && random.happens(0.7)) return [{ questionId, status: 4, score: null, chosen: [] }];
  const score = mode === 1 ? random.pick([0, 25, 50, 60, 75, 100]) : random.between(0, full);
  return [{ questionId, status: score === full ? 1 : score === 0 ? 2 : 5, score, chosen: [] }];
}

async function write(school: TestSchool, report: MadeReport, questions: MadeQuestion[]): Promise<void> {
  const { db } = school.database;
  const isSubjective = (id: number) => questions.find((one) => one.id === id)?.type === 5;
  const sum = (subjective: boolean) =>
    report.answers
      .filter(({ questionId }) => isSubjective(questionId) === subjective)
      .reduce((total, { score }) => total + (score ?? 0), 0);
  await db
    .updateTable('report')
    .set({
      status: report.status,
      submit_time: report.submitTime,
      answer_time: report.seconds,
      objective_score: sum(false),
      subjective_score: sum(true),
      user_score: sum(false) + sum(true),
    })
    .where('id', '=', report.id)
    .execute();
  if (report.answers.length === 0) return;
  await db
    .insertInto('answer')
    .values(
      report.answers.map(({ questionId, status, score, chosen }) => ({
        report_id: report.id,
        question_id: questionId,
        status,
        score,
        user_answer: chosen.join(','),
        reviewed_by: null,
        reviewed_at: null,
      })),
    )
    .execute();
}
