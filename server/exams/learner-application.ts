/** Learner API of exams: list, take and submit. */
import { type RawBuilder, sql } from 'kysely';
import * as v from 'valibot';
import {
  AnswerOrNull,
  AnswerTime,
  answersBytes,
  ConfirmBlank,
  QuestionId,
  refuseLostPictures,
} from '#server/grading/submitted-answer.ts';
import {
  type ApplicationContext,
  AskedUid,
  forLearner,
  handleApplication,
  SentUid,
  shortBody,
  versionsTogether,
} from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { FlagNumber, Id, Seconds } from '#server/platform/calls/fields.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { groupCommit } from '#server/platform/db/group-commit.ts';
import { grouped } from '#server/platform/db/grouping.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Exam } from '#server/schema/database.ts';
import { beginning, ChangeFilter, changedAfter, changesOf, followedPage } from '#server/school/change-feed.ts';
import { passFlag } from './figures.ts';
import { LearnerSection, learnerPaper } from './learner-paper.ts';
import { mayGoOn } from './reopening.ts';
import { attemptEnd, examPoints, examState, missingExam, showsRightAnswers, testStatus } from './rules.ts';
import { asideOf, savedAnswersOf } from './saved-answers.ts';
import { examsOfStudent, handInOverdue, save, start, submit } from './taking.ts';

/** An id that no exam has. */
const nowhere = 0;
const ExamId = { examId: v.fallback(Id, nowhere) };

const ExamRow = v.object({
  id: v.number(),
  name: v.string(),
  /** 1 test, 2 mock exam. */
  type: v.picklist([1, 2]),
  /** Seconds, 0 without limit. */
  limit_time: v.number(),
  score: v.number(),
  pass_score: v.number(),
  ques_num: v.number(),
  /** published: not begun. withdrawn: no longer available. */
  state: v.picklist(['published', 'running', 'closed', 'withdrawn']),
  /** Null: open since publication, or without end. */
  start_at: v.nullable(Seconds),
  end_at: v.nullable(Seconds),
  /** Maximum submissions (0 without limit), and submissions so far. */
  attempts: v.number(),
  handed_in: v.number(),
  /** The current attempt. `ends_at` null: without end. */
  attempt: v.nullable(v.object({ started_at: Seconds, ends_at: v.nullable(Seconds) })),
  /** 1: the server submitted the last attempt and the exam's end was moved since; `start` resumes it. */
  may_go_on: FlagNumber,
  /** The effective submission. */
  result: v.nullable(
    v.object({
      report_id: v.number(),
      /** 2 waiting for review, 3 reviewed. */
      test_status: v.number(),
      submit_time: Seconds,
      /** Null until reviewed. */
      user_score: v.nullable(v.number()),
      is_pass: v.nullable(FlagNumber),
    }),
  ),
});
type ExamRow = v.InferOutput<typeof ExamRow>;

const exampleRow: ExamRow = {
  id: 5,
  name: '期中考试',
  type: 1,
  limit_time: 3600,
  score: 100,
  pass_score: 60,
  ques_num: 2,
  state: 'running',
  start_at: 1795147200,
  end_at: 1795165200,
  attempts: 1,
  handed_in: 0,
  attempt: { started_at: 1795147260, ends_at: 1795150860 },
  may_go_on: 0,
  result: null,
};

const listExams = call({
  method: 'GET',
  path: '/api/app/exams',
  title: '学员的考试',
  description: '把应答的 since 带入下一次请求，得到此后变化的考试，包括已撤回的。',
  query: v.object({ uid: AskedUid, ...ChangeFilter }),
  answer: changesOf(ExamRow),
  example: { query: { uid: 12 }, answer: { list: [exampleRow], since: '1795147200-5', more: 0 } },
});

const SavedAnswer = v.object({
  ques_id: v.number(),
  user_answer: v.string(),
  is_sign: FlagNumber,
  serial: v.number(),
  saved_at: Seconds,
  /** To send with the next save of this answer. */
  version: v.number(),
  /** Superseded answers: saved by a device that had not read the latest one, or replaced by such a save. */
  aside: v.array(v.object({ user_answer: v.string(), is_sign: FlagNumber, saved_at: Seconds })),
});

