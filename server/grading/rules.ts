/** Of answers and marks, in homework and exams alike: states, scores in their units, and what a mark may be. */
import { shownScore } from '#server/platform/text/rules.ts';

/** Asks to confirm a submission with unanswered questions: their count, and their numbers. */
export const blankSentence = (questions: number): string => `您还有${questions}题未作答，确定提交？`;

export const unansweredSentence = (numbers: readonly string[]): string => `未作答：第${numbers.join('、')}题`;

/** Why an answer is not graded by hand. */
export const handGradingFault = ({ ques_type }: { ques_type: number }): string | undefined =>
  isSubjective(ques_type) ? undefined : '客观题由系统评分，不能批改';

/** Of a mark that came after somebody else's; `mark` as it is shown, null where there was a comment alone. */
export const gradedMeanwhile = (mode: ScoreMode, name: string, mark: number | null): string => {
  // A version that is not the answer's, though nobody has marked it.
  if (name === '') return '该题已有变化，请刷新后再批改';
  const told = mode === byRate ? `正确率${mark}%` : `得分${shownScore(mark)}`;
  return `该题已由${name}批改${mark === null ? '' : `，${told}`}`;
};

/** Why a report of which answers still wait is not finished. */
export const stillWaiting = '还有题目未批改，不能完成批改';

/** Of an answer; `reviewed` is a subjective one between 0 and full marks. */
export const answerStatus = { right: 1, wrong: 2, unanswered: 3, waiting: 4, reviewed: 5 } as const;

export type AnswerStatus = (typeof answerStatus)[keyof typeof answerStatus];

/** Of a report. */
export const reportStatus = { notSubmitted: 1, waiting: 2, graded: 3 } as const;

export type ReportStatus = (typeof reportStatus)[keyof typeof reportStatus];

export const reportStatusNames: Record<ReportStatus, string> = { 1: '未提交', 2: '待批改', 3: '已批改' };

export const fillIn = 7;

export const isSubjective = (quesType: number) => quesType === shortAnswer;

/** Whether an answer is a choice among options, by their ids: everything else somebody has written themselves. */
export const isOfOptions = ({ user_answer, ques_option }: { user_answer: string; ques_option: string }): boolean =>
  ques_option !== '[]' && /^[\d\s,;:|-]{0,500}$/.test(user_answer);

/** A material question carries no answer: its parts do. */
export const isMaterial = (quesType: number) => quesType === materialQuestion;

/** is_set_score: 1 off (every question is worth 1 point, results are rates), 2 on. */
export const scoreSettings = [1, 2] as const;

export type ScoreMode = (typeof scoreSettings)[number];

export const byRate = 1;

export const byScore = 2;

/** The rates that a grader may choose, in percent; they are the stored score of a rated question. */
export const rateChoices = [0, 25, 50, 60, 75, 100] as const;

/** Stored score of one question where the homework is rated: 1 point. */
export const ratedFullScore = 100;

/** The stored units of a point. */
export const unitsPerPoint = (mode: ScoreMode) => (mode === byRate ? 100 : 10);

/** Points, as they travel and are shown, of a stored score. */
export const pointsOf = (mode: ScoreMode, stored: number): number => stored / unitsPerPoint(mode);

/** Points with one decimal: truncated where the homework is rated. */
export const wholeTenths = (mode: ScoreMode, stored: number): number =>
  Math.floor((stored * 10) / unitsPerPoint(mode)) / 10;

/** The stored score of so many points, or undefined where that is no whole number (more than one decimal). */
export function storedScore(mode: ScoreMode, points: number): number | undefined {
  const units = points * unitsPerPoint(mode);
  const whole = Math.round(units);
  return Number.isFinite(units) && Math.abs(units - whole) < 1e-6 ? whole : undefined;
}

/** Why a stored score is none that a grader may give of `full`: one of the rates, or whole tenths up to it. */
export function scoreFault(mode: ScoreMode, full: number, score: number): string | undefined {
  if (mode === byRate) return rateChoices.some((rate) => rate === score) ? undefined : '请选择本题正确率';
  if (!Number.isInteger(score)) return '得分最多一位小数';
  return score < 0 || score > full ? `得分应在${shownScore(0)}到${shownScore(pointsOf(mode, full))}之间` : undefined;
}

/** An answer that was left blank takes no rate and earns nothing. */
export const blankMarkFault = (mode: ScoreMode, score: number): string | undefined =>
  mode === byRate || score > 0 ? '该题未作答，不能评分' : undefined;

/** A number as it was meant: a Chinese keyboard has full-width digits, and a full stop or a comma for the point. */
export const meantNumber = (typed: number | string | null | undefined): string =>
  String(typed ?? '')
    .replace(/[。｡，]/, '.')
    .normalize('NFKC')
    .trim();

/**
 * The stored score of a mark that was typed, points with at most one decimal up to `full` (stored) or one of the rates
 * in percent; or why it is none.
 */
export function readMark(
  mode: ScoreMode,
  full: number,
  typed: number | string | null | undefined,
): { score: number } | { fault: string } {
  const text = meantNumber(typed);
  if (mode === byScore && text === '') return { fault: '请填写本题得分' };
  if (mode === byScore && !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return { fault: '得分只能填写数字' };
  const score = mode === byRate ? readRate(text) : readScore(text);
  const fault = scoreFault(mode, full, score);
  return fault === undefined ? { score } : { fault };
}

/** The status of a subjective answer that a grader gave `score` of `full`. */
export function markedStatus(full: number, score: number): AnswerStatus {
  if (score >= full) return answerStatus.right;
  return score <= 0 ? answerStatus.wrong : answerStatus.reviewed;
}

/** A blank answer stays unanswered, whatever 0 it is given; without a score everything stays. */
export const takesMark = (answer: { status: number }, score: number | null | undefined): score is number =>
  score !== null && score !== undefined && answer.status !== answerStatus.unanswered;

/** Characters of one answer. */
export const answerLimit = 20_000;

/** How a learner's answer in words is written; what says nothing is text. */
export const answerFormats = ['text', 'html'] as const;

export type AnswerFormat = (typeof answerFormats)[number];

export const shortAnswer = 5;

export const materialQuestion = 6;

/** NaN where it is none. */
export const readRate = (text: string): number =>
  /^\d{1,3}%?$/.test(text) ? Number(text.replace('%', '')) : Number.NaN;

/** NaN where it has more than one decimal. */
export const readScore = (text: string): number =>
  /\.\d{2,}$/.test(text) ? Number.NaN : (storedScore(byScore, Number(text)) ?? Number.NaN);

export const answerMessages = {
  answerLength: `答案最多${answerLimit}个字`,
  imageAddress: '图片地址不正确',
  answerFormat: '答案格式只能是 text 或 html',
  tooManyImages: '每题最多9张图片',
  otherDevice: '其他设备已保存新的内容，请核对后再保存',
  noOption: '没有这个选项',
  oneOption: '该题只能选择一项',
} as const;
