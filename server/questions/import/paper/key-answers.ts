/** Assigns the answers of the keys to the questions of a paper. */
import type { ImportNote } from '../imported-question.ts';
import { isBlankLine, isTable, type Line, plainLine, plainText, trimLines } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { isSameAnswer, lettersIn } from './choice-answers.ts';
import type { LocalKey } from './division.ts';
import { type Draft, type LeftOver, noteAt } from './draft.ts';
import { cutFrom, type Fact, factOf, lineName } from './facts.ts';
import { type KeyEntry, readKey, wholeSection } from './key.ts';
import { keyRowIn } from './key-rows.ts';
import type { KeySection } from './key-sections.ts';
import { labelsIn } from './labels.ts';
import { type NumberStyle, numberAt } from './numbers.ts';
import type { Section } from './sections.ts';

/** Questions whose numbers do not repeat: of a section, or of a part of it in which numbers go on. */
interface Group extends KeySection {
  /** Id of the section. */
  section: number;
  values: number[];
  questions: Draft[];
}

/** Questions and blanks that a key can name, by group. */
function groupsOf(drafts: readonly Draft[], sections: readonly Section[]): Group[] {
  const groups: Group[] = [];
  for (const draft of drafts.flatMap((other) => (other.covers.length > 0 ? other.parts : [other]))) {
    if (draft.value === 0 && !draft.isSection) continue;
    let group = groups.at(-1);
    const isNew =
      group?.section !== draft.section || draft.isSection || draft.value <= (group.questions.at(-1)?.value ?? 0);
    if (!group || isNew) {
      const { heading, outer } = sections[draft.section] ?? {};
      group = { id: groups.length, section: draft.section, heading, outer, values: [], questions: [] };
      groups.push(group);
    }
    group.questions.push(draft);
    if (draft.value > 0) group.values.push(draft.value);
  }
  return groups;
}

/** Reads the keys; rows of answers within the paper belong to the questions before them. */
export function applyKeys(
  drafts: readonly Draft[],
  sections: readonly Section[],
  keys: readonly LocalKey[],
  style: NumberStyle,
  doubts: ImportNote[],
  left: LeftOver,
) {
  const groups = groupsOf(drafts, sections);
  for (const { facts, section } of keys) {
    const own = groups.filter((group) => group.section === section && namesOnly(facts, group.values));
    for (const entry of readKey(facts, own.length > 0 ? own : groups, style, left.lines)) {
      const candidates =
        entry.section !== undefined ? groups.slice(entry.section, entry.section + 1) : own.length > 0 ? own : groups;
      const draft = candidates.flatMap(({ questions }) => questions).find(({ value }) => value === entry.value);
      if (draft) giveAnswer(draft, entry);
      else if (entry.value !== wholeSection)
        doubts.push(noteAt(entry.line, paperMessages.answerWithoutQuestion(entry.value)));
    }
  }
}

/** True if rows of answers name no question outside these. */
const namesOnly = (facts: readonly Fact[], values: readonly number[]): boolean =>
  facts.every((fact) => (keyRowIn(fact.text) ?? []).every(({ value }) => values.includes(value)));

/** Assigns the answers listed after a text to its blanks. */
export function shareBlankAnswers(drafts: readonly Draft[], sections: readonly Section[]): void {
  for (const draft of drafts) {
    if (draft.covers.length === 0 || !draft.answer) continue;
    const facts = draft.answer.lines.map(factOf);
    const entries = readKey(facts, [{ id: 0, heading: sections[draft.section]?.heading, values: draft.covers }], 'dot');
    if (!draft.covers.every((value) => entries.some((entry) => entry.value === value))) continue;
    draft.answer = undefined;
    for (const entry of entries) {
      const part = draft.parts.find(({ value }) => value === entry.value);
      if (part) giveAnswer(part, entry);
    }
  }
}

/** Moves answers and analyses to the questions that their labels name: 【3题详解】. */
export function giveNumbered(drafts: readonly Draft[], { numbered, lines: left }: LeftOver): void {
  const targets = drafts.flatMap((draft) => (draft.covers.length > 0 ? draft.parts : [draft]));
  for (const { value, section, field, lines } of numbered) {
    const draft =
      targets.findLast((other) => other.value === value && other.section === section) ??
      targets.find((other) => other.value === value);
    const where = lineName(lines[0]?.number ?? 1);
    if (!draft) left.push(...lines);
    else if (field === 'answer') draft.answer ??= { where, lines };
    else
      draft.analysis = { where: draft.analysis?.where ?? where, lines: [...(draft.analysis?.lines ?? []), ...lines] };
  }
}

