/**
 * Exams: states, type codes and limits.
 *
 * A matching question is type 4 with options in two columns. Its answer is comma-separated pairs of option ids,
 * left-right: `1-4,2-6,3-5`. As a set of pairs it is scored like other choices (grading/scoring.ts).
 */
import {
  type AnswerStatus,
  answerStatus,
  isMaterial,
  isSubjective,
  pointsMode,
  pointsOf,
} from '#server/grading/rules.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import { type QuestionType, questionTypeNames, questionTypes } from '#server/questions/rules.ts';

export interface ExamOption {
  id: number;
  /** Text of the option, as HTML. */
  content: string;
  /** 1: right. 2: wrong. Always 2 in a matching question, where pairs are right or wrong instead. */
  is_right: 1 | 2;
  /** Column of the option in a matching question; other questions have no sides. */
  side?: 'left' | 'right';
}

export const isMatching = (options: readonly ExamOption[]): boolean =>
  options.some((option) => option.side === 'left') && options.some((option) => option.side === 'right');

/** Parses the pairs of a matching answer into option ids; invalid parts are dropped. */
export function matchingPairs(answer: string): { left: number; right: number }[] {
  return answer.split(',').flatMap((pair) => {
    const [, left, right] = /^\s*(\d+)-(\d+)\s*$/.exec(pair) ?? [];
    return left && right ? [{ left: Number(left), right: Number(right) }] : [];
  });
}

/** Label of an option: A, B, … In a matching question 1, 2, … on the left and A, B, … on the right. */
export function optionLabel(options: readonly ExamOption[], id: number): string {
  const option = options.find((one) => one.id === id);
  const column = options.filter((one) => one.side === option?.side);
  const place = option ? column.indexOf(option) : -1;
  if (place < 0) return String(id);
  return option?.side === 'left' ? String(place + 1) : optionLetter(place);
}

/** Formats one chosen option (`B`) or pair (`1–C`). */
export function choiceLabel(options: readonly ExamOption[], choice: string): string {
  const [pair] = matchingPairs(choice);
  if (pair) return `${optionLabel(options, pair.left)}–${optionLabel(options, pair.right)}`;
  return /^\d+$/.test(choice) ? optionLabel(options, Number(choice)) : choice;
}

/**
 * Two numberings of question types, and the conversion between them.
 *
 * Bank, tables and paper preview use the canonical code. Answer sheet, grading desk and statistics of exams use the same
 * numbers differently: 1 single, 2 multiple, 3 judgment, 4 indefinite or matching, 5 short answer, 6 material, 7
 * fill-in. Calls with exam type codes convert at their edge; screens name them by `examTypeName`.
 */

/** Code of a question type in answer sheets, grading desk and statistics of exams. */
export type ExamType = QuestionType;

const examTypes: Readonly<Record<QuestionType, ExamType>> = { 1: 1, 2: 3, 3: 2, 4: 4, 5: 5, 6: 6, 7: 7 };

const canonicalOf = new Map(questionTypes.map((code) => [examTypes[code], code]));

/** Converts a canonical code to an exam type code. */
export function toExamType(canonical: number): ExamType {
  const examType = examTypes[canonical as QuestionType];
  if (!examType) throw new Error(`no question type ${canonical}`);
  return examType;
}

/** Converts an exam type code to the canonical code. */
export function fromExamType(examType: number): QuestionType {
  const canonical = canonicalOf.get(examType as ExamType);
  if (!canonical) throw new Error(`no question type ${examType} in the exam reading`);
  return canonical;
}

/** Displays the name of an exam type code. Type 4 may be a matching question, which has another name. */
export function examTypeName(examType: number, isMatching = false): string {
  return isMatching ? '连线题' : questionTypeNames[fromExamType(examType)];
}

/** Publication status: 1 published, 2 draft. */
export const publishStatuses = [1, 2] as const;
const published = 1;

/** Status of a report: waits for a grader, or graded. */
export const testStatus = { waiting: 2, reviewed: 3 } as const;
export const testStatuses = Object.values(testStatus);

/** 1: passed. 2: failed. Rows may also have 0: not decided yet. */
export const passStatuses = [1, 2] as const;

/** Forms of the PDF: the paper, the paper with answers and analyses, or a sheet to fill in by hand. */
export const paperVariants = ['paper', 'with-answers', 'answer-sheet'] as const;

export type PaperVariant = (typeof paperVariants)[number];

/** Formats a time limit, given in seconds, in minutes. */
export const formatTimeLimit = (seconds: number): string =>
  seconds === 0 ? '不限时' : `${Math.floor(seconds / 60)} 分钟`;

// ---- the filter 只看错题 (only wrong questions) ----------------------------------------------------

/**
 * True if the filter 只看错题 (only wrong questions) shows the question: wrong answers, subjective and material questions.
 * `ques_type`: exam type code.
 */
export function isShownAsWrong({ status, ques_type }: { status: AnswerStatus; ques_type: number }): boolean {
  const type = fromExamType(ques_type);
  return isSubjective(type) || isMaterial(type) || status === answerStatus.wrong;
}