const ExamDetail = v.object({
  ...ExamRow.entries,
  /** HTML. */
  introduce: v.string(),
  /** Server time. */
  now: Seconds,
  /** Present while taking the exam, and once right answers may be seen. */
  paper: v.nullable(v.array(LearnerSection)),
  /** Saved answers of the current attempt. */
  answers: v.array(SavedAnswer),
  comment: v.string(),
});

type ExamDetail = v.InferOutput<typeof ExamDetail>;

const examplePaper: v.InferOutput<typeof LearnerSection>[] = [
  {
    id: 9,
    name: '一、选择题',
    introduce: '',
    questions: [
      {
        id: 301,
        sort: '1',
        material: '',
        ques_type: 1,
        ques_stem: '<p>下列是集合的是</p>',
        ques_option: [
          { id: 1, label: 'A', content: '<p>很大的数</p>', side: null },
          { id: 2, label: 'B', content: '<p>小于5的自然数</p>', side: null },
        ],
        blanks: 0,
        ques_score: 5,
        attachments: [],
        result: null,
      },
    ],
  },
];

const showExam = call({
  method: 'GET',
  path: '/api/app/exams/:examId',
  title: '学员的一场考试',
  description:
    '开始作答后才有试卷。成绩在批改完成后给出；正确答案与解析在批改完成且考试结束后给出（没有结束时间的考试：批改完成且不能再次作答后；不限次数的，结束后才给出）。时间已到而未交卷的，查看时由系统交卷。',
  params: ExamId,
  query: v.object({ uid: AskedUid }),
  answer: ExamDetail,
  example: {
    params: { examId: 5 },
    query: { uid: 12 },
    answer: {
      ...exampleRow,
      introduce: '',
      now: 1795147300,
      paper: examplePaper,
      answers: [{ ques_id: 301, user_answer: '2', is_sign: 0, serial: 1, saved_at: 1795147290, version: 1, aside: [] }],
      comment: '',
    },
  },
});

const startExam = call({
  method: 'POST',
  path: '/api/app/exams/:examId/start',
  title: '学员开始考试',
  description:
    '以服务器时间计时。已开始的返回原来的开始时间，可在另一设备上继续。由系统交卷后结束时间又延后的（may_go_on 为1），接着已有的答案继续作答，不另计次数。',
  params: ExamId,
  bodyLimit: shortBody,
  body: v.object({ uid: SentUid }),
  answer: v.object({
    attempt_id: v.number(),
    started_at: Seconds,
    /** Null: without end. */
    ends_at: v.nullable(Seconds),
    now: Seconds,
  }),
  message: '考试已开始',
  example: {
    params: { examId: 5 },
    body: { uid: 12 },
    answer: { attempt_id: 70, started_at: 1795147260, ends_at: 1795150860, now: 1795147260 },
  },
});

const SentAnswers = v.array(
  v.object({
    ques_id: QuestionId,
    user_answer: AnswerOrNull,
    /** 1: marked by the student to come back to. */
    is_sign: v.optional(FlagNumber, 0),
    serial: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)), 0),
    version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER))),
  }),
);

const saveAnswers = call({
  method: 'POST',
  path: '/api/app/exams/:examId/answers',
  title: '学员保存考试答案',
  description:
    '作答时随时保存，可以只带改动的题目。version 为本机读到的该题答案的版本，没有保存过为0：其他设备此后保存过新的答案时，该题不会被覆盖，返回409，data 的 not_kept 为这些题目现在的答案与版本，没有采用的答案另行保留，其余题目已保存。serial 为本机递增的序号（如毫秒时间），只用于同一设备（同一学员令牌）先后的判断，超过服务器时间的按收到的时间计。不存在的选项返回422，errors 的键为 answers.N。时间到后返回409。',
  params: ExamId,
  bodyLimit: answersBytes,
  body: v.object({ uid: SentUid, answers: SentAnswers }),
  answer: v.object({
    saved: v.number(),
    ends_at: v.nullable(Seconds),
    now: Seconds,
    answers: v.array(v.object({ ques_id: v.number(), version: v.number() })),
  }),
  message: '已保存',
  example: {
    params: { examId: 5 },
    body: { uid: 12, answers: [{ ques_id: 301, user_answer: [2], version: 0 }] },
    answer: { saved: 1, ends_at: 1795150860, now: 1795147290, answers: [{ ques_id: 301, version: 1 }] },
  },
});

