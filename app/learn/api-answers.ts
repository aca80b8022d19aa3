/**
 * Schemas of the responses of the public calls, reduced to the fields that the learners' pages show. Times are unix
 * seconds.
 */
import * as v from 'valibot';
import { providerKinds } from '#server/identity/rules.ts';

const Named = v.object({ id: v.number(), name: v.string() });
const Image = v.object({ url: v.string(), path: v.string() });
const Flag = v.picklist([0, 1]);

/** One page of a list. `more` is 1 if another page follows; `since` is the next page's cursor. */
const listOf = <Row extends v.GenericSchema<unknown, unknown>>(row: Row) =>
  v.object({ list: v.array(row), since: v.string(), more: Flag });

export const Session = v.object({ token: v.string(), must_change_password: Flag });
const Provider = v.object({ kind: v.picklist(providerKinds), name: v.string() });
export type Provider = v.InferOutput<typeof Provider>;
/**
 * How learners can sign in. `code` 1: with a code, because the school sends text messages. `site`: origin to which
 * providers return.
 */
export const Ways = v.object({ code: Flag, providers: v.array(Provider), site: v.string() });
export type Ways = v.InferOutput<typeof Ways>;
export const BegunIdentity = v.object({ address: v.string() });
export const CompletedIdentity = v.object({ token: v.string(), return_to: v.string() });
/** Data of a refusal: the page that the learner wanted to open. */
export const ReturnTarget = v.object({ return_to: v.string() });
/** `onwards`: the provider's logout address; '' if there is none. */
export const SignedOut = v.object({ onwards: v.string() });
/** `fault`: why the link cannot be removed; '' if it can be. */
const OwnLink = v.object({
  provider: v.string(),
  provider_name: v.string(),
  number: v.string(),
  name: v.string(),
  used_at: v.number(),
  fault: v.string(),
});
export type OwnLink = v.InferOutput<typeof OwnLink>;
export const OwnLinks = v.array(OwnLink);
/** Data of a refusal (403): the learner signed in with a first password. */
export const MustChangePassword = v.object({ must_change_password: v.literal(1) });
export const OwnPassword = v.object({ must_change_password: Flag, asks_old: Flag });
export type OwnPassword = v.InferOutput<typeof OwnPassword>;
export const EmptyAnswer = v.null();

export const Me = v.object({
  uid: v.number(),
  nickname: v.string(),
  school: Named,
  now: v.number(),
  timezone: v.string(),
});
export type Me = v.InferOutput<typeof Me>;

export const HomeworkRow = v.object({
  id: v.number(),
  name: v.string(),
  course: Named,
  period_title: v.string(),
  ending_time: v.number(),
  state: v.picklist(['open', 'missed', 'waiting', 'graded', 'recalled']),
  /** 1: results in percent. 2: results in points. */
  is_set_score: v.number(),
  user_score: v.nullable(v.number()),
  correct_rate: v.nullable(v.number()),
});
export type HomeworkRow = v.InferOutput<typeof HomeworkRow>;
export const HomeworkList = listOf(HomeworkRow);

const Result = v.object({
  status: v.number(),
  user_score: v.nullable(v.number()),
  right_answer: v.string(),
  ques_analysis: v.string(),
  review_comment: v.string(),
});

/** Fields shared by questions of homework and exams. `material`, `ques_stem` and `content` are HTML. */
const question = {
  id: v.number(),
  sort: v.string(),
  material: v.string(),
  ques_type: v.number(),
  ques_stem: v.string(),
  blanks: v.number(),
  ques_score: v.number(),
};

const HomeworkQuestion = v.object({
  ...question,
  ques_option: v.array(v.object({ id: v.number(), content: v.string() })),
  user_answer: v.string(),
  answer_content: v.string(),
  answer_images: v.array(Image),
  result: v.nullable(v.object({ ...Result.entries, right_answer_shown: v.string() })),
});

export const Homework = v.object({
  ...HomeworkRow.entries,
  remark: v.string(),
  answers_shown: Flag,
  questions: v.array(HomeworkQuestion),
  draft: v.nullable(
    v.object({
      version: v.number(),
      answer_time: v.number(),
      saved_at: v.number(),
      answers: v.array(v.object({ ques_id: v.number(), user_answer: v.string() })),
    }),
  ),
  result: v.nullable(
    v.object({ user_score: v.number(), sum_score: v.number(), correct_rate: v.number(), comment: v.string() }),
  ),
});
export type Homework = v.InferOutput<typeof Homework>;

export const HomeworkDraft = v.object({ version: v.number(), saved_at: v.number() });
export const SubmittedHomework = v.object({ report_id: v.number() });
export const Picture = v.object({ path: v.string() });

