/** Divides a paper into its questions and the texts between them. */
import { isTable, type Line, plainText, trimLines } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { divideBlankText } from './blank-texts.ts';
import { type Draft, emptyDraft, type LeftOver, noteAt } from './draft.ts';
import { readDrafts } from './draft-reader.ts';
import { type Fact, factOf, lineName } from './facts.ts';
import { totalOf } from './heading-points.ts';
import type { PaperItem } from './materials.ts';
import type { NumberStyle } from './numbers.ts';
import type { Section } from './sections.ts';
import type { Start } from './sequence.ts';
import { divideUnnumbered } from './unnumbered.ts';

export interface LocalKey {
  facts: readonly Fact[];
  section: number | undefined;
}

interface Plan {
  sections: readonly Section[];
  /** Id of the section of each line. */
  sectionAt: readonly number[];
  starts: readonly Start[];
  style: NumberStyle | undefined;
}

export function divide(
  facts: readonly Fact[],
  plan: Plan,
  left: LeftOver,
): { items: PaperItem[]; localKeys: LocalKey[] } {
  const division = new Division(plan, left);
  const localKeys: LocalKey[] = [];
  const startAt = new Map(plan.starts.map((start, index) => [start.at, index]));
  const sectionOf = (at: number) => plan.sections[plan.sectionAt[at] ?? 0] as Section;
  let at = 0;
  while (at < facts.length) {
    const section = sectionOf(at);
    let end = at + 1;
    while (end < facts.length && !startAt.has(end) && sectionOf(end).at !== end) end += 1;
    const block = facts.slice(at, end);
    const start = startAt.get(at);
    // Rows of answers belong to the questions before them.
    const rows = block.filter((fact, index) => fact.isKeyRow && (index > 0 || start === undefined));
    if (rows.length > 0) localKeys.push({ facts: rows, section: section.id });
    const rest = rows.length > 0 ? block.filter((fact) => !rows.includes(fact)) : block;
    const next = startAt.has(end) && sectionOf(end) === section ? plan.starts[startAt.get(end) ?? -1] : undefined;
    if (start !== undefined) division.takeQuestion(rest, start, section, next);
    else division.takeText(rest, section, section.at === at, next);
    at = end;
  }
  return { items: division.items, localKeys };
}

class Division {
  readonly items: PaperItem[] = [];
  private readonly plan: Plan;
  private readonly left: LeftOver;

  constructor(plan: Plan, left: LeftOver) {
    this.plan = plan;
    this.left = left;
  }

  /** Reads the lines of a numbered question, and the text before the next one. */
  takeQuestion(block: readonly Fact[], index: number, section: Section, next: Start | undefined): void {
    const { starts, style } = this.plan;
    const start = starts[index] as Start;
    const [first] = block as [Fact];
    const draft = emptyDraft(first.number?.printed ?? '', start.value, first.line.number, section.kind, section.id);
    draft.tag = first.tag;
    draft.score = first.score;
    draft.answer = answerInFront(first);
    if (start.breaks)
      draft.doubts.push(
        noteAt(first.line.number, paperMessages.breaks(start.breaks, starts[index - 1]?.value ?? 0, start.value)),
      );
    const following = starts[index + 1]?.value;
    // A material that names the next question ends the question before it.
    const cut = block.findIndex(
      (fact, at) =>
        at > 0 &&
        ((fact.range !== undefined && fact.range.first === following) || beginsMaterial(block.slice(0, at), fact)),
    );
    const own = cut === -1 ? block : block.slice(0, cut);
    const drafts = readDrafts(draft, own, style, this.left);
    this.items.push(...drafts.map((other) => ({ draft: other })));
    const text = takeAfter(drafts.at(-1) as Draft);
    if (cut !== -1) text.push(...block.slice(cut).map(({ line }) => line));
    this.takeBetween(text, section, next);
  }

  /** Keeps a text between two questions, which may be a question itself: a text with numbered blanks. */
  private takeBetween(text: readonly Line[], section: Section, next: Start | undefined): void {
    if (text.length === 0) return;
    if (!this.takeBlankText(text.map(factOf), section, next))
      this.items.push({ text: [...text], section, place: 'between' });
  }

  /** Reads lines under a heading, or before it: an introduction, or questions without numbers. */
  takeText(block: readonly Fact[], section: Section, isHeading: boolean, next: Start | undefined): void {
    const [heading, ...rest] = block;
    const facts = isHeading ? rest : block;
    if (isHeading && heading) this.left.lines.push(heading.line);
    if (this.takeBlankText(facts, section, next)) return;
    if (next) {
      if (facts.length > 0)
        this.items.push({ text: facts.map(({ line }) => line), section, place: section.at === -1 ? 'cover' : 'intro' });
      return;
    }
    const filled = facts.filter((fact) => !fact.isBlank);
    if (filled.length === 0) return;
    const { before, questions } = divideUnnumbered(facts);
    if (questions.length === 0 && isOpen(section) && heading) {
      this.takeWholeSection(heading, facts, section);
      return;
    }
    if (before.length > 0) this.left.lines.push(...before.map(({ line }) => line));
    for (const lines of questions) this.takeUnnumbered(lines, section);
  }