/** Converts a stored score (tenths) to points. */
export const examPoints = (stored: number): number => pointsOf(pointsMode, stored);

/** Why an exam cannot be started or submitted. `earlier`: number of the student's previous submissions. */
export function examSubmitFault(
  exam: ExamSchedule & { attempts: number },
  { at, earlier }: { at: number; earlier: number },
  deed: '提交' | '作答' = '提交',
): string | undefined {
  const state = examState(exam, at);
  if (state === 'draft') return `该考试未发布，不能${deed}`;
  if (state === 'published') return `该考试尚未开始，不能${deed}`;
  if (state === 'closed') return `该考试已结束，不能${deed}`;
  return exam.attempts > 0 && earlier >= exam.attempts ? `该考试只能提交${exam.attempts}次` : undefined;
}

export const examMessages = {
  wrongAnswers: '答案与考试题目不符',
  variant: '请选择试卷的样式',
  matchingExport: '连线题不能导出',
  noAttempt: '请先开始考试',
  handedIn: '该考试已交卷，不能重复提交',
  timeOver: '考试时间已到，由系统按已保存的答案交卷',
  /** Refuses to finish a report whose student has resumed the attempt after the exam's end was moved. */
  goesOn: '考试已延长，学员正在继续作答，交卷后才能完成批改',
} as const;

/**
 * When an attempt ends: at its own time limit or at the exam's end, whichever comes first; null without either. Unix
 * seconds.
 */
export function attemptEnd(attempt: { limit_at: number | null }, exam: { end_at: number | null }): number | null {
  const ends = [attempt.limit_at, exam.end_at].filter((end) => end !== null);
  return ends.length > 0 ? Math.min(...ends) : null;
}

/**
 * True if a student may see the right answers: their report is graded, and nobody can take the exam any more. In an
 * exam without end, students without attempts left may see them too.
 */
export function showsRightAnswers(
  exam: ExamSchedule & { attempts: number },
  { reviewed, earlier, taking }: { reviewed: boolean; earlier: number; taking: boolean },
  now: number,
): boolean {
  if (!reviewed || taking) return false;
  if (exam.end_at !== null) return examState(exam, now) === 'closed';
  return exam.attempts > 0 && earlier >= exam.attempts;
}

export const missingExam = '考试不存在';
export const missingSheet = '答卷不存在';

// ---- composing -----------------------------------------------------------------------------------

export const examNameLimit = 100;
export const examIntroduceLimit = 2000;
export const sectionNameLimit = 50;
export const sectionIntroduceLimit = 500;
/** Maximum number of questions with an answer on a paper. */
export const examQuestionLimit = 500;
/** Maximum score of a question or part, in tenths of a point. */
export const maxQuestionScore = 1000;
export const maxPassScore = 100_000;
/** Maximum time limit in minutes: a day. */
export const maxLimitMinutes = 1440;
export const maxAttempts = 99;

/** Kinds of audience of an exam: whole schools, all classes of grades, or classes. */
export const audiences = ['school', 'grade', 'class'] as const;

export const audienceMessages = {
  noGrade: '请选择年级',
  gradeWithoutClass: '所选年级在所选学校没有班级',
  noClass: '请选择班级',
  otherSchool: '所选班级已结束，或不属于所选学校',
} as const;

export const importedExamMessages = {
  published: '考试已发布，请在“考试”中修改',
  otherAuthor: '草稿由其他教务创建，请由创建的教务修改',
  noAuthor: '考试须由教务上传导入',
  hasPaper: '试卷已有内容',
  noEnd: '考试不能由导入结束，请在“考试”中处理',
  category: (name: string, found: number) =>
    found > 1 ? `有多个考试分类叫“${name}”，请在“考试”中选择` : `没有考试分类“${name}”`,
} as const;

/** Why the classes of a published exam cannot be changed: `takers` of the classes it is taken from have begun it. */
export const droppedTakersFault = (takers: number): string | undefined =>
  takers > 0 ? `已有${takers}名学员作答，不能取消他们的班级` : undefined;

/** Names of the first classes, and the number of all if there are more: `高一（1）班、高一（2）班等5个班级`. */
export const classesSentence = (classes: readonly { name: string }[], most = 3): string => {
  const names = classes
    .slice(0, most)
    .map(({ name }) => name)
    .join('、');
  return classes.length > most ? `${names}等${classes.length}个班级` : names;
};

export const examStates = ['draft', 'published', 'running', 'closed'] as const;
export type ExamState = (typeof examStates)[number];

export interface ExamSchedule {
  status: number;
  start_at: number | null;
  end_at: number | null;
}

/** Returns the state of an exam at `now`; `published` means that it has not begun yet. */
export function examState({ status, start_at, end_at }: ExamSchedule, now: number): ExamState {
  if (status !== published) return 'draft';
  if (end_at !== null && end_at <= now) return 'closed';
  return start_at !== null && start_at > now ? 'published' : 'running';
}

/** Banks from which questions can be picked: the public one, the administrator's own, or a colleague's. */
export const examBanks = ['public', 'mine', 'colleague'] as const;

