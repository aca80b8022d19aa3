/** Joins a shared material with the questions that follow it: 阅读下列材料，回答1～3题. */
import { isBlankLine, isTable, type Line, plainLine, plainText, trimLines } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { type Draft, emptyDraft, noteAt } from './draft.ts';
import { partsToText } from './draft-tidy.ts';
import { isRangeLine, rangeIn } from './numbers.ts';
import type { Section } from './sections.ts';
import { takeOptionsAbove } from './shared-options.ts';

/** A question, or the text between two questions. */
export type PaperItem = { draft: Draft } | { text: Line[]; section: Section; place: 'cover' | 'intro' | 'between' };

/** Words of a text that questions refer to. */
const readingWords =
  /(?:阅读|根据|结合|依据|分析)(?:以下|下列|下面|下述|上述|所给|图文|这|材料|短文|文章|文言文|文字|.{0,8}(?:材料|短文|文字|文章|图|资料|文言文|诗歌|古诗))|(?:回答|完成)(?:下列|下面|以下|后面|文后)?(?:各|小|的|问)*(?:小题|各题|问题|题)|^材料[一二三四五六七八九十\d]?[:：\s]|据此(?:回答|完成)|听(?:下面|第|一段)|^[【（(]?(?:案例|材料|资料|情景|背景)[\s\u3000]*[一二三四五六七八九十\d]{0,3}[】）)]?[:：\s]|^(?:Passage|Text)\s*\w/m;

const instructionWords =
  /选出|最佳选项|每小题|每题|每段对话|读两遍|听一遍|你将有|答题卡|下列各题|下面各题|填在|填入|对的打|正确的打|划“|涂“/;

/** A heading such as 一、阅读下面的短文，回答问题: the text below it is the material, however short. */
const readingTitle = /^(?:阅读|根据|结合|默读|读)(?:以下|下列|下面|短文|材料|文章|课文)/;

/** Minimum length of a text that counts as material without words that say so. */
const longText = 150;
const longReading = 60;

const fullText = (lines: readonly Line[]): string => plainText(lines);

