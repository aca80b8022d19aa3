/** Declares the learners' calls for exams: addresses, inputs, answers, examples. */
import * as v from 'valibot';
import { AnswerOrNull, AnswerTime, answersBytes, ConfirmBlank, QuestionId } from '#server/grading/submitted-answer.ts';
import { BodyUid, QueryUid, shortBodyBytes } from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { FlagNumber, Id, Seconds } from '#server/platform/calls/fields.ts';
import { ChangeFilter, changesOf } from '#server/school/change-feed.ts';
import { LearnerSection } from './learner-paper.ts';

/** Used for invalid ids: no exam has it, so the call answers 404. */
export const noExamId = 0;

const ExamId = { examId: v.fallback(Id, noExamId) };

export const ExamRow = v.object({
  id: v.number(),
  name: v.string(),
  /** 1: test. 2: mock exam. */
  type: v.picklist([1, 2]),
  /** Time limit in seconds; 0: none. */
  limit_time: v.number(),
  score: v.number(),
  pass_score: v.number(),
  ques_num: v.number(),
  /** State of an exam. `published`: not begun yet. `withdrawn`: no longer available. */
  state: v.picklist(['published', 'running', 'closed', 'withdrawn']),
  /** `start_at` null: open since publication. `end_at` null: without end. */
  start_at: v.nullable(Seconds),
  end_at: v.nullable(Seconds),
  /** Maximum number of submissions (0: no limit), and the student's submissions so far. */
  attempts: v.number(),
  handed_in: v.number(),
  /** The student's current attempt; null if there is none. `ends_at` null: the attempt has no end. */
  attempt: v.nullable(v.object({ started_at: Seconds, ends_at: v.nullable(Seconds) })),
  /**
   * 1: the server submitted the last attempt and the exam's end was moved afterwards, so `start` resumes that attempt.
   */
  may_go_on: FlagNumber,
  /** The student's effective submission; null if there is none. */
  result: v.nullable(
    v.object({
      report_id: v.number(),
      /** 2: waits for a grader. 3: graded. */
      test_status: v.number(),
      submit_time: Seconds,
      /** Null until the submission is graded. */
      user_score: v.nullable(v.number()),
      is_pass: v.nullable(FlagNumber),
    }),
  ),
});

export type ExamRow = v.InferOutput<typeof ExamRow>;

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

export const listExams = call({
  method: 'GET',
  path: '/api/app/exams',
  title: '学员的考试',
  description: '把应答的 since 带入下一次请求，得到此后变化的考试，包括已撤回的。',
  query: v.object({ uid: QueryUid, ...ChangeFilter }),
  answer: changesOf(ExamRow),
  example: { query: { uid: 12 }, answer: { list: [exampleRow], since: '1795147200-5', more: 0 } },
});

const SavedAnswer = v.object({
  ques_id: v.number(),
  user_answer: v.string(),
  is_sign: FlagNumber,
  serial: v.number(),
  saved_at: Seconds,
  /** Version of the saved answer; the next save of this answer sends it back. */
  version: v.number(),
  /** Superseded answers: saved by a device that had not read the latest one, or replaced by such a save. */
  aside: v.array(v.object({ user_answer: v.string(), is_sign: FlagNumber, saved_at: Seconds })),
});

export const ExamDetail = v.object({
  ...ExamRow.entries,
  /** HTML. */
  introduce: v.string(),
  /** Time on the server. */
  now: Seconds,
  /** The questions; null unless the student is taking the exam or may see the right answers. */
  paper: v.nullable(v.array(LearnerSection)),
  /** Saved answers of the current attempt. */
  answers: v.array(SavedAnswer),
  comment: v.string(),
});

export type ExamDetail = v.InferOutput<typeof ExamDetail>;

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

export const showExam = call({
  method: 'GET',
  path: '/api/app/exams/:examId',
  title: '学员的一场考试',
  description:
    '开始作答后才有试卷。成绩在批改完成后给出；正确答案与解析在批改完成且考试结束后给出（没有结束时间的考试：批改完成且不能再次作答后；不限次数的，结束后才给出）。时间已到而未交卷的，查看时由系统交卷。',
  params: ExamId,
  query: v.object({ uid: QueryUid }),
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

export const startExam = call({
  method: 'POST',
  path: '/api/app/exams/:examId/start',
  title: '学员开始考试',
  description:
    '以服务器时间计时。已开始的返回原来的开始时间，可在另一设备上继续。由系统交卷后结束时间又延后的（may_go_on 为1），接着已有的答案继续作答，不另计次数。',
  params: ExamId,
  bodyLimit: shortBodyBytes,
  body: v.object({ uid: BodyUid }),
  answer: v.object({
    attempt_id: v.number(),
    started_at: Seconds,
    /** When the attempt ends, unix seconds; null: it has no end. */
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
    /** 1: the student marked the question to come back to it. */
    is_sign: v.optional(FlagNumber, 0),
    serial: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)), 0),
    version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER))),
  }),
);

export const saveAnswers = call({
  method: 'POST',
  path: '/api/app/exams/:examId/answers',
  title: '学员保存考试答案',
  description:
    '作答时随时保存，可以只带改动的题目。version 为本机读到的该题答案的版本，没有保存过为0：其他设备此后保存过新的答案时，该题不会被覆盖，返回409，data 的 not_kept 为这些题目现在的答案与版本，没有采用的答案另行保留，其余题目已保存。serial 为本机递增的序号（如毫秒时间），只用于同一设备（同一学员令牌）先后的判断，超过服务器时间的按收到的时间计。不存在的选项返回422，errors 的键为 answers.N。时间到后返回409。',
  params: ExamId,
  bodyLimit: answersBytes,
  body: v.object({ uid: BodyUid, answers: SentAnswers }),
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

export const handInExam = call({
  method: 'POST',
  path: '/api/app/exams/:examId/submission',
  title: '学员交卷',
  description:
    '按已保存的答案和本次所带的答案交卷，用时以服务器时间计。所带答案的 version 与 serial 同保存答案：有题目没有采用时返回409，不交卷。有题目未作答时返回422并说明题号，确认后带 confirm_blank=1 再交卷。同样的内容重复提交只算一次。时间到后由系统按已保存的答案交卷，此时返回409，data 为交卷结果。',
  params: ExamId,
  bodyLimit: answersBytes,
  body: v.object({
    uid: BodyUid,
    answer_time: AnswerTime,
    answers: v.optional(SentAnswers, []),
    confirm_blank: ConfirmBlank,
  }),
  answer: v.object({
    report_id: v.number(),
    /** 2: waits for a grader. 3: graded. */
    test_status: v.number(),
    submit_time: Seconds,
    /** 1: the server submitted it when time was up. */
    by_server: FlagNumber,
  }),
  message: '交卷成功',
  example: {
    params: { examId: 5 },
    body: { uid: 12, answers: [] },
    answer: { report_id: 88, test_status: 2, submit_time: 1795150000, by_server: 0 },
  },
});