export const composingMessages = {
  noName: '请填写考试名称',
  nameLength: `考试名称不能超过${examNameLimit}个字`,
  introduceLength: `考试说明不能超过${examIntroduceLimit}个字`,
  category: '请选择考试分类',
  passScore: `及格分应为0到${maxPassScore / 10}，最多一位小数`,
  limit: `考试时长应为0到${maxLimitMinutes}分钟的整数，0为不限时`,
  attempts: `答题次数应为0到${maxAttempts}的整数，0为不限次`,
  start: '开始时间不正确',
  end: '结束时间不正确',
  order: '结束时间应晚于开始时间',
  noSchool: '请选择学校',
  sectionName: '请填写部分名称',
  sectionNameLength: `部分名称不能超过${sectionNameLimit}个字`,
  sectionIntroduceLength: `部分说明不能超过${sectionIntroduceLimit}个字`,
  score: `分值应为0.1到${maxQuestionScore / 10}，最多一位小数`,
  noQuestions: '请选择题目',
  noneToScore: '该部分还没有题目',
  extension: '请填写新的结束时间',
  notLater: '新的结束时间应晚于现在的结束时间',
  past: '新的结束时间应晚于当前时间',
  tooMany: `一份试卷不能超过${examQuestionLimit}题`,
  matching: '连线题不能在此编辑',
  notExchanged: '该题目没有换过，或之后又有修改，不能撤销',
  firstQuestion: '已经是第一题',
  lastQuestion: '已经是最后一题',
  firstSection: '已经是第一部分',
  lastSection: '已经是最后一部分',
} as const;

/** Why the picked questions are refused. `again`: number of picked questions that are on the paper already. */
export const alreadyOnPaperFault = (again: number): string | undefined =>
  again > 0 ? `有${again}道题已在试卷中` : undefined;

/** Names the content that is deleted together with a section; undefined if the section is empty. */
export const sectionContent = (questions: number): string | undefined =>
  questions > 0 ? `${questions}道题` : undefined;

export const missingSection = '试卷的部分不存在';
export const missingExamQuestion = '试卷中没有该题目';

/** Why a paper cannot be changed: after publication students work on it. */
export const paperFault = ({ status }: { status: number }): string | undefined =>
  status === published ? '考试已发布，试卷不能修改' : undefined;

/** Why a field can no longer be changed. */
export const publishedFieldMessage = (name: string): string => `考试已发布，${name}不能修改`;

export const passScoreFault = (reports: number): string | undefined =>
  reports > 0 ? `已有${reports}份答卷，及格分不能修改` : undefined;

/** Why an administrator of only some of the exam's schools may not change it. `beyond`: names of the other schools. */
export const otherSchoolsFault = (beyond: readonly string[]): string | undefined =>
  beyond.length > 0 ? `该考试也属于您不管理的学校：${beyond.join('、')}` : undefined;

export const publishedFault = ({ status }: { status: number }): string | undefined =>
  status === published ? '该考试已发布' : undefined;

const unpublishedFault = ({ status }: { status: number }): string | undefined =>
  status === published ? undefined : '该考试还没有发布';

export const extendFault = (exam: { status: number; end_at: number | null }): string | undefined =>
  unpublishedFault(exam) ?? (exam.end_at === null ? '该考试没有结束时间，不用延长' : undefined);

export function closeFault(exam: ExamSchedule, now: number): string | undefined {
  const state = examState(exam, now);
  if (state === 'published') return '该考试尚未开始，可以撤回';
  return state === 'closed' ? '该考试已结束' : unpublishedFault(exam);
}

export const withdrawFault = (exam: {
  status: number;
  is_own: boolean;
  taking: number;
  reports: number;
}): string | undefined =>
  unpublishedFault(exam) ??
  (exam.is_own ? undefined : '只有创建人可以撤回') ??
  (exam.taking > 0 ? `有${exam.taking}名学员正在作答，不能撤回` : undefined) ??
  (exam.reports > 0 ? `已有${exam.reports}份答卷，不能撤回` : undefined);

export const removeExamFault = ({ status }: { status: number }): string | undefined =>
  status === published ? '已发布的考试不能删除' : undefined;

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

interface Reach {
  schools: number;
  /** 0: given to whole schools. */
  classes?: number;
  students: number;
}

/** Says how many schools or classes, and students, a change of an exam reaches. */
export const reachSentence = ({ schools, classes = 0, students }: Reach): string =>
  `${classes > 0 ? `${grouped(classes)}个班级` : `${grouped(schools)}所学校`}，${grouped(students)}名学员`;

/** Says whom it affects to end an exam, and how many submissions there are. */
export const closingSentence = (reach: Reach & { reports: number }): string =>
  `${reachSentence(reach)}，已交${grouped(reach.reports)}份答卷`;

/** Why a sheet cannot be graded: its report is finished, and nobody can reopen it. */
export const sheetGradedFault = ({ test_status }: { test_status: number }): string | undefined =>
  test_status === testStatus.waiting ? undefined : '该答卷已批改完成，不能重复批改';
