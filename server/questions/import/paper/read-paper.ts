/**
 * Reads a paper that nobody wrote for a template. Several readings are tried: which numbers begin questions, and where
 * the answer key begins. The one that leaves the fewest questions open is kept; what remains unsure is a doubt.
 */
import type { RawQuestion } from '../assemble.ts';
import type { ImportNote } from '../imported-question.ts';
import { cutLine, isBlankLine, isTable, type Line, plainLine, plainText, trimLines } from '../rich-line.ts';
import { importedMessages, paperMessages } from '../rules.ts';
import { readJudgement, removeSpaces } from '../spelling.ts';
import { blanksIn, lettersIn, rawQuestionOf } from './answers.ts';
import { type Draft, emptyDraft, type LeftOver, note, readDrafts, tidyDraft } from './drafts.ts';
import {
  cutFrom,
  type Fact,
  factOf,
  isAnswerGrid,
  place,
  secondFileOffset,
  withOptionSigns,
  withoutTinyPictures,
} from './facts.ts';
import { type KeyEntry, type KeySection, readKey } from './key.ts';
import { keyRowIn } from './key-rows.ts';
import { labelsIn } from './labels.ts';
import { joinMaterials, type PaperItem } from './materials.ts';
import { type NumberStyle, numberAt } from './numbers.ts';
import { type Section, sectionsOf } from './sections.ts';
import { chooseStarts, type Start } from './sequence.ts';
import { spellOutTables } from './table-questions.ts';
import { divideUnnumbered } from './unnumbered.ts';

export interface PaperReading {
  questions: RawQuestion[];
  errors: ImportNote[];
  leftOut: ImportNote[];
  doubts: ImportNote[];
}

/** A way to read the paper. `style` undefined: questions have no numbers. `keyAt`: line of the answer key. */
interface Way {
  style: NumberStyle | undefined;
  keyAt: number | undefined;
}

/** Reads the lines of a paper. `keyFiles`: the lines of further files with its answers. */
export function readPaper(lines: readonly Line[], keyFiles: readonly (readonly Line[])[] = []): PaperReading {
  const { lines: kept, removed } = withoutTinyPictures(lines);
  const grids = kept.filter(isAnswerGrid);
  const facts = withOptionSigns(spellOutTables(kept.filter((line) => !isAnswerGrid(line)))).map(factOf);
  const keys = keyFiles.map((file) => file.map((line) => factOf({ ...line, number: line.number + secondFileOffset })));
  const readings = waysOf(facts).map((way) => readAs(facts, keys, way));
  const best = readings.reduce((one, other) => (other.quality > one.quality ? other : one));
  best.left.lines.push(...grids);
  return finish(best, removed);
}

/** Maximum number of places where the answer key is tried. */
const maxKeyPlaces = 3;

function waysOf(facts: readonly Fact[]): Way[] {
  const counts = new Map<NumberStyle, number>();
  for (const { number, isKeyRow } of facts) {
    if (number && !isKeyRow) counts.set(number.style, (counts.get(number.style) ?? 0) + 1);
  }
  const styles: (NumberStyle | undefined)[] = (['dot', 'bracket', 'paren', 'chinese'] as const).filter((style) =>
    counts.has(style),
  );
  const dots = counts.get('dot') ?? 0;
  // Most papers number their questions 1. 2. 3.; other readings are only worth their time where those are few.
  const tried = dots > 200 ? [styles[0]] : [...styles, undefined];
  const places = keyPlaces(facts);
  return tried.flatMap((style) => [undefined, ...places].map((keyAt) => ({ style, keyAt })));
}