const handInExam = call({
  method: 'POST',
  path: '/api/app/exams/:examId/submission',
  title: '学员交卷',
  description:
    '按已保存的答案和本次所带的答案交卷，用时以服务器时间计。所带答案的 version 与 serial 同保存答案：有题目没有采用时返回409，不交卷。有题目未作答时返回422并说明题号，确认后带 confirm_blank=1 再交卷。同样的内容重复提交只算一次。时间到后由系统按已保存的答案交卷，此时返回409，data 为交卷结果。',
  params: ExamId,
  bodyLimit: answersBytes,
  body: v.object({
    uid: SentUid,
    answer_time: AnswerTime,
    answers: v.optional(SentAnswers, []),
    confirm_blank: ConfirmBlank,
  }),
  answer: v.object({
    report_id: v.number(),
    /** 2 waiting for review, 3 reviewed. */
    test_status: v.number(),
    submit_time: Seconds,
    /** 1: submitted by the server when time was up. */
    by_server: FlagNumber,
  }),
  message: '交卷成功',
  example: {
    params: { examId: 5 },
    body: { uid: 12, answers: [] },
    answer: { report_id: 88, test_status: 2, submit_time: 1795150000, by_server: 0 },
  },
});

/** Device of the request; '' with a service token, behind which there may be many. */
const deviceOf = ({ learner }: Pick<ApplicationContext, 'learner'>): string =>
  learner ? String(learner.sessionId) : '';

export const learnerExamCalls = [
  handleApplication(listExams, {
    version: ({ query, ...context }) => forLearner(context, query.uid, ({ db, uid, now }) => listVersion(db, uid, now)),
    answer: ({ query, ...context }) =>
      forLearner(context, query.uid, ({ db, uid, now }) => examList(db, uid, { ...query, now })),
  }),
  handleApplication(showExam, {
    version: ({ params, query, ...context }) =>
      forLearner(context, query.uid, ({ db, uid, now }) => examVersion(db, uid, now, params.examId)),
    answer: ({ params, query, ...context }) =>
      forLearner(context, query.uid, ({ db, uid, now }) => detailsTogether(db, params.examId, { uid, now })),
  }),
  handleApplication(startExam, {
    prepare: ({ params, body, ...context }) =>
      forLearner(context, body.uid, ({ db, uid, now }) => start(db, { examId: params.examId, studentId: uid, now })),
  }),
  handleApplication(saveAnswers, {
    prepare: ({ params, body, ...context }) =>
      forLearner(context, body.uid, async ({ db, storage, uid, now }) => {
        const lost = await refuseLostPictures(storage, body.answers);
        const taking = { examId: params.examId, studentId: uid, now };
        return lost ?? save(db, { taking, answers: body.answers, device: deviceOf(context) });
      }),
  }),
  handleApplication(handInExam, {
    prepare: ({ params, body, ...context }) =>
      forLearner(context, body.uid, async ({ db, storage, uid, now }) => {
        const lost = await refuseLostPictures(storage, body.answers);
        const taking = { examId: params.examId, studentId: uid, now };
        const sent = { taking, answers: body.answers, device: deviceOf(context) };
        return lost ?? submit(db, { ...sent, confirmBlank: body.confirm_blank === 1 });
      }),
  }),
];

// ---- reading ----------------------------------------------------------------------------------------