/** Splits an answer of the last question that lists the answers of its whole group: 【答案】4. … 5. … */
export function shareGroupAnswers(drafts: readonly Draft[], style: NumberStyle): void {
  drafts.forEach((draft, index) => {
    const first = draft.answer?.lines.find((line) => !isBlankLine(line));
    const label = first && !isTable(first) ? numberAt(plainLine(first)) : undefined;
    if (!draft.answer || label?.style !== style || label.value >= draft.value || label.value < 1) return;
    const group = drafts.slice(Math.max(0, index - (draft.value - label.value)), index + 1);
    const isGroup = group.every(
      (other, at) =>
        other.value === label.value + at &&
        other.section === draft.section &&
        (other === draft || other.answer === undefined),
    );
    if (!isGroup || group.length < 2) return;
    const values = group.map(({ value }) => value);
    const entries = readKey(draft.answer.lines.map(factOf), [{ id: draft.section, heading: undefined, values }], style);
    if (entries.length < 2) return;
    draft.answer = undefined;
    for (const entry of entries) {
      const owner = group.find(({ value }) => value === entry.value);
      if (owner) giveAnswer(owner, entry);
    }
  });
}

function giveAnswer(draft: Draft, entry: KeyEntry): void {
  const { answer: spelledAnswer, analysis, difficulty } = fieldsOfEntry(entry);
  const answer = withoutPoints(spelledAnswer);
  const where = lineName(entry.line);
  if (answer.length > 0) {
    const spelled = plainText(answer);
    const own = draft.answer && plainText(draft.answer.lines);
    if (own === undefined) draft.answer = { where, lines: answer };
    else if (isSameAnswer(own, spelled) && draft.options.length > 0) analysis.unshift(...restOfAnswer(answer));
    else if (!isSameAnswer(own, spelled)) {
      const shown = spelled.replace(/\s+/g, ' ').slice(0, 12);
      draft.errors.push({
        where,
        message: paperMessages.twoAnswers(
          own.replace(/\s+/g, ' ').slice(0, 12),
          draft.answer?.where ?? draft.where,
          shown,
        ),
      });
    }
  }
  if (analysis.length > 0)
    draft.analysis = { where: draft.analysis?.where ?? where, lines: [...(draft.analysis?.lines ?? []), ...analysis] };
  if (difficulty) draft.difficulty ??= { where, lines: difficulty };
}

/** Points of a question, written before its answer: `21．（5分）（1）…`. */
const pointsInFront =
  /^[\s\u3000]*[（(][\s\u3000]*(?:本小?题)?(?:满分|共)?[\s\u3000]*\d+(?:\.\d+)?[\s\u3000]*分[\s\u3000]*[)）][\s\u3000]*/;

function withoutPoints([first, ...more]: readonly Line[]): Line[] {
  if (!first || isTable(first)) return first ? [first, ...more] : more;
  const rest = cutFrom(first, pointsInFront.exec(plainLine(first))?.[0].length ?? 0);
  return plainLine(rest).trim() === '' ? more : [rest, ...more];
}

/** Returns the text behind the letters of a known answer. */
function restOfAnswer(answer: readonly Line[]): Line[] {
  const [first, ...more] = answer;
  if (!first || isTable(first)) return [...answer];
  const rest = lettersIn(plainLine(first))?.rest ?? '';
  const line = cutFrom(first, plainLine(first).length - rest.length);
  return rest === '' ? more : [line, ...more];
}

/** Splits an entry of a key into fields. */
function fieldsOfEntry({ lines }: KeyEntry): { answer: Line[]; analysis: Line[]; difficulty: Line[] | undefined } {
  const fields: Record<'answer' | 'analysis' | 'difficulty', Line[]> = { answer: [], analysis: [], difficulty: [] };
  let field: keyof typeof fields | undefined = 'answer';
  for (const line of lines) {
    if (isTable(line)) {
      if (field) fields[field].push(line);
      continue;
    }
    const text = plainLine(line);
    const labels = labelsIn(text).filter(({ isSpoken }) => !isSpoken);
    const cut = (from: number, to: number) => cutFrom(line, from, to);
    const head = labels[0]?.from ?? text.length;
    if (field && (head > 0 || labels.length === 0)) fields[field].push(cut(0, head));
    labels.forEach((label, index) => {
      field =
        label.field === 'answer' || label.field === 'difficulty'
          ? label.field
          : label.field === 'analysis' || label.field === 'point' || label.field === 'note'
            ? 'analysis'
            : undefined;
      // The key repeats the questions: text before the label is the question.
      if (label.field === 'answer') fields.answer = [];
      const content = cut(label.to, labels[index + 1]?.from ?? text.length);
      if (field && plainLine(content).trim() !== '') fields[field].push(content);
    });
  }
  return {
    answer: trimLines(fields.answer),
    analysis: trimLines(fields.analysis),
    difficulty: fields.difficulty.length > 0 ? fields.difficulty : undefined,
  };
}