const keyTitle =
  /^[\s\u3000【（(《]*(?:附[:：]?)?.{0,40}?(?:参考答案|标准答案|答案与解析|答案及解析|答案及评分|评分标准|评分参考|答案解析|答案部分|试题答案|答案)[^A-Za-z0-9√×]{0,16}$/;

/** A row of answers with a label, which may begin the key: `答案：1-5 ABCDA`. */
const keyRowLabel = /^[\s\u3000【]*(?:参考答案|标准答案|正确答案|答案|Keys?|Answers?)/i;

/** Lines that may begin the answer key: titles with 答案, behind the first question. */
function keyPlaces(facts: readonly Fact[]): number[] {
  const places = facts.flatMap((fact, at) => {
    if (at > 0 && fact.isKeyRow && keyRowLabel.test(fact.text)) return [at];
    if (fact.isBlank || fact.text.length > 60 || fact.number || !keyTitle.test(fact.text) || at === 0) return [];
    const next = facts.slice(at + 1, at + 8).find((other) => !other.isBlank);
    const isKey =
      next &&
      (next.heading || next.number || next.isKeyRow || isTable(next.line) || /^[A-H√×\s]+$|^\s*题号/.test(next.text));
    return isKey ? [at] : [];
  });
  return [...new Set([...places.slice(0, 1), ...places.slice(-(maxKeyPlaces - 1))])];
}

interface Reading {
  drafts: Draft[];
  sections: Section[];
  left: LeftOver;
  doubts: ImportNote[];
  quality: number;
}

function readAs(facts: readonly Fact[], keys: readonly (readonly Fact[])[], way: Way): Reading {
  const body = facts.slice(0, way.keyAt);
  const sections = sectionsOf(body);
  const sectionAt: number[] = [];
  let current = 0;
  body.forEach((_, at) => {
    if (sections[current + 1]?.at === at) current += 1;
    sectionAt.push(current);
  });
  const kinds = sectionAt.map((id) => sections[id]?.kind);
  const { starts, cost } = way.style ? chooseStarts(body, way.style, sectionAt, kinds) : { starts: [], cost: 0 };
  const left: LeftOver = { lines: [], attempts: [], numbered: [] };
  const doubts: ImportNote[] = [];
  const { items, localKeys } = divide(body, sections, sectionAt, starts, way.style, left);
  const flat = items.flatMap((item) => ('draft' in item ? [item.draft] : []));
  for (const draft of flat) tidyDraft(draft);
  giveNumbered(flat, left);
  shareGroupAnswers(flat, way.style ?? 'dot');
  applyKeys(
    flat,
    sections,
    [
      ...localKeys,
      ...(way.keyAt === undefined
        ? []
        : [{ facts: facts.slice(facts[way.keyAt]?.isKeyRow ? way.keyAt : way.keyAt + 1), section: undefined }]),
      ...keys.map((key) => ({ facts: key, section: undefined })),
    ],
    way.style ?? 'dot',
    doubts,
    left,
  );
  scoreDrafts(flat, sections);
  checkCounts(flat, sections, body, doubts);
  const drafts = joinMaterials(items, left.lines);
  return { drafts, sections, left, doubts, quality: qualityOf(flat, cost, left) + (way.keyAt === undefined ? 0 : 0.4) };
}

interface LocalKey {
  facts: readonly Fact[];
  section: number | undefined;
}

/** Divides the paper into questions and the texts between them. */
function divide(
  facts: readonly Fact[],
  sections: readonly Section[],
  sectionAt: readonly number[],
  starts: readonly Start[],
  style: NumberStyle | undefined,
  left: LeftOver,
): { items: PaperItem[]; localKeys: LocalKey[] } {
  const items: PaperItem[] = [];
  const localKeys: LocalKey[] = [];
  const startAt = new Map(starts.map((start, index) => [start.at, index]));
  let at = 0;
  while (at < facts.length) {
    const section = sections[sectionAt[at] ?? 0] as Section;
    const isHeading = section.at === at;
    let end = at + 1;
    while (end < facts.length && !startAt.has(end) && sections[sectionAt[end] ?? 0]?.at !== end) end += 1;
    const block = facts.slice(at, end);
    const start = startAt.get(at);
    // Rows of answers belong to the questions before them.
    const rows = block.filter((fact, index) => fact.isKeyRow && (index > 0 || start === undefined));
    if (rows.length > 0) localKeys.push({ facts: rows, section: section.id });
    const rest = rows.length > 0 ? block.filter((fact) => !rows.includes(fact)) : block;
    if (start !== undefined) takeBlock(rest, starts, start, section, style, left, items);
    else takeText(rest, section, isHeading, startAt.has(end) && sectionAt[end] === section.id, left, items);
    at = end;
  }
  return { items, localKeys };
}

/** Reads the lines of a numbered question, and the text before the next one. */
function takeBlock(
  block: readonly Fact[],
  starts: readonly Start[],
  index: number,
  section: Section,
  style: NumberStyle | undefined,
  left: LeftOver,
  items: PaperItem[],
) {
  const start = starts[index] as Start;
  const [first] = block as [Fact];
  const draft = emptyDraft(first.number?.printed ?? '', start.value, first.line.number, section.kind, section.id);
  draft.tag = first.tag;
  draft.score = first.score;
  draft.answer = answerInFront(first);
  if (start.breaks)
    draft.doubts.push(
      note(first.line.number, paperMessages.breaks(start.breaks, starts[index - 1]?.value ?? 0, start.value)),
    );
  const following = starts[index + 1]?.value;
  // A material that names the next question begins here, wherever the question before ends.
  const cut = block.findIndex(
    (fact, at) =>
      at > 0 &&
      ((fact.range !== undefined && fact.range.first === following) || beginsMaterial(block.slice(0, at), fact)),
  );
  const own = cut === -1 ? block : block.slice(0, cut);
  const drafts = readDrafts(draft, own, style, left);
  items.push(...drafts.map((other) => ({ draft: other })));
  const text = takeAfter(drafts.at(-1) as Draft);
  if (cut !== -1) text.push(...block.slice(cut).map(({ line }) => line));
  if (text.length > 0) items.push({ text, section, place: 'between' });
}

/** An answer in front of the number: ( B )1. */
const answerInFront = ({ answer, line }: Fact) =>
  answer === undefined
    ? undefined
    : {
        where: place(line.number),
        lines: [{ number: line.number, continues: false, segments: [{ text: answer, marks: [] }] }],
      };

/** True if a line such as 案例二： begins a material, behind a question that is complete. */
function beginsMaterial(before: readonly Fact[], { text }: Fact): boolean {
  const match =
    /^[\s\u3000【（(]*(案例|材料|资料|情景|背景)[\s\u3000]*[一二三四五六七八九十\d]{1,3}[】）)]?[\s\u3000]*(?:[:：、]|$)/.exec(
      text,
    );
  if (!match) return false;
  const isAnswered = before.some(({ labels }) => labels.some(({ field }) => field === 'answer'));
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
    draft.doubts.push(note(after[0]?.number ?? draft.to, paperMessages.pictureBehind));
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
    if (!only.continues) draft.doubts.push(note(only.number, paperMessages.lineBehind));
    return [];
  }
  return after;
}

