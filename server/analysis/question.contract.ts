/** Statistics of a homework's questions, and the students behind the figures. */
import * as v from 'valibot';
import { maxId, SortDirection, searchWord } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { AnsweredType, Count, IdInQuery, inScope, Percent, QuestionType, ScopeClass, ScoreMode } from './contract.ts';
import { FileAddress } from './transcript.contract.ts';

// ---- question analysis -------------------------------------------------------------------------

const MaterialStem = v.object({ _id: v.number(), ques_stem: v.string(), stem_text: v.string() });

/** An option, with the number of submitted reports that chose it. */
const OptionTally = v.object({
  id: v.number(),
  label: v.string(),
  content: v.string(),
  is_right: v.picklist([1, 2]),
  count: Count,
  rate: Percent,
});

/**
 * A question with its statistics. Each of the `submitted` reports is right, partly right (`part_count`), wrong,
 * unanswered, or not graded yet (`waiting_count`). Rates and averages cover answers that have a score; an unanswered
 * question counts with 0. `number`: 3, or 3.1 for a part of a material question, whose `parent_id` is not 0.
 * `average_right_percent`: `average_right_rate` in percent, cut off from exact sums. `facility` (percent) and
 * `discrimination` (-100 to 100, one decimal) cover `graded` reports; they are null if undefined.
 */
export const QuestionAnalysisRow = v.object({
  _id: v.number(),
  number: v.string(),
  ques_stem: v.string(),
  stem_text: v.string(),
  ques_type: AnsweredType,
  parent_id: v.number(),
  parent_ques_item: v.nullable(MaterialStem),
  submitted: Count,
  graded: Count,
  total: Count,
  right_count: Count,
  part_count: Count,
  wrong_count: Count,
  waiting_count: Count,
  un_answer_count: Count,
  average_right_rate: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  average_right_percent: Percent,
  ques_score: v.number(),
  average_score: v.number(),
  fallibility_option: v.string(),
  facility: v.nullable(Percent),
  discrimination: v.nullable(v.number()),
  options: v.array(OptionTally),
});
export type QuestionAnalysisRow = v.InferOutput<typeof QuestionAnalysisRow>;

/** Columns to sort by. `number` is the position in the paper. */
export const analysisSortFields = ['number', 'right_count', 'wrong_count', 'average_right_rate'] as const;
export const AnalysisOrder = v.object({ sort_field: searchWord(analysisSortFields), sort: SortDirection });
export type AnalysisOrder = v.InferOutput<typeof AnalysisOrder>;

export const questionAnalysis = call({
  method: 'GET',
  path: 'homework/question/analysis/:hwId/:classId?',
  title: '题目分析',
  fromReplica: true,
  ...inScope,
  query: AnalysisOrder,
  answer: v.array(QuestionAnalysisRow),
});

// ---- type and question statistics --------------------------------------------------------------

/** Homework of the call: lecturers send it in the path, assistants in the query. */
const statisticsScope = {
  params: {
    hwId: v.optional(v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number), v.maxValue(maxId))),
  },
  query: v.object({ hw_id: IdInQuery, class_id: ScopeClass }),
};

/**
 * Statistics of a question type over `submitted` reports. Scores and rates cover answers that have a score;
 * `waiting_count` answers are not graded yet. `total`: number of questions of the type. `average_right_answer`: how
 * many of them are right on average (one decimal). Short answers have no right count and no correct rate: null.
 */
export const TypeStatistics = v.object({
  type: AnsweredType,
  name: v.string(),
  average_right_answer: v.nullable(v.number()),
  total: Count,
  waiting_count: Count,
  average_score: v.number(),
  score: v.number(),
  correct_rate: v.nullable(Percent),
  score_rate: Percent,
  submitted: Count,
});
export type TypeStatistics = v.InferOutput<typeof TypeStatistics>;

