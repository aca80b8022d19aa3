/**
 * Reads a paper that nobody wrote for a template. Several readings are tried: which numbers begin questions, and where
 * the answer key begins. The one that leaves the fewest questions open is kept; what remains unsure is a doubt.
 */
import type { RawQuestion } from '../assemble.ts';
import type { ImportNote } from '../imported-question.ts';
import { isTable, type Line } from '../rich-line.ts';
import { importedMessages, paperMessages } from '../rules.ts';
import { checkBlankAnswers } from './blank-texts.ts';
import { divide } from './division.ts';
import { type Draft, type LeftOver, note } from './draft.ts';
import { tidyDraft } from './draft-tidy.ts';
import {
  type Fact,
  factOf,
  isAnswerGrid,
  isPageLine,
  secondFileOffset,
  withCapitalOptions,
  withOptionSigns,
  withoutTinyPictures,
} from './facts.ts';
import { applyKeys, giveNumbered, shareBlankAnswers, shareGroupAnswers } from './key-answers.ts';
import { leftOutNotes } from './left-out.ts';
import { joinMaterials } from './materials.ts';
import type { NumberStyle } from './numbers.ts';
import { checkCounts, scoreDrafts } from './points.ts';
import { isPaper, qualityOf } from './quality.ts';
import { rawQuestionOf } from './raw-question.ts';
import { type Section, sectionsOf } from './sections.ts';
import { chooseStarts } from './sequence.ts';
import { shareOptionsBelow } from './shared-options.ts';
import { spellOutTables } from './table-questions.ts';

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
  const isOutside = (line: Line) => isAnswerGrid(line) || isPageLine(line);
  const outside = kept.filter(isOutside);
  const lettered = withOptionSigns(withCapitalOptions(spellOutTables(kept.filter((line) => !isOutside(line)))));
  const { facts, front } = takeFrontKey(lettered.map(factOf));
  const files = keyFiles.map((file) =>
    file.filter((line) => !isPageLine(line)).map((line) => factOf({ ...line, number: line.number + secondFileOffset })),
  );
  const keys = front.length > 0 ? [front, ...files] : files;
  const readings = waysOf(facts).map((way) => readAs(facts, keys, way));
  const best = readings.reduce((one, other) => (other.quality > one.quality ? other : one));
  best.left.lines.push(...outside);
  return finish(best, removed);
}

/** Takes the rows of answers out that stand under a title of their own above all questions. */
function takeFrontKey(facts: readonly Fact[]): { facts: readonly Fact[]; front: readonly Fact[] } {
  const isRow = (fact: Fact) => isTable(fact.line) || fact.isKeyRow || fact.isBlank;
  const begin = facts.findIndex((fact) => !fact.isBlank && (keyTitle.test(fact.text) || fact.number || fact.heading));
  const title = facts[begin];
  const end = facts.findIndex((fact, at) => at > begin && !isRow(fact));
  const front = facts.slice(begin + 1, end);
  if (!title || title.number || !keyTitle.test(title.text) || end === -1 || front.every((fact) => fact.isBlank))
    return { facts, front: [] };
  return { facts: [...facts.slice(0, begin), ...facts.slice(end)], front };
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
  /^[\s\u3000【（(《]*(?:附[:：]?)?.{0,40}?(?:参考答案|标准答案|答案与解析|答案及解析|答案及评分|评分标准|评分参考|答案解析|答案部分|试题答案|答案)[^A-Za-z0-9√×]{0,16}$|^[\s\u3000]*(?:Answer\s*Keys?|Keys?|Answers?)[\s\u3000]*[:：]?$/i;

/** A row of answers with a label, which may begin the key: `答案：1-5 ABCDA`. */
const keyRowLabel = /^[\s\u3000【]*(?:参考答案|标准答案|正确答案|答案|Keys?|Answers?)/i;

/** Numbered answers behind a label: `答案：三、1. is 2. are`, `答案：13．√2　14．1`. */
const keyLabel =
  /^[\s\u3000【]*(?:参考答案|标准答案|正确答案|答案)[】]?[\s\u3000]*[:：]?[\s\u3000]*(?:[一二三四五六七八九十]{1,3}、[\s\u3000]*)?\d{1,3}[\s\u3000]*[.．、]/;

/** Lines that may begin the answer key: titles with 答案, behind the first question. */
function keyPlaces(facts: readonly Fact[]): number[] {
  const places = facts.flatMap((fact, at) => {
    if (at > 0 && (keyLabel.test(fact.text) || (fact.isKeyRow && keyRowLabel.test(fact.text)))) return [at];
    if (fact.isBlank || fact.text.length > 60 || fact.number || !keyTitle.test(fact.text) || at === 0) return [];
    const next = facts.slice(at + 1, at + 8).find((other) => !other.isBlank);
    const isKey =
      next &&
      (next.heading || next.number || next.isKeyRow || isTable(next.line) || /^[A-H√×\s]+$|^\s*题号/.test(next.text));
    return isKey ? [at] : [];
  });
  return [...new Set([...places.slice(0, 1), ...places.slice(-(maxKeyPlaces - 1))])];
}

/** True if the line that begins a key has answers itself. */
const begins = (fact: Fact | undefined): boolean => fact !== undefined && (fact.isKeyRow || keyLabel.test(fact.text));

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
  const { items, localKeys } = divide(body, { sections, sectionAt, starts, style: way.style }, left);
  const flat = items.flatMap((item) => ('draft' in item ? [item.draft] : []));
  for (const draft of flat) tidyDraft(draft);
  giveNumbered(flat, left);
  shareGroupAnswers(flat, way.style ?? 'dot');
  shareBlankAnswers(flat, sections);
  applyKeys(
    flat,
    sections,
    [
      ...localKeys,
      ...(way.keyAt === undefined
        ? []
        : [{ facts: facts.slice(begins(facts[way.keyAt]) ? way.keyAt : way.keyAt + 1), section: undefined }]),
      ...keys.map((key) => ({ facts: key, section: undefined })),
    ],
    way.style ?? 'dot',
    doubts,
    left,
  );
  for (const draft of flat) checkBlankAnswers(draft);
  shareOptionsBelow(flat, sections);
  scoreDrafts(flat, sections);
  checkCounts(flat, sections, body, doubts);
  const drafts = joinMaterials(items, left.lines);
  return { drafts, sections, left, doubts, quality: qualityOf(flat, cost, left) + (way.keyAt === undefined ? 0 : 0.4) };
}

function finish({ drafts, left, doubts }: Reading, removed: ReadonlySet<number>): PaperReading {
  if (!isPaper(drafts))
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