/** Reads lines under a heading, or before it: an introduction, or questions without numbers. */
function takeText(
  block: readonly Fact[],
  section: Section,
  isHeading: boolean,
  hasNext: boolean,
  left: LeftOver,
  items: PaperItem[],
) {
  const [heading, ...rest] = block;
  const facts = isHeading ? rest : block;
  if (isHeading && heading) left.lines.push(heading.line);
  if (hasNext) {
    if (facts.length > 0)
      items.push({ text: facts.map(({ line }) => line), section, place: section.at === -1 ? 'cover' : 'intro' });
    return;
  }
  const filled = facts.filter((fact) => !fact.isBlank);
  if (filled.length === 0) return;
  const { before, questions } = divideUnnumbered(facts);
  const isOpenSection =
    section.heading?.isCertain &&
    section.heading.rank > 0 &&
    (section.kind === undefined || section.kind === 'open' || section.kind === 'reading' || section.kind === 7);
  if (questions.length === 0 && isOpenSection && heading) {
    const draft = emptyDraft(ordinalOf(heading.text), 0, filled[0]?.line.number ?? 1, section.kind, section.id);
    draft.doubts.push(note(heading.line.number, paperMessages.wholeSection));
    readDrafts(draft, facts, 'dot', left);
    draft.stem.push(...takeAfter(draft));
    items.push({ draft });
    return;
  }
  if (before.length > 0) left.lines.push(...before.map(({ line }) => line));
  for (const lines of questions) {
    const [first] = lines as [Fact];
    const draft = emptyDraft('', 0, first.line.number, section.kind, section.id);
    draft.tag = first.tag;
    draft.score = first.score;
    if (!first.tag && !first.labels.some(({ field }) => field === 'stem'))
      draft.doubts.push(note(first.line.number, paperMessages.noNumber));
    const drafts = readDrafts(draft, lines, undefined, left);
    items.push(...drafts.map((other) => ({ draft: other })));
    const text = takeAfter(drafts.at(-1) as Draft);
    if (text.length > 0) items.push({ text, section, place: 'between' });
  }
}