export const questionTypeStatistics = call({
  method: 'GET',
  path: {
    teacher: 'homework/questionsTypeStatistics/:hwId',
    assist: 'homework/class/questionTypeStatistics',
  },
  title: '题型统计',
  fromReplica: true,
  ...statisticsScope,
  answer: v.array(TypeStatistics),
});

/**
 * Statistics of one question. `total`: number of submitted reports. `average_score` and `score_rate` cover answers that
 * have a score.
 */
export const QuestionStatistics = v.object({
  id: v.number(),
  number: v.string(),
  ques_type: AnsweredType,
  ques_stem: v.string(),
  stem_text: v.string(),
  total_right: v.nullable(Count),
  total: Count,
  waiting_count: Count,
  average_score: v.number(),
  ques_score: v.number(),
  correct_rate: v.nullable(Percent),
  score_rate: Percent,
});
export type QuestionStatistics = v.InferOutput<typeof QuestionStatistics>;

export const questionStatistics = call({
  method: 'GET',
  path: {
    teacher: 'homework/questionsStatistics/:hwId',
    assist: 'homework/class/questionStatistics',
  },
  title: '题目统计',
  fromReplica: true,
  ...statisticsScope,
  answer: v.array(QuestionStatistics),
});

// ---- the questions -----------------------------------------------------------------------------

const Option = v.object({ id: v.number(), label: v.string(), content: v.string(), is_right: v.picklist([1, 2]) });

/**
 * Content of a question. `right_answer` is the stored form. `answer_html` is the displayed form: letters, words, blanks
 * or the reference answer.
 */
const contentFields = {
  id: v.number(),
  number: v.string(),
  ques_stem: v.string(),
  ques_option: v.array(Option),
  right_answer: v.string(),
  answer_html: v.string(),
  ques_analysis: v.string(),
  facility_value: v.picklist([1, 2, 3, 4, 5]),
  ques_score: v.number(),
};
export const PreviewItem = v.object({ ...contentFields, ques_type: AnsweredType });
export type PreviewItem = v.InferOutput<typeof PreviewItem>;
export const PreviewQuestion = v.object({ ...contentFields, ques_type: QuestionType, ques_item: v.array(PreviewItem) });
export type PreviewQuestion = v.InferOutput<typeof PreviewQuestion>;

export const previewHomework = call({
  method: 'GET',
  path: 'hw/preview/:hwId',
  title: '作业预览',
  answer: v.object({
    id: v.number(),
    name: v.string(),
    status: v.picklist([1, 2]),
    is_set_score: ScoreMode,
    score: v.number(),
    question_num: Count,
    question: v.array(PreviewQuestion),
  }),
});

/** Renders the questions as a PDF without answers. */
export const downloadHomework = call({
  method: 'GET',
  path: { teacher: 'teacher/homework/download/:hwId' },
  title: '下载作业',
  answer: FileAddress,
});

/** A question with its counts over submitted reports, as in the question analysis. */
export const AnswerDetail = v.object({
  ...PreviewItem.entries,
  parent_id: v.number(),
  parent_ques_item: v.nullable(MaterialStem),
  submitted: Count,
  right_count: Count,
  part_count: Count,
  wrong_count: Count,
  waiting_count: Count,
  answered_count: Count,
  un_answer_count: Count,
  average_right_rate: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  average_right_percent: Percent,
  /** Number of submitted reports that chose each option, by option id. */
  option_counts: v.array(v.object({ id: v.number(), count: Count })),
});
export type AnswerDetail = v.InferOutput<typeof AnswerDetail>;

const AnswerStudent = v.object({
  report_id: v.number(),
  student_id: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  class_name: v.string(),
});
export type AnswerStudent = v.InferOutput<typeof AnswerStudent>;

const answerDetailAt = <const Path extends string>(path: Path) =>
  call({ method: 'GET', path, title: '答题详情', ...inScope, answer: v.array(AnswerDetail) });

