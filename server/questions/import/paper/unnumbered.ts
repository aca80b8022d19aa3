/** Divides lines without numbers into questions, by their options, answers and tags. */
import { isTable } from '../rich-line.ts';
import type { Fact } from './facts.ts';
import { leadingOption, optionRow, optionsBehindStem } from './option-labels.ts';

/** Returns the lines of each question. Lines before the first are in `before`. */
export function divideUnnumbered(facts: readonly Fact[]): { before: Fact[]; questions: Fact[][] } {
  const before: Fact[] = [];
  const questions: Fact[][] = [];
  let isComplete = true;
  let wasBlank = false;
  facts.forEach((fact, index) => {
    const isMarked = fact.tag !== undefined || fact.labels.some(({ field }) => field === 'stem');
    const begins = isMarked || (isComplete && isStemOf(facts, index, wasBlank || questions.length === 0));
    if (begins) {
      questions.push([fact]);
      isComplete = false;
    } else (questions.at(-1) ?? before).push(fact);
    wasBlank = fact.isBlank;
    if (isAnswered(fact)) isComplete = true;
  });
  return { before, questions };
}

const isRow = (fact: Fact): boolean => leadingOption(fact.text) !== undefined || optionRow(fact.text, 0).length > 0;

const isAnswered = (fact: Fact): boolean =>
  isRow(fact) ||
  optionsBehindStem(fact.text, 0) !== undefined ||
  fact.labels.some(({ field }) => field === 'answer' || field === 'analysis');

/** True if the line is text, and options or an answer follow before any other question could begin. */
function isStemOf(facts: readonly Fact[], index: number, mayBeLong: boolean): boolean {
  const fact = facts[index] as Fact;
  if (fact.isBlank || isTable(fact.line) || isRow(fact) || fact.labels[0]?.from === 0) return false;
  if (optionsBehindStem(fact.text, 0) || fact.labels.some(({ field }) => field === 'answer')) return true;
  for (let next = index + 1; next < Math.min(facts.length, index + 12); next += 1) {
    const other = facts[next] as Fact;
    if (other.tag || other.heading?.isCertain) return false;
    if (isAnswered(other)) return mayBeLong || next - index <= 2 || !isExplaining(facts, index);
  }
  return false;
}

/** True if the line before continues an analysis. */
const isExplaining = (facts: readonly Fact[], index: number): boolean =>
  facts[index - 1]?.labels.some(({ field }) => field === 'analysis') ?? false;
