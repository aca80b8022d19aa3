/** Parses the embedded answers of Moodle's cloze questions, such as `{1:SHORTANSWER:=Paris#Yes~%50%Lyon}`. */
import type { MoodleAnswer } from './moodle-question.ts';
import { moodleMessages } from './rules.ts';

export interface ClozePart {
  kind: 'text' | 'single' | 'multiple';
  ignoresCase: boolean;
  score: number;
  answers: MoodleAnswer[];
}

interface ClozeText {
  /** Text before, between and after the parts. */
  html: string[];
  parts: ClozePart[];
  /** Why an embedded answer cannot be read. */
  fault?: string;
}

const kinds: readonly (readonly [names: RegExp, kind: ClozePart['kind']])[] = [
  [/^(?:SHORTANSWER|SA|MW)(?:_C|C)?$/, 'text'],
  [/^(?:NUMERICAL|NM)$/, 'text'],
  [/^(?:MULTICHOICE|MC)(?:_?[HVS]{1,2})?$/, 'single'],
  [/^(?:MULTIRESPONSE|MR)(?:_?[HVS]{1,2})?$/, 'multiple'],
];

const opening = /\{(\d*):([A-Z_]+)(?::|(?=\}))/g;

export function clozeParts(html: string): ClozeText {
  const texts: string[] = [];
  const parts: ClozePart[] = [];
  let from = 0;
  for (const match of html.matchAll(opening)) {
    const [whole, score = '', type = ''] = match;
    const kind = kinds.find(([names]) => names.test(type))?.[1];
    if (match.index < from || !kind) continue;
    const start = match.index + whole.length;
    const isNumerical = /^N/.test(type);
    const end = endOf(html, start);
    if (end < 0) return { html: [], parts: [], fault: moodleMessages.openCloze(parts.length + 1) };
    const answers = splitUnescaped(html.slice(start, end), '~')
      .filter((part) => part.trim() !== '')
      .map((part) => answerOf(part, isNumerical));
    if (answers.length < (kind === 'text' ? 1 : 2)) {
      return { html: [], parts: [], fault: moodleMessages.fewClozeAnswers(parts.length + 1) };
    }
    if (!answers.some(({ fraction }) => fraction > 0.9999)) {
      return { html: [], parts: [], fault: moodleMessages.noClozeAnswer(parts.length + 1) };
    }
    if (isNumerical && answers.some(({ html: answer }) => answer !== '*' && !Number.isFinite(Number(answer)))) {
      return { html: [], parts: [], fault: moodleMessages.noClozeNumber(parts.length + 1) };
    }
    texts.push(html.slice(from, match.index));
    parts.push({ kind, ignoresCase: !/C$/.test(type), score: Number(score) || 1, answers });
    from = end + 1;
  }
  return { html: [...texts, html.slice(from)], parts };
}

function endOf(html: string, start: number): number {
  for (let at = start; at < html.length; at += 1) {
    if (html[at] === '\\') at += 1;
    else if (html[at] === '}') return at;
  }
  return -1;
}

function splitUnescaped(text: string, sign: string, most = Number.POSITIVE_INFINITY): string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\\') {
      parts[parts.length - 1] += character + (text[at + 1] ?? '');
      at += 1;
    } else if (character === sign && parts.length < most && !isReference(text, at)) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** True for the `#` of a character reference, as in `&#39;`. */
const isReference = (text: string, at: number): boolean => text[at] === '#' && text[at - 1] === '&';

function answerOf(written: string, isNumerical: boolean): MoodleAnswer {
  const [answer = '', feedback = ''] = splitUnescaped(written.trim(), '#', 2);
  const [weight, share] = /^(?:=|%(-?\d+(?:\.\d+)?)%)/.exec(answer) ?? [''];
  const fraction = weight === '' ? 0 : share === undefined ? 1 : Number(share) / 100;
  const text = unescapeCloze(answer.slice(weight.length)).trim();
  const [number = '', tolerance = ''] = isNumerical ? text.split(':') : [text];
  return {
    html: number.trim(),
    fraction,
    feedback: unescapeCloze(feedback).trim(),
    ...(Number(tolerance) > 0 && { tolerance: `±${tolerance.trim()}` }),
  };
}

const unescapeCloze = (text: string): string => text.replace(/\\([}#~/"\\])/g, '$1');