export const questionAnswerCounts = answerDetailAt('homework/answer/detail/:hwId/:classId?');
export const classAnswerDetail = answerDetailAt('class/homework/answer/detail/:hwId/:classId?');

const ofQuestion = { hw_id: IdInQuery, class_id: ScopeClass, ques_id: IdInQuery };

/** `number`: the question's number, 3 or 3.1. */
export const AnswerStudentsExtra = v.fallback(v.object({ number: v.string() }), { number: '' });
export type AnswerStudentsExtra = v.InferOutput<typeof AnswerStudentsExtra>;

const answerStudentsAt = <const Path extends string>(path: Path, title: string) =>
  call({
    method: 'GET',
    path,
    title,
    query: v.object(ofQuestion),
    answer: v.array(AnswerStudent),
  });

/**
 * Calls that list students by how they answered a question, or that they left it blank. Each list has a path with and a
 * path without `class/`. `extra.number`: the number of the question.
 */
export const answerStudents = {
  right: answerStudentsAt('homework/answer/right/students', '答对学员'),
  part: answerStudentsAt('homework/answer/part/students', '部分正确学员'),
  wrong: answerStudentsAt('homework/answer/wrong/students', '答错学员'),
  answered: answerStudentsAt('homework/answered/students', '已作答学员'),
  unanswered: answerStudentsAt('homework/unanswer/students', '未作答学员'),
  waiting: answerStudentsAt('homework/answer/waiting/students', '待批改学员'),
};
export const classAnswerStudents = {
  right: answerStudentsAt('class/homework/answer/right/students', '班级答对学员'),
  part: answerStudentsAt('class/homework/answer/part/students', '班级部分正确学员'),
  wrong: answerStudentsAt('class/homework/answer/wrong/students', '班级答错学员'),
  answered: answerStudentsAt('class/homework/answered/students', '班级已作答学员'),
  unanswered: answerStudentsAt('class/homework/unanswer/students', '班级未作答学员'),
  waiting: answerStudentsAt('class/homework/answer/waiting/students', '班级待批改学员'),
};
export type AnswerGroup = keyof typeof answerStudents;

export const exportAnswerStudents = call({
  method: 'GET',
  path: 'homework/export/answer/students',
  title: '导出答题学员',
  fromReplica: true,
  query: v.object({
    ...ofQuestion,
    group: v.picklist(['right', 'part', 'wrong', 'answered', 'unanswered', 'waiting']),
  }),
  answer: FileAddress,
});

// ---- uses of a question of the bank ---------------------------------------------------------------

/**
 * A published homework or exam with a copy of the question, or of `question_id`, which was merged into it. `at`: its
 * publication. `graded`: number of graded reports, which `facility` and `discrimination` cover; for an exam only the
 * reports that count.
 */
export const QuestionUse = v.object({
  kind: v.picklist(['homework', 'exam']),
  id: v.number(),
  question_id: v.number(),
  name: v.string(),
  at: v.number(),
  graded: Count,
  facility: v.nullable(Percent),
  discrimination: v.nullable(v.number()),
});
export type QuestionUse = v.InferOutput<typeof QuestionUse>;

/**
 * `total` and the figures cover all uses; `hidden` of them are not visible to the user. `discrimination` is the mean of
 * the uses, weighted by their reports.
 */
export const QuestionUses = v.object({
  list: v.array(QuestionUse),
  total: Count,
  hidden: Count,
  graded: Count,
  facility: v.nullable(Percent),
  discrimination: v.nullable(v.number()),
});
export type QuestionUses = v.InferOutput<typeof QuestionUses>;

/** Lists up to 50 uses of the user's own question, latest first. 404: it belongs to somebody else. */
export const questionUses = call({
  method: 'GET',
  path: 'ques/uses/:id',
  title: '题目使用情况',
  needs: 'dispatch',
  answer: QuestionUses,
});
