/** Questions of the demo exams that are not from the bank. */
import { storedHtml } from './bank.ts';
import { readData } from './data.ts';
import { drawFigure } from './figure.ts';
import { completeQuestion, type DemoQuestion, type QuestionData } from './questions/question.ts';

export interface OwnQuestion extends DemoQuestion {
  matching?: { left: string[]; right: string[] };
  levels?: string[][];
  /** Points for each blank. */
  blankPoints?: number[];
}

const pairCodes = (rights: number[], count: number) =>
  rights.map((right, index) => `${index + 1}-${count + right}`).join(',');

interface MatchingQuestion {
  stem: string;
  left: string[];
  right: string[];
  /** For each left option, the index of its partner on the right. */
  partners: number[];
  analysis: string;
}

/** Builds a matching question: left options have the ids 1 to n, right options the ids after these. */
function matchingQuestion({ stem, left, right, partners, analysis }: MatchingQuestion): OwnQuestion {
  const wrong = [
    partners.map((_, index) => partners[(index + 1) % partners.length] as number),
    [...partners].reverse(),
  ];
  return {
    ...completeQuestion({ type: 4, stem, right: pairCodes(partners, left.length), analysis, facility: 3 }),
    matching: { left, right },
    levels: [[pairCodes(partners, left.length)], wrong.map((one) => pairCodes(one, left.length))],
  };
}

type OwnQuestionData = QuestionData & Pick<OwnQuestion, 'blankPoints'>;

const ownQuestion = (written: OwnQuestionData): OwnQuestion => ({
  ...completeQuestion(written),
  stem: written.stem.replace(/figure:(triangle|parabola)/, (_, name: 'triangle' | 'parabola') => drawFigure(name)),
});

const examQuestionData = readData<{
  matchingFunctions: MatchingQuestion;
  matchingWords: MatchingQuestion;
  withFigure: OwnQuestionData;
  blanksWithScores: OwnQuestionData;
  survey: OwnQuestionData[];
}>('questions/exams.json');

export const ownQuestions = {
  matchingFunctions: matchingQuestion(examQuestionData.matchingFunctions),
  matchingWords: matchingQuestion(examQuestionData.matchingWords),
  withFigure: ownQuestion(examQuestionData.withFigure),
  blanksWithScores: ownQuestion(examQuestionData.blanksWithScores),
  survey: examQuestionData.survey.map(ownQuestion),
};

/** Score of each blank in tenths of a point; 2 points by default. */
export const blankTenths = (question: OwnQuestion) =>
  question.blankPoints?.map((points) => points * 10) ?? question.right.split('@@').map(() => 20);

export function matchingOptions({ left, right }: { left: string[]; right: string[] }): string {
  const option = (side: 'left' | 'right', before: number) => (content: string, index: number) => ({
    id: before + index + 1,
    content: storedHtml(content),
    is_right: 2,
    side,
  });
  return JSON.stringify([...left.map(option('left', 0)), ...right.map(option('right', left.length))]);
}