/** Returns the place where the material begins in a text before a question; undefined if it is none. */
function materialStart(
  text: readonly Line[],
  section: Section,
  place: 'cover' | 'intro' | 'between',
): number | undefined {
  const filled = text.findIndex((line) => !isBlankLine(line));
  if (filled === -1) return undefined;
  const ranged = text.findIndex((line) => !isTable(line) && rangeIn(plainLine(line)) !== undefined);
  if (place === 'cover') {
    const begin =
      ranged !== -1
        ? ranged
        : text.findIndex(
            (line) =>
              !isTable(line) &&
              /^[\s\u3000]*(?:[一二三（(][^\n]{0,4})?(?:阅读|根据)(?:下|以下)|^[\s\u3000【（(]*(?:案例|材料|资料|背景资料|情景)[\s\u3000]*[一二三四五六七八九十\d]{0,3}[】）)]?(?:[:：\s\u3000]|$)/.test(
                plainLine(line),
              ),
          );
    return begin === -1 ? englishPassage(text) : begin;
  }
  if (place === 'intro' && (section.range || readingTitle.test(section.heading?.title ?? ''))) return filled;
  const whole = fullText(text);
  // “Choose the best of A, B and C” alone is no material.
  if (ranged === -1 && text.every(isInstruction)) return undefined;
  const isReading = section.kind === 'reading';
  // Instructions of the section stand above the line that names the questions.
  if (ranged > 0 && text.slice(0, ranged).every((line) => isInstruction(line))) return ranged;
  if (ranged !== -1 || readingWords.test(whole)) return filled;
  if (whole.length >= (isReading || place === 'between' ? longReading : longText)) return filled;
  return undefined;
}

const isInstruction = (line: Line): boolean =>
  isBlankLine(line) || (!isTable(line) && instructionWords.test(plainLine(line)));

/** A passage in English before the first question, with the letter above it. */
function englishPassage(text: readonly Line[]): number | undefined {
  const at = text.findIndex((line) => !isTable(line) && (plainLine(line).match(/[a-z]+ /g)?.length ?? 0) >= 12);
  if (at === -1) return undefined;
  const above = text.slice(0, at).findLastIndex((line) => !isBlankLine(line));
  const title = text[above];
  return title && !isTable(title) && /^[\s\u3000]*[A-F][\s\u3000]*$/.test(plainLine(title)) ? above : at;
}

/** Returns questions with their materials; texts that belong to none go to `left`. */
export function joinMaterials(items: readonly PaperItem[], left: Line[]): Draft[] {
  const questions: Draft[] = [];
  for (const [index, item] of items.entries()) {
    if ('draft' in item) {
      if (!item.draft.isTaken) questions.push(item.draft);
      continue;
    }
    const start = materialStart(item.text, item.section, item.place);
    const covered = start === undefined ? [] : coveredBy(item.text, item.section, items, index);
    if (start === undefined || covered.length === 0) {
      keepText(item.text, item.place === 'cover' ? undefined : items[index + 1], left);
      continue;
    }
    left.push(...item.text.slice(0, start));
    const own = takeOptionsAbove(item.text.slice(start), covered);
    const text = withoutLeadIn(trimLines(own), left);
    const [first] = covered;
    // Options alone are no material: the questions stand for themselves.
    if (!first || text.length === 0) continue;
    if (covered.length === 1) {
      first.stem.unshift(...text);
      first.from = Math.min(first.from, text[0]?.number ?? first.from);
      continue;
    }
    const material = emptyDraft(
      spanOf(covered),
      first.value,
      text[0]?.number ?? first.from,
      item.section.kind,
      first.section,
    );
    material.stem.push(...text);
    material.to = covered.at(-1)?.to ?? first.to;
    material.isMaterial = true;
    const points = covered.map(({ score }) => score);
    if (points.every((score) => score !== undefined)) material.score = points.reduce((sum, score) => sum + score, 0);
    for (const draft of covered) {
      draft.isTaken = true;
      // The bank has no parts of parts.
      if (draft.parts.length > 0) partsToText(draft);
      if (trimLines(draft.stem).length === 0 && draft.options.length > 0) {
        draft.stem.push({ number: draft.from, continues: false, segments: [{ text: `${draft.number}.`, marks: [] }] });
      }
      material.parts.push(draft);
    }
    questions.push(material);
  }
  return questions;
}

/** “阅读下列材料，回答1～3题。” alone in a line: its numbers mean nothing outside the paper. */
const leadIn = /^(?:阅读|根据|结合|依据)[^。\n]{0,24}(?:回答|完成)[^。\n]{0,12}题[。:：.]?$/;

function withoutLeadIn(text: readonly Line[], left: Line[]): readonly Line[] {
  const [first, ...others] = text;
  const isLeadIn =
    first !== undefined &&
    !isTable(first) &&
    rangeIn(plainLine(first)) !== undefined &&
    (isRangeLine(plainLine(first)) ||
      (leadIn.test(plainLine(first).trim()) && others.some((line) => !isBlankLine(line))));
  if (!isLeadIn) return text;
  left.push(first);
  return trimLines(others);
}

const spanOf = (drafts: readonly Draft[]): string => `${drafts[0]?.number}～${drafts.at(-1)?.number}`;

/** Returns the questions that a material belongs to: those it names, else all up to the next text or section. */
function coveredBy(text: readonly Line[], section: Section, items: readonly PaperItem[], index: number): Draft[] {
  const range = text
    .map((line) => (isTable(line) ? undefined : rangeIn(plainLine(line))))
    .find((found) => found !== undefined);
  const following: Draft[] = [];
  for (const item of items.slice(index + 1)) {
    if (!('draft' in item)) {
      // A short remark between questions does not end a material that names its questions.
      if (range && following.length > 0 && (following.at(-1)?.value ?? 0) < range.last) continue;
      break;
    }
    if (following.length > 0 && item.draft.section !== following[0]?.section) break;
    following.push(item.draft);
    if (range && item.draft.value === range.last) break;
  }
  if (!range) {
    const named = section.range;
    const inHeading = named ? following.filter(({ value }) => value >= named.first && value <= named.last) : [];
    return inHeading.length > 0 ? inHeading : following;
  }
  const named = following.filter(({ value }) => value >= range.first && value <= range.last);
  return named.length > 0 ? named : following.slice(0, range.last - range.first + 1);
}

/** A text that is no material: pictures and tables belong to the next question, the rest is left out. */
function keepText(text: readonly Line[], next: PaperItem | undefined, left: Line[]): void {
  const isShown = text.some((line) => isTable(line) || line.segments.some((segment) => !('text' in segment)));
  if (!isShown || !next || !('draft' in next)) {
    left.push(...text);
    return;
  }
  const { draft } = next;
  draft.doubts.push(noteAt(text.find((line) => !isBlankLine(line))?.number ?? draft.from, paperMessages.textBefore));
  draft.stem.unshift(...trimLines(text));
}
