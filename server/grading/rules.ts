/** Answers and scores, shared by homework and exams: states, units of scores, and which scores are valid. */
import { formatScore } from '#server/platform/text/rules.ts';

/** Asks the student to confirm a submission with unanswered questions. */
export const blankSentence = (questions: number): string => `您还有${questions}题未作答，确定提交？`;

export const unansweredSentence = (numbers: readonly string[]): string => `未作答：第${numbers.join('、')}题`;

/** Why an answer cannot be graded by hand. */
export const handGradingFault = ({ ques_type }: { ques_type: number }): string | undefined =>
  isSubjective(ques_type) ? undefined : '客观题由系统评分，不能批改';

/**
 * Refusal of a score if somebody else has graded the answer meanwhile. `mark`: the other grader's score as displayed;
 * null if they saved only a comment.
 */
export const gradedMeanwhileMessage = (mode: ScoreMode, name: string, mark: number | null): string => {
  // An empty name means that nobody else graded the answer: the answer itself has changed.
  if (name === '') return '该题已有变化，请刷新后再批改';
  const markText = mode === rateMode ? `正确率${mark}%` : `得分${formatScore(mark)}`;
  return `该题已由${name}批改${mark === null ? '' : `，${markText}`}`;
};

/** Why a report with ungraded answers cannot be finished. */
export const ungradedAnswersMessage = '还有题目未批改，不能完成批改';

/** Status of an answer. `reviewed`: a subjective answer with a score between 0 and the full score. */
export const answerStatus = { right: 1, wrong: 2, unanswered: 3, waiting: 4, reviewed: 5 } as const;

export type AnswerStatus = (typeof answerStatus)[keyof typeof answerStatus];

/** Status of a report. */
export const reportStatus = { notSubmitted: 1, waiting: 2, graded: 3 } as const;

export type ReportStatus = (typeof reportStatus)[keyof typeof reportStatus];

export const reportStatusNames: Record<ReportStatus, string> = { 1: '未提交', 2: '待批改', 3: '已批改' };

export const fillIn = 7;

export const isSubjective = (quesType: number) => quesType === shortAnswer;

/** True if the answer is a list of option ids. Any other answer is the student's own text. */
export const isOfOptions = ({ user_answer, ques_option }: { user_answer: string; ques_option: string }): boolean =>
  ques_option !== '[]' && /^[\d\s,;:|-]{0,500}$/.test(user_answer);

/** True for a material question, which has parts instead of an answer. */
export const isMaterial = (quesType: number) => quesType === materialQuestion;

/** Values of `is_set_score`. 1: rated, each question is worth 1 point and graded in percent. 2: scored in points. */
export const scoreSettings = [1, 2] as const;

export type ScoreMode = (typeof scoreSettings)[number];

export const rateMode = 1;

export const pointsMode = 2;

/** Rates that a grader may give in rated homework, in percent. The stored score is the same number. */
export const rateChoices = [0, 25, 50, 60, 75, 100] as const;

/** Full score of a rated question in stored units (1 point). */
export const ratedFullScore = 100;

/** Stored units of one point. */
export const unitsPerPoint = (mode: ScoreMode) => (mode === rateMode ? 100 : 10);

/** Converts a stored score to points, as calls and screens use them. */
export const pointsOf = (mode: ScoreMode, stored: number): number => stored / unitsPerPoint(mode);

/** Converts a stored score to points with one decimal. Further decimals, which rated homework has, are cut off. */
export const wholeTenths = (mode: ScoreMode, stored: number): number =>
  Math.floor((stored * 10) / unitsPerPoint(mode)) / 10;

/** Converts points to a stored score; undefined if the points have too many decimals. */
export function storedScore(mode: ScoreMode, points: number): number | undefined {
  const units = points * unitsPerPoint(mode);
  const whole = Math.round(units);
  return Number.isFinite(units) && Math.abs(units - whole) < 1e-6 ? whole : undefined;
}

/** Why a stored score is not valid: not one of the rates, or not whole tenths of a point from 0 to `full`. */
export function scoreFault(mode: ScoreMode, full: number, score: number): string | undefined {
  if (mode === rateMode) return rateChoices.some((rate) => rate === score) ? undefined : '请选择本题正确率';
  if (!Number.isInteger(score)) return '得分最多一位小数';
  return score < 0 || score > full ? `得分应在${formatScore(0)}到${formatScore(pointsOf(mode, full))}之间` : undefined;
}

/** Why an unanswered question cannot get this score: by rate none is allowed, by points only 0. */
export const blankMarkFault = (mode: ScoreMode, score: number): string | undefined =>
  mode === rateMode || score > 0 ? '该题未作答，不能评分' : undefined;

/** Normalises a typed number: full-width digits, and the Chinese full stop or comma as decimal point. */
export const normalizeNumber = (typed: number | string | null | undefined): string =>
  String(typed ?? '')
    .replace(/[。｡，]/, '.')
    .normalize('NFKC')
    .trim();

/**
 * Parses a typed score to stored units: points with at most one decimal, up to `full` (stored units), or one of the
 * rates in percent.
 */
export function readMark(
  mode: ScoreMode,
  full: number,
  typed: number | string | null | undefined,
): { score: number } | { fault: string } {
  const text = normalizeNumber(typed);
  if (mode === pointsMode && text === '') return { fault: '请填写本题得分' };
  if (mode === pointsMode && !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return { fault: '得分只能填写数字' };
  const score = mode === rateMode ? readRate(text) : readScore(text);
  const fault = scoreFault(mode, full, score);
  return fault === undefined ? { score } : { fault };
}

/** Returns the status of a subjective answer that was graded with `score` of `full`. */
export function markedStatus(full: number, score: number): AnswerStatus {
  if (score >= full) return answerStatus.right;
  return score <= 0 ? answerStatus.wrong : answerStatus.reviewed;
}

/** True if the score changes the answer. An unanswered question stays unanswered, whatever score it gets. */
export const acceptsMark = (answer: { status: number }, score: number | null | undefined): score is number =>
  score !== null && score !== undefined && answer.status !== answerStatus.unanswered;

/** Maximum characters of an answer. */
export const answerLimit = 20_000;

/** Format of a subjective answer; text by default. */
export const answerFormats = ['text', 'html'] as const;

export type AnswerFormat = (typeof answerFormats)[number];

export const shortAnswer = 5;

export const materialQuestion = 6;

/** Parses a percentage; NaN if the text is no percentage. */
export const readRate = (text: string): number =>
  /^\d{1,3}%?$/.test(text) ? Number(text.replace('%', '')) : Number.NaN;

/** Parses points to a stored score; NaN if they have more than one decimal. */
export const readScore = (text: string): number =>
  /\.\d{2,}$/.test(text) ? Number.NaN : (storedScore(pointsMode, Number(text)) ?? Number.NaN);

export const answerMessages = {
  answerLength: `答案最多${answerLimit}个字`,
  imageAddress: '图片地址不正确',
  answerFormat: '答案格式只能是 text 或 html',
  tooManyImages: '每题最多9张图片',
  otherDevice: '其他设备已保存新的内容，请核对后再保存',
  noOption: '没有这个选项',
  oneOption: '该题只能选择一项',
} as const;
