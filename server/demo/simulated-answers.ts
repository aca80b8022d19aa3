/**
 * Possible answers to a question, and which of them a student gives. Their scores come from grading/scoring.ts, so they
 * agree with the real rules.
 */
import { sameAnswerKey } from '#server/grading/equal-answers.ts';
import { isSubjective, type rateChoices, rateMode, type ScoreMode } from '#server/grading/rules.ts';
import { type ScoredAnswer, scoreAnswer } from '#server/grading/scoring.ts';
import { storedHtml } from './bank.ts';
import type { DemoMember } from './people.ts';
import type { DemoQuestion } from './questions/question.ts';
import type { SeededRandom } from './random.ts';

export interface PossibleAnswer extends ScoredAnswer {
  userAnswer: string;
  /** Same key for answers with the same text that waits for a grader. */
  key: string | null;
}

/** A question with its possible answers, already scored. */
export interface SimulatedQuestion {
  id: number;
  subjective: boolean;
  full: number;
  facility: number;
  blank: PossibleAnswer;
  /** Levels from the best to the worst answers; answers of one level are equally likely. */
  levels: PossibleAnswer[][];
}

/**
 * Builds the possible answers. `levels`: answers that cannot be derived from the question. `blankScores`: only for
 * fill-in questions.
 */
export function simulateQuestion(
  question: DemoQuestion,
  id: number,
  score: number,
  more: { levels?: string[][] | undefined; blankScores?: number[] | undefined } = {},
): SimulatedQuestion {
  const { blankScores } = more;
  const answerable = { id, ques_type: question.type, right_answer: question.right, ignore_case: 0, score, blankScores };
  const possible = (userAnswer: string): PossibleAnswer => {
    const scored = scoreAnswer(answerable, userAnswer);
    return { userAnswer, ...scored, key: sameAnswerKey(userAnswer, scored.status) };
  };
  return {
    id,
    subjective: isSubjective(question.type),
    full: score,
    facility: question.facility,
    blank: possible(''),
    levels: (more.levels ?? plausibleAnswers(question)).map((level) => level.map(possible)),
  };
}

function plausibleAnswers(question: DemoQuestion): string[][] {
  if (question.type === 5) return writtenAnswers(question.right).map((level) => level.map(toUserAnswer));
  if (question.type === 7)
    return [[question.right, question.right, fullWidth(question.right)], ...wrongBlanks(question.right)];
  const ids = question.options.map((_, index) => String(index + 1));
  const right = question.right.split(',');
  const others = ids.filter((id) => !right.includes(id));
  // The first wrong option is listed twice, so that students choose it more often than the others.
  if (question.type <= 2) return [[question.right], [...others.slice(0, 1), ...others]];
  const without = right.map((id) => right.filter((kept) => kept !== id).join(',')).filter(Boolean);
  const withOther = others.map((id) => [...right, id].sort().join(','));
  return [[question.right], [...without, ...withOther, ...others]];
}

/** Answers with formulas are HTML, other answers plain text, as the editor of the learners' application sends them. */
const toUserAnswer = (content: string) =>
  JSON.stringify(
    /[<$]/.test(content) ? { content: storedHtml(content), images: [], format: 'html' } : { content, images: [] },
  );

/** Derives complete, half and wrong answers from the reference answer. */
function writtenAnswers(reference: string): string[][] {
  const sentences = reference.split(/(?<=[。；.;])/);
  const half = sentences.slice(0, Math.ceil(sentences.length / 2)).join('');
  const cut = wholeFormulas(
    half.length < reference.length ? half : reference.slice(0, Math.ceil(reference.length / 2)),
  );
  return [
    [reference, `解：${reference}`],
    [`${cut}后面的步骤我没有写完整。`, `${cut}……`, `我的思路是：${cut}`],
    ['这道题我没有思路，只会第一步。', '不太确定，请老师讲一讲。', '不会做，上课没有听懂这一部分。'],
  ];
}

/** Cuts off an unfinished formula at the end of a text. */
const wholeFormulas = (text: string) =>
  text.split('$').length % 2 === 1 ? text : text.slice(0, text.lastIndexOf('$'));

/** Writes a text in full-width characters, as Chinese input methods do; grading treats them as equal. */
const fullWidth = (text: string) =>
  text
    .split('@@')
    .map((blank) => blank.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)))
    .join('@@');

function wrongBlanks(right: string): string[][] {
  const answers = right.split('@@');
  const guess = (answer: string) => (/^-?\d+$/.test(answer) ? String(Number(answer) + 1) : '不记得了');
  const oneWrong = answers.map((_, wrong) =>
    answers.map((answer, index) => (index === wrong ? guess(answer) : answer)),
  );
  const allWrong = answers.map(guess).join('@@');
  return [oneWrong.map((blanks) => blanks.join('@@')), [allWrong]];
}

export const finalComments = [
  '',
  '',
  '',
  '完成得不错，继续保持！',
  '书写认真，注意审题。',
  '有进步，错题请订正后再看一遍。',
  '课后来找老师一起看第二题。',
];

export const commentsByLevel = [
  ['思路清晰，步骤完整。', '很好！', ''],
  ['思路正确，后面的步骤要写完整。', '注意书写过程。', ''],
  ['请重新看一遍例题，再订正。', '先把已知条件列出来。'],
];

/** Draws the level of the student's answer; undefined: the student answers nothing. */
export function drawAnswerLevel(
  question: SimulatedQuestion,
  member: DemoMember,
  random: SeededRandom,
): number | undefined {
  const chance = Math.min(0.97, Math.max(0.08, member.skill - (question.facility - 2.5) * 0.08));
  const drawn = random.next();
  if (drawn > 1 - 0.08 * (1 - member.skill)) return undefined;
  if (drawn < chance) return 0;
  return question.levels.length > 2 && drawn < chance + (1 - chance) * 0.6 ? 1 : question.levels.length - 1;
}

/** Returns the stored score that a grader gives to an answer of this level. */
export function markFor(mode: ScoreMode, full: number, level: number, random: SeededRandom): number {
  if (mode === rateMode) {
    const rates = [
      [100, 100, 75],
      [75, 60, 50],
      [25, 0],
    ][level] as (typeof rateChoices)[number][];
    return random.pick(rates);
  }
  const share = random.pick(
    [
      [1, 1, 0.9, 0.8],
      [0.7, 0.6, 0.5, 0.4],
      [0.2, 0.1, 0],
    ][level] as number[],
  );
  return Math.round((full * share) / 5) * 5;
}