const ExamQuestion = v.object({
  ...question,
  ques_option: v.array(
    v.object({
      id: v.number(),
      label: v.string(),
      content: v.string(),
      side: v.nullable(v.picklist(['left', 'right'])),
    }),
  ),
  result: v.nullable(
    v.object({
      ...Result.entries,
      user_answer: v.string(),
      answer_content: v.string(),
      answer_images: v.array(Image),
      answer_html: v.string(),
    }),
  ),
});

export const ExamRow = v.object({
  id: v.number(),
  name: v.string(),
  limit_time: v.number(),
  score: v.number(),
  pass_score: v.number(),
  ques_num: v.number(),
  state: v.picklist(['published', 'running', 'closed', 'withdrawn']),
  start_at: v.nullable(v.number()),
  end_at: v.nullable(v.number()),
  attempts: v.number(),
  handed_in: v.number(),
  attempt: v.nullable(v.object({ started_at: v.number(), ends_at: v.nullable(v.number()) })),
  may_go_on: Flag,
  result: v.nullable(
    v.object({
      test_status: v.number(),
      submit_time: v.number(),
      user_score: v.nullable(v.number()),
      is_pass: v.nullable(Flag),
    }),
  ),
});
export type ExamRow = v.InferOutput<typeof ExamRow>;
export const ExamList = listOf(ExamRow);

export const Exam = v.object({
  ...ExamRow.entries,
  introduce: v.string(),
  now: v.number(),
  paper: v.nullable(
    v.array(v.object({ id: v.number(), name: v.string(), introduce: v.string(), questions: v.array(ExamQuestion) })),
  ),
  answers: v.array(
    v.object({
      ques_id: v.number(),
      user_answer: v.string(),
      is_sign: Flag,
      version: v.number(),
      aside: v.array(v.object({ user_answer: v.string(), saved_at: v.number() })),
    }),
  ),
  comment: v.string(),
});
export type Exam = v.InferOutput<typeof Exam>;

export const StartedExam = v.object({ ends_at: v.nullable(v.number()) });
export const SavedAnswers = v.object({
  ends_at: v.nullable(v.number()),
  now: v.number(),
  answers: v.array(v.object({ version: v.number() })),
});
export const SubmittedExam = v.object({ report_id: v.number(), by_server: Flag });

const Lesson = v.object({
  kind: v.picklist(['period', 'course', 'meeting']),
  id: v.number(),
  title: v.string(),
  course: v.nullable(Named),
  class: Named,
  nickname: v.string(),
  room_name: v.string(),
  start: v.number(),
  end: v.number(),
  live_status: v.number(),
  is_cancelled: Flag,
  /** Tells when the lesson can be joined. Meetings also have a join code. */
  join: v.object({
    state: v.picklist(['early', 'open', 'over', 'closed']),
    opens_at: v.nullable(v.number()),
    reason: v.string(),
    code: v.string(),
  }),
  op_status: v.nullable(v.number()),
  attended: v.nullable(v.number()),
  may_ask_leave: Flag,
});
export type Lesson = v.InferOutput<typeof Lesson>;
export const Lessons = v.object({ from: v.number(), to: v.number(), now: v.number(), list: v.array(Lesson) });

export const Leave = v.object({
  id: v.number(),
  course: Named,
  period: v.object({ title: v.string(), start_play: v.number() }),
  op_status: v.number(),
  leave_cause: v.string(),
  requested_at: v.number(),
  decided_at: v.nullable(v.number()),
  decided_by: v.string(),
});
export const RequestedLeave = v.object({ id: v.number() });
export const LeaveList = listOf(Leave);

const NoticeRow = v.object({
  id: v.number(),
  title: v.string(),
  class: Named,
  nickname: v.string(),
  updated_at: v.number(),
  read_at: v.nullable(v.number()),
});
export const NoticeList = listOf(NoticeRow);
export const Notice = v.object({ ...NoticeRow.entries, content: v.string() });

/** A question of a homework or an exam. */
export type Question = v.InferOutput<typeof HomeworkQuestion> | v.InferOutput<typeof ExamQuestion>;
/** The result of a question, in the same shape for homework and exams. */
export interface QuestionResult extends v.InferOutput<typeof Result> {
  user_answer: string;
  /** The learner's answer as HTML. */
  answer_content: string;
  /** `url` is the learner's picture. `path` is the same picture with the grader's mark-up, or empty. */
  answer_images: { url: string; path: string }[];
  /** The right answer as HTML. */
  right_shown: string;
}