/** Time of the last change. Includes submissions that are not effective, because they end the attempt. */
function movedAt(db: Database): RawBuilder<number> {
  const handedIn = db
    .selectFrom('exam_report')
    .select(({ fn }) => fn.max('exam_report.changed_at').as('changed_at'))
    .where('exam_report.exam_id', '=', sql.ref<number>('exam.id'))
    .where('exam_report.student_id', '=', sql.ref<number>('learner.id'));
  return isSqlite(db)
    ? sql<number>`max(exam.changed_at, coalesce(exam.published_at, 0), coalesce(${handedIn}, 0), coalesce(doing.started_at, 0))`
    : sql<number>`greatest(exam.changed_at, exam.published_at, ${handedIn}, doing.started_at)`;
}

/**
 * Selects the exams of these students with the current attempt, the effective submission and the number of submissions.
 */
function rowsOf(db: Database, uids: RawBuilder<number>) {
  return db
    .selectFrom('student as learner')
    .innerJoin('exam', (join) =>
      join.on((eb) =>
        eb.or([
          eb('exam.school_id', '=', eb.ref('learner.school_id')),
          eb(
            'exam.id',
            'in',
            eb
              .selectFrom('exam_school')
              .select('exam_school.exam_id')
              .whereRef('exam_school.school_id', '=', 'learner.school_id'),
          ),
        ]),
      ),
    )
    .leftJoin('exam_attempt as doing', (join) =>
      join
        .onRef('doing.exam_id', '=', 'exam.id')
        .onRef('doing.student_id', '=', 'learner.id')
        .on('doing.handed_in_at', 'is', null),
    )
    .leftJoin('exam_report as mine', (join) =>
      join
        .onRef('mine.exam_id', '=', 'exam.id')
        .onRef('mine.student_id', '=', 'learner.id')
        .on('mine.is_effective', '=', 1)
        // A resumed report does not count as submitted.
        .on(sql<boolean>`mine.id <> coalesce(doing.report_id, 0)`),
    )
    .leftJoin('exam_attempt as last', (join) =>
      join.on('last.id', '=', (eb) =>
        eb
          .selectFrom('exam_attempt as any')
          .select((max) => max.fn.max('any.id').as('id'))
          .whereRef('any.exam_id', '=', 'exam.id')
          .whereRef('any.student_id', '=', 'learner.id'),
      ),
    )
    .where('learner.id', 'in', uids)
    .selectAll('exam')
    .select([
      'last.by_server as last_by_server',
      'last.limit_at as last_limit_at',
      'last.report_id as last_report_id',
      'learner.id as uid',
      'doing.id as attempt_id',
      'doing.started_at',
      'doing.limit_at',
      'mine.id as report_id',
      'mine.test_status',
      'mine.submit_time',
      'mine.user_score',
      'mine.comment',
      movedAt(db).as('moved_at'),
    ])
    .select((eb) =>
      eb
        .selectFrom('exam_report')
        .select((count) => count.fn.countAll<number>().as('reports'))
        .whereRef('exam_report.exam_id', '=', 'exam.id')
        .whereRef('exam_report.student_id', '=', 'learner.id')
        .where(sql<boolean>`exam_report.id <> coalesce(doing.report_id, 0)`)
        .as('handed_in'),
    );
}
type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>;

const idOfExam = sql<number>`exam.id`;

/**
 * Includes withdrawn exams, so that clients following the list learn of it; drafts that were never published are
 * excluded.
 */
const listedRows = prepared(
  (db, { uid, at, id, most }: Placeholders<Record<'uid' | 'at' | 'id' | 'most', number>>, asked: 'first' | 'again') => {
    const seen = rowsOf(db, sql`(${uid})`).where((eb) =>
      asked === 'again' ? eb.or([eb('exam.status', '=', 1), eb('exam.changed_at', '>', 0)]) : eb('exam.status', '=', 1),
    );
    return changedAfter(seen, { changed: movedAt(db), id: idOfExam }, { at, id }, most);
  },
);