const ordinalOf = (text: string): string => /^[\s\u3000]*(?:第\s*)?([一二三四五六七八九十]{1,3})/.exec(text)?.[1] ?? '';

/** Gives the questions the answers of the keys. */
function applyKeys(
  drafts: readonly Draft[],
  sections: readonly Section[],
  keys: readonly LocalKey[],
  style: NumberStyle,
  doubts: ImportNote[],
  left: LeftOver,
) {
  const numbered = drafts.filter(({ value }) => value > 0);
  const keySections = sections.flatMap((section): KeySection[] => {
    const values = drafts
      .filter((draft) => draft.section === section.id)
      .flatMap((draft) => (draft.covers.length > 0 ? draft.covers : draft.value > 0 ? [draft.value] : []));
    return values.length > 0 ? [{ id: section.id, heading: section.heading, values }] : [];
  });
  for (const { facts, section } of keys) {
    const own = keySections.filter(({ id, values }) => id === section && namesOnly(facts, values));
    const isLocal = own.length > 0;
    for (const entry of readKey(facts, isLocal ? own : keySections, style, left.lines)) {
      const candidates = numbered.filter(
        (draft) =>
          draft.value === entry.value &&
          (isLocal ? draft.section === section : entry.section === undefined || draft.section === entry.section),
      );
      const [draft] = candidates;
      if (draft) giveAnswer(draft, entry);
      else if (!coverAnswer(drafts, entry))
        doubts.push(note(entry.line, paperMessages.answerWithoutQuestion(entry.value)));
    }
  }
}

/** True if rows of answers name no question outside these. */
const namesOnly = (facts: readonly Fact[], values: readonly number[]): boolean =>
  facts.every((fact) => (keyRowIn(fact.text) ?? []).every(({ value }) => values.includes(value)));

/** Adds the answer of a numbered blank to the text that has the blank. */
function coverAnswer(drafts: readonly Draft[], { value, line, lines }: KeyEntry): boolean {
  const draft = drafts.find(({ covers }) => covers.includes(value));
  if (!draft) return false;
  const text = plainText(lines).replace(/\s*\n\s*/g, ' ');
  draft.answer ??= { where: place(line), lines: [] };
  draft.answer.lines.push({ number: line, continues: false, segments: [{ text: `${value}. ${text}`, marks: [] }] });
  return true;
}

/** Gives answers and analyses to the questions that their labels name: 【3题详解】. */
function giveNumbered(drafts: readonly Draft[], { numbered, lines: left }: LeftOver): void {
  for (const { value, section, field, lines } of numbered) {
    const draft =
      drafts.findLast((other) => other.value === value && other.section === section) ??
      drafts.find((other) => other.value === value);
    const where = place(lines[0]?.number ?? 1);
    if (!draft) left.push(...lines);
    else if (field === 'answer') draft.answer ??= { where, lines };
    else
      draft.analysis = { where: draft.analysis?.where ?? where, lines: [...(draft.analysis?.lines ?? []), ...lines] };
  }
}

