/**
 * Reads a paper that nobody wrote for a template. Several readings are tried: which numbers begin questions, and where
 * the answer key begins. The one that leaves the fewest questions open is kept; what remains unsure is a doubt.
 */
import type { ImportNote } from '../imported-question.ts';
import type { RawQuestion } from '../raw-question.ts';
import type { Line } from '../rich-line.ts';
import { importedMessages, paperMessages } from '../rules.ts';
import { checkBlankAnswers } from './blank-texts.ts';
import { divide } from './division.ts';
import { type Draft, type LeftOver, noteAt } from './draft.ts';
import { tidyDraft } from './draft-tidy.ts';
import {
  type Fact,
  factOf,
  isAnswerGrid,
  isAnswerLine,
  isPageLine,
  secondFileOffset,
  withCapitalOptions,
  withOptionSigns,
  withoutTinyPictures,
} from './facts.ts';
import { applyKeys, giveNumbered, shareBlankAnswers, shareGroupAnswers } from './key-answers.ts';
import { hasAnswers, keyPlaces, takeFrontKey, unitsOf } from './key-places.ts';
import { leftOutNotes } from './left-out.ts';
import { joinMaterials } from './materials.ts';
import type { NumberStyle } from './numbers.ts';
import { checkCounts, scoreDrafts } from './points.ts';
import { isPaper, qualityOf } from './quality.ts';
import { rawQuestionOf } from './raw-question.ts';
import { sectionsOf } from './sections.ts';
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
  const isOutside = (line: Line) => isAnswerGrid(line) || isAnswerLine(line) || isPageLine(line);
  const outside = kept.filter(isOutside);
  const lettered = withOptionSigns(withCapitalOptions(spellOutTables(kept.filter((line) => !isOutside(line)))));
  const { facts, front } = takeFrontKey(lettered.map(factOf));
  const files = keyFiles.map((file) =>
    file.filter((line) => !isPageLine(line)).map((line) => factOf({ ...line, number: line.number + secondFileOffset })),
  );
  const keys = front.length > 0 ? [front, ...files] : files;
  const whole = bestReading(facts, keys);
  const units = keys.length === 0 ? unitsOf(facts) : undefined;
  const divided = units && joinReadings(units.map((unit) => bestReading(unit, [])));
  const best = divided && divided.quality > whole.quality ? divided : whole;
  best.left.lines.push(...outside);
  return finish(best, removed);
}

/** Reads a paper in each way. Keeps one reading at a time, because readings of long papers take much memory. */
function bestReading(facts: readonly Fact[], keys: readonly (readonly Fact[])[]): Reading {
  const [first, ...others] = waysOf(facts) as [Way, ...Way[]];
  let best = readAs(facts, keys, first);
  for (const way of others) {
    const reading = readAs(facts, keys, way);
    if (reading.quality > best.quality) best = reading;
  }
  return best;
}

/** Joins the readings of units that have keys of their own. */
const joinReadings = (readings: readonly Reading[]): Reading => ({
  drafts: readings.flatMap(({ drafts }) => drafts),
  left: {
    lines: readings.flatMap(({ left }) => left.lines),
    attempts: readings.flatMap(({ left }) => left.attempts),
    numbered: readings.flatMap(({ left }) => left.numbered),
  },
  doubts: readings.flatMap(({ doubts }) => doubts),
  quality: readings.reduce((sum, { quality }) => sum + quality, 0),
});

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

interface Reading {
  drafts: Draft[];
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
        : [{ facts: facts.slice(hasAnswers(facts[way.keyAt]) ? way.keyAt : way.keyAt + 1), section: undefined }]),
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
  return { drafts, left, doubts, quality: qualityOf(flat, cost, left) + (way.keyAt === undefined ? 0 : 0.4) };
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
      if (line >= draft.from && line <= draft.to) draft.losses.push(noteAt(line, paperMessages.tinyPicture));
    }
  }
  const questions = drafts.map((draft) => rawQuestionOf(draft));
  const notes = [...doubts];
  if (drafts.some((draft) => draft.difficulty === undefined))
    notes.push({ where: '文件', message: paperMessages.usualDifficulty });
  return { questions, errors: [], leftOut: leftOutNotes(left), doubts: notes };
}