async function examList(
  db: Database,
  uid: number,
  following: Omit<v.InferOutput<NonNullable<typeof listExams.query>>, 'uid'> & { now: number },
) {
  const { since, limit, now } = following;
  const ask = () => listedRows(db, { uid, ...(since ?? beginning), most: limit + 1 }, since ? 'again' : 'first');
  const before = await ask();
  const over = before.filter((row) => isOver(row, now));
  for (const { id } of over) await handInOverdue(db, now, { examId: id, studentId: uid });
  const found = over.length > 0 ? await ask() : before;
  const position = ({ moved_at, id }: Row) => ({ at: Number(moved_at ?? 0), id });
  const { rows, ...page } = followedPage(found, position, following);
  return { list: rows.map((row) => rowOf(row, now)), ...page };
}

function rowOf(row: Row, now: number): ExamRow {
  const state = examState(row, now);
  const end = attemptEnd({ limit_at: row.limit_at }, row);
  const isReviewed = row.test_status === testStatus.reviewed;
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    limit_time: row.limit_time,
    score: examPoints(row.score),
    pass_score: examPoints(row.pass_score),
    ques_num: row.ques_num,
    state: state === 'draft' ? 'withdrawn' : state,
    start_at: row.start_at,
    end_at: row.end_at,
    attempts: row.attempts,
    handed_in: Number(row.handed_in ?? 0),
    attempt: row.started_at === null || isOver(row, now) ? null : { started_at: row.started_at, ends_at: end },
    may_go_on: state === 'running' && mayGoOn(lastOf(row), row, now) ? 1 : 0,
    result:
      row.report_id === null || row.test_status === null
        ? null
        : {
            report_id: row.report_id,
            test_status: row.test_status,
            submit_time: row.submit_time ?? 0,
            user_score: isReviewed ? examPoints(row.user_score ?? 0) : null,
            is_pass: passFlag(reportOf(row), row),
          },
  };
}

const isOver = (row: Row, now: number): boolean => {
  const end = attemptEnd({ limit_at: row.limit_at }, row);
  return row.attempt_id !== null && end !== null && end <= now;
};

const lastOf = (row: Row) => ({
  by_server: row.last_by_server ?? 0,
  limit_at: row.last_limit_at,
  report_id: row.last_report_id,
});

const reportOf = (row: Row) => ({ test_status: row.test_status ?? 0, user_score: row.user_score ?? 0 });

const publishedRows = prepared((db, { uids, examId }: Placeholders<{ uids: string; examId: number }>) =>
  rowsOf(db, inJsonIds(db, uids)).where('exam.id', '=', examId).where('exam.status', '=', 1),
);

/** Maximum students of one exam per statement. */
const shownAtOnce = 50;

/** Batched: thousands open an exam in the same minute. */
const detailsTogether = groupCommit(
  shownAtOnce,
  async (db, looks: readonly { uid: number; now: number }[], examId): Promise<(ExamDetail | Refusal)[]> => {
    const uids = JSON.stringify([...new Set(looks.map(({ uid }) => uid))]);
    const before = await publishedRows(db, { uids, examId });
    const over = looks.filter(({ uid, now }) => before.some((row) => row.uid === uid && isOver(row, now)));
    for (const { uid, now } of over) await handInOverdue(db, now, { examId, studentId: uid });
    const rows = over.length > 0 ? await publishedRows(db, { uids, examId }) : before;
    const rowBy = new Map(rows.map((row) => [row.uid, row]));
    const saved = await savedAnswers(
      db,
      [...rowBy.values()].flatMap(({ attempt_id }) => attempt_id ?? []),
    );
    return Promise.all(
      looks.map(({ uid, now }) => {
        const row = rowBy.get(uid);
        return row ? examDetail(db, row, saved.get(row.attempt_id ?? nowhere) ?? [], now) : missing(missingExam);
      }),
    );
  },
);