/** An answer behind the last question of a group may list those of the questions before it: 【答案】4. … 5. … */
function shareGroupAnswers(drafts: readonly Draft[], style: NumberStyle): void {
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
  const { answer, analysis, difficulty } = fieldsOfEntry(entry);
  const where = place(entry.line);
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

/** What stands behind the letters of an answer that is known already. */
function restOfAnswer(answer: readonly Line[]): Line[] {
  const [first, ...more] = answer;
  if (!first || isTable(first)) return [...answer];
  const rest = lettersIn(plainLine(first))?.rest ?? '';
  const line = cutFrom(first, plainLine(first).length - rest.length);
  return rest === '' ? more : [line, ...more];
}

function isSameAnswer(one: string, other: string): boolean {
  const [letters, others] = [lettersIn(one), lettersIn(other)];
  if (letters && others) return letters.indexes.join() === others.indexes.join();
  const [mark, otherMark] = [readJudgement(one), readJudgement(other)];
  if (mark !== undefined && otherMark !== undefined) return mark === otherMark;
  const [plain, otherPlain] = [removeSpaces(one), removeSpaces(other)];
  return plain === otherPlain || plain.startsWith(otherPlain) || otherPlain.startsWith(plain);
}

/** Takes an entry of a key apart. */
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
          : label.field === 'analysis' || label.field === 'point'
            ? 'analysis'
            : undefined;
      // A key that repeats the questions: what stands before the label is the question.
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

/** Points at the end of a line, or before the bracket for the answer: …。（3分）, …的是（3分）（　　） */
const trailingScore =
  /[\s\u3000]*[（(]\s*(?:本小?题)?(?:满分|共)?\s*(\d+(?:\.\d+)?)\s*分\s*[)）](?=[\s\u3000]*(?:[（(][\s\u3000]*[)）])?[\s\u3000。]*$)/;

/** Points of each question: its own, those the heading names for it, or those of each in the section. */
function scoreDrafts(drafts: readonly Draft[], sections: readonly Section[]): void {
  for (const draft of drafts) {
    const section = sections[draft.section];
    const each = section?.each === undefined ? undefined : section.each * Math.max(1, draft.covers.length);
    const own = takePoints(draft);
    draft.score ??= own ?? section?.scores.get(draft.value) ?? each ?? draft.tag?.score;
    if (draft.score === undefined && section?.perBlank !== undefined) {
      const blanks = blanksIn(draft.stem);
      if (blanks > 0) draft.score = blanks * section.perBlank;
    }
    for (const part of draft.parts) {
      const points = takePoints(part);
      part.score ??= points;
    }
  }
}

/** Takes the points out of the stem, at the end of its last or first line. */
function takePoints(draft: Draft): number | undefined {
  const isFilled = (line: Line) => !isBlankLine(line);
  for (const at of [draft.stem.findLastIndex(isFilled), draft.stem.findIndex(isFilled)]) {
    const line = draft.stem[at];
    if (!line || isTable(line)) continue;
    const text = plainLine(line);
    const match = trailingScore.exec(text);
    if (!match) continue;
    const before = cutLine(line, 0, match.index);
    const after = cutLine(line, match.index + match[0].length, text.length);
    draft.stem[at] = { ...line, segments: [...before.segments, ...after.segments] };
    return Number(match[1]);
  }
  return undefined;
}

/** Compares the number of questions with what each heading says. */
function checkCounts(
  drafts: readonly Draft[],
  sections: readonly Section[],
  facts: readonly Fact[],
  doubts: ImportNote[],
): void {
  for (const section of sections) {
    const count = section.heading?.count;
    const isLeaf =
      sections[section.id + 1] === undefined ||
      (sections[section.id + 1]?.heading?.rank ?? 0) <= (section.heading?.rank ?? 0);
    const found = drafts
      .filter((draft) => draft.section === section.id)
      .reduce((sum, { covers }) => sum + Math.max(1, covers.length), 0);
    if (count === undefined || !isLeaf || found === 0 || found === count) continue;
    doubts.push(note(facts[section.at]?.line.number ?? 1, paperMessages.otherCount(count, found)));
  }
}

/** How well a reading fits: questions with options or answers count, open ends cost. */
function qualityOf(drafts: readonly Draft[], cost: number, left: LeftOver): number {
  let quality = -cost * 0.1;
  for (const draft of drafts) {
    const texts = draft.options.length;
    quality += 0.2;
    if (texts >= 2) quality += 1;
    if (texts > 6) quality -= 2;
    if (draft.answer) quality += 1;
    if (draft.parts.length > 1) quality += 0.5;
    if (draft.parts.some((part) => part.answer)) quality += 0.5;
    if (trimLines(draft.stem).length === 0 && draft.kind !== 'reading') quality -= 1;
    if (draft.number === '') quality -= 0.5;
    quality -= draft.errors.length * 0.5;
    const answer = draft.answer && lettersIn(plainText(draft.answer.lines));
    if (texts >= 2 && answer && answer.indexes.some((index) => index >= texts)) quality -= 1;
    if (texts >= 2 && draft.answer && !answer && readJudgement(plainText(draft.answer.lines)) === undefined)
      quality -= 1.5;
  }
  const strayOptions = left.lines.filter(
    (line) => !isTable(line) && /^[\s\u3000]*[A-D][.．、]/.test(plainLine(line)),
  ).length;
  return quality - strayOptions * 0.5;
}

/** Share of questions that must look like questions, so that a notice with numbered paragraphs is none. */
const questionShare = 1 / 3;

const asks = (draft: Draft): boolean =>
  draft.options.length > 1 ||
  draft.answer !== undefined ||
  draft.tag !== undefined ||
  draft.parts.some(asks) ||
  (draft.kind !== undefined && draft.kind !== 'reading') ||
  /[？?]|（[\s\u3000]*）|\([\s\u3000]*\)|_{2,}|^(?:简述|论述|试述|说明|计算|求|证明|分析|为什么|如何|解释|翻译|列举|谈谈)/.test(
    plainText(draft.stem),
  );

function finish({ drafts, left, doubts }: Reading, removed: ReadonlySet<number>): PaperReading {
  const isPaper = drafts.filter(asks).length >= Math.max(1, drafts.length * questionShare);
  if (!isPaper)
    return {
      questions: [],
      errors: [{ where: '文件', message: importedMessages.noQuestions }],
      leftOut: [],
      doubts: [],
    };
  for (const draft of drafts) {
    for (const line of removed) {
      if (line >= draft.from && line <= draft.to) draft.losses.push(note(line, paperMessages.tinyPicture));
    }
  }
  const questions = drafts.map((draft) => rawQuestionOf(draft));
  const notes = [...doubts];
  if (drafts.some((draft) => draft.difficulty === undefined))
    notes.push({ where: '文件', message: paperMessages.usualDifficulty });
  return { questions, errors: [], leftOut: leftOutNotes(left), doubts: notes };
}

/** One note for each run of lines that are in no question. */
function leftOutNotes({ lines, attempts }: LeftOver): ImportNote[] {
  const filled = [...lines].filter((line) => !isBlankLine(line)).sort((one, other) => one.number - other.number);
  const runs: Line[][] = [];
  for (const line of filled) {
    const run = runs.at(-1);
    const before = run?.at(-1)?.number;
    if (run && before !== undefined && line.number - before <= 2) run.push(line);
    else runs.push([line]);
  }
  const notes = runs.map((run): ImportNote => {
    const [first, last] = [run[0]?.number ?? 0, run.at(-1)?.number ?? 0];
    const where =
      first === last
        ? place(first)
        : `${place(first).replace(/行$/, '')}～${last > secondFileOffset ? last - secondFileOffset : last}行`;
    return { where, message: paperMessages.leftOut(quote(plainText(run))) };
  });
  if (attempts.length > 0) notes.push({ where: place(attempts[0] ?? 1), message: paperMessages.attempts });
  return notes;
}

function quote(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  if (characters.length === 0) return '图片或表格';
  return characters.length > 30 ? `${characters.slice(0, 30).join('')}…` : characters.join('');
}