  /** Reads a text with numbered blanks as one question, unless the questions that follow are its blanks. */
  private takeBlankText(facts: readonly Fact[], section: Section, next: Start | undefined): boolean {
    const divided = section.at === -1 && next ? undefined : divideBlankText(facts);
    if (!divided || divided.numbers[0] === next?.value) return false;
    const filled = facts.find((fact) => !fact.isBlank);
    const draft = emptyDraft('', 0, filled?.line.number ?? 1, section.kind, section.id);
    draft.covers = divided.numbers;
    draft.stem.push(...divided.text);
    const drafts = readDrafts(draft, divided.others, this.plan.style, this.left);
    draft.to = facts.at(-1)?.line.number ?? draft.from;
    this.items.push(...drafts.map((other) => ({ draft: other })));
    return true;
  }

  /** Reads a section without numbers as one question, such as a composition. */
  private takeWholeSection(heading: Fact, facts: readonly Fact[], section: Section): void {
    const [first] = facts.filter((fact) => !fact.isBlank);
    const draft = emptyDraft(ordinalOf(heading.text), 0, first?.line.number ?? 1, section.kind, section.id);
    draft.isSection = true;
    draft.score = totalOf(heading.text);
    draft.doubts.push(noteAt(heading.line.number, paperMessages.wholeSection));
    readDrafts(draft, facts, 'dot', this.left);
    draft.stem.push(...takeAfter(draft));
    this.items.push({ draft });
  }

  private takeUnnumbered(facts: readonly Fact[], section: Section): void {
    const [first] = facts as [Fact];
    const draft = emptyDraft('', 0, first.line.number, section.kind, section.id);
    draft.tag = first.tag;
    draft.score = first.score;
    if (!first.tag && !first.labels.some(({ field }) => field === 'stem'))
      draft.doubts.push(noteAt(first.line.number, paperMessages.noNumber));
    const drafts = readDrafts(draft, facts, undefined, this.left);
    this.items.push(...drafts.map((other) => ({ draft: other })));
    const text = takeAfter(drafts.at(-1) as Draft);
    if (text.length > 0) this.items.push({ text, section, place: 'between' });
  }
}

/** True if a section without numbers may be one written question. */
const isOpen = ({ heading, kind }: Section): boolean =>
  heading?.isCertain === true &&
  heading.rank > 0 &&
  (kind === undefined || kind === 'open' || kind === 'reading' || kind === 7);

/** An answer in front of the number: ( B )1. */
const answerInFront = ({ answer, line }: Fact) =>
  answer === undefined
    ? undefined
    : {
        where: lineName(line.number),
        lines: [{ number: line.number, continues: false, segments: [{ text: answer, marks: [] }] }],
      };

/** True if a line such as 案例二： or 阅读材料，完成下列问题。 begins a material, behind a question that is complete. */
function beginsMaterial(before: readonly Fact[], { text }: Fact): boolean {
  const isAnswered = before.some(({ labels }) => labels.some(({ field }) => field === 'answer'));
  if (isAnswered && /^[\s\u3000]*阅读[^。\n]{0,24}(?:回答|完成)[^。\n]{0,12}题[\s\u3000。:：.]*$/.test(text))
    return true;
  const match =
    /^[\s\u3000【（(]*(案例|材料|资料|情景|背景)[\s\u3000]*[一二三四五六七八九十\d]{1,3}[】）)]?[\s\u3000]*(?:[:：、]|$)/.exec(
      text,
    );
  if (!match) return false;
  const hasOptions = before.some(({ opensOptions }) => opensOptions);
  return hasOptions || (match[1] === '案例' && isAnswered);
}

/** Maximum length of a line that continues the last option. */
const maxContinuation = 60;

/** Decides about the lines behind the last option: pictures belong to the stem, a short line to the option. */
function takeAfter(draft: Draft): Line[] {
  const target = draft.parts.at(-1) ?? draft;
  const after = trimLines(target.after.splice(0));
  if (after.length === 0) return [];
  const text = plainText(after);
  if (text === '') {
    draft.stem.push(...after);
    draft.doubts.push(noteAt(after[0]?.number ?? draft.to, paperMessages.pictureBehind));
    return [];
  }
  const [only, ...more] = after;
  if (
    only &&
    !isTable(only) &&
    more.length === 0 &&
    (only.continues ||
      (text.length <= maxContinuation && text.length > 2 && !/[:：]$/.test(text) && !/阅读|回答|完成/.test(text)))
  ) {
    target.options.at(-1)?.lines.push(only);
    if (!only.continues) draft.doubts.push(noteAt(only.number, paperMessages.lineBehind));
    return [];
  }
  return after;
}

const ordinalOf = (text: string): string => /^[\s\u3000]*(?:第\s*)?([一二三四五六七八九十]{1,3})/.exec(text)?.[1] ?? '';