async function examDetail(db: Database, row: Row, saved: ExamDetail['answers'], now: number): Promise<ExamDetail> {
  const shown = rowOf(row, now);
  const isTaking = shown.attempt !== null;
  const reviewed = row.test_status === testStatus.reviewed;
  const facts = { reviewed, earlier: shown.handed_in, taking: row.attempt_id !== null };
  const reportId = showsRightAnswers(row, facts, now) ? row.report_id : null;
  const exam: Exam = row;
  const { introduce, sections } = await learnerPaper(db, exam, reportId ?? undefined);
  return {
    ...shown,
    introduce,
    now,
    paper: isTaking || reportId !== null ? sections : null,
    answers: isTaking ? saved : [],
    comment: reviewed ? (row.comment ?? '') : '',
  };
}

/** Reads saved answers by attempt. */
async function savedAnswers(db: Database, attempts: readonly number[]) {
  const rows = await savedAnswersOf(db, attempts);
  const answers = rows.map(({ attempt_id, question_id, device: _, aside, ...answer }) => ({
    attempt_id,
    answer: { ques_id: question_id, ...answer, aside: asideOf(aside) },
  }));
  return new Map(
    [...grouped(answers, ({ attempt_id }) => attempt_id)].map(([id, of]) => [id, of.map(({ answer }) => answer)]),
  );
}

/** Selects the facts that determine a student's list of exams, or one exam, as columns. */
function examFacts(db: Database, uid: RawBuilder<number>, now: Operand<number>, examId?: Operand<number>) {
  const isOne = examId !== undefined;
  const attempts = db
    .selectFrom('exam_attempt')
    .select(
      sql<string>`count(*) || ' ' || count(handed_in_at) || ' ' || coalesce(sum(case when limit_at <= ${now} then 1 else 0 end), 0)
        || ' ' || ${isOne ? sql`coalesce(sum(saves), 0)` : sql`''`}`.as('facts'),
    )
    .where('student_id', '=', uid)
    .$if(isOne, (query) => query.where('exam_id', '=', examId ?? 0));
  const reports = db
    .selectFrom('exam_report')
    .select(sql<string>`count(*) || ' ' || coalesce(sum(changed_at), 0)`.as('facts'))
    .where('student_id', '=', uid)
    .$if(isOne, (query) => query.where('exam_id', '=', examId ?? 0));
  const exams = examsOfStudent(db, uid)
    .select(
      sql<string>`count(*) || ' ' || coalesce(sum(exam.changed_at + coalesce(exam.published_at, 0) * exam.status), 0)
        || ' ' || coalesce(sum(case when exam.start_at <= ${now} then 1 else 0 end), 0)
        || ' ' || coalesce(sum(case when exam.end_at <= ${now} then 1 else 0 end), 0)`.as('facts'),
    )
    .$if(isOne, (query) => query.where('exam.id', '=', examId ?? 0));
  return [exams.as('exams'), attempts.as('attempts'), reports.as('reports')] as const;
}

const factsOfOne = prepared((db, { uids, now, examId }: Placeholders<{ uids: string; now: number; examId: number }>) =>
  db
    .selectFrom('student as learner')
    .select('learner.id')
    .select(examFacts(db, sql<number>`learner.id`, now, examId))
    .where('learner.id', 'in', inJsonIds(db, uids)),
);

/** Polled by thousands every few seconds: one statement serves concurrent polls. */
const factsOfLists = prepared((db, { uids, now }: Placeholders<{ uids: string; now: number }>) =>
  db
    .selectFrom('student as learner')
    .select('learner.id')
    .select(examFacts(db, sql<number>`learner.id`, now))
    .where('learner.id', 'in', inJsonIds(db, uids)),
);

/**
 * Version of the list: changes with every exam, attempt and report, and when an exam opens or closes. Saves within an
 * attempt change only the exam's version.
 */
const listVersion = versionsTogether(async (db, uids, now) =>
  (await factsOfLists(db, { uids: JSON.stringify(uids), now })).map(factsOf),
);

/** Version of one exam. */
const examVersion = versionsTogether(async (db, uids, now, examId) =>
  (await factsOfOne(db, { uids: JSON.stringify(uids), now, examId })).map(factsOf),
);

type Facts = Awaited<ReturnType<typeof factsOfLists>>[number];
const factsOf = ({ id, exams, attempts, reports }: Facts) => ({ uid: id, facts: [exams, attempts, reports] });
