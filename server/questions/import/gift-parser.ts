/**
 * Parses GIFT, question by question: a mistake in one does not lose the others, and is reported with its line. Follows
 * the rules of Moodle.
 */
import type { ImportNote } from './imported-question.ts';
import { giftMessages, lineOf } from './rules.ts';

export type GiftFormat = 'html' | 'moodle' | 'plain' | 'markdown';

export interface GiftText {
  text: string;
  format: GiftFormat;
}

export interface GiftAnswer {
  answer: GiftText;
  /** Share of the points: 1 is right, 0 wrong, negative a penalty. */
  fraction: number;
  feedback: GiftText;
}

interface GiftEntry {
  /** First line, from 1. */
  line: number;
  tags: string[];
  title: string;
  stem: GiftText;
  analysis: GiftText;
}

export type GiftQuestion = GiftEntry &
  (
    | { kind: 'category'; category: string }
    | { kind: 'description' | 'essay' | 'cloze' }
    | { kind: 'choice'; isSingle: boolean; answers: GiftAnswer[] }
    | { kind: 'truefalse'; isTrue: boolean; wrongFeedback: GiftText; rightFeedback: GiftText }
    | { kind: 'short' | 'numerical'; answers: GiftAnswer[] }
    | { kind: 'match'; pairs: { question: GiftText; answer: string }[] }
  );

/** Characters that stand for the escaped signs while a question is split. They are no characters of any text. */
const escapes: readonly (readonly [sign: string, placeholder: string])[] = [
  [':', '\ufdd0'],
  ['#', '\ufdd1'],
  ['=', '\ufdd2'],
  ['{', '\ufdd3'],
  ['}', '\ufdd4'],
  ['~', '\ufdd5'],
  ['n', '\ufdd6'],
  ['\\', '\ufdd7'],
];
const placeholderOf = new Map(escapes);
const signOf = new Map(escapes.map(([sign, placeholder]) => [placeholder, sign === 'n' ? '\n' : sign]));

const hideEscapes = (text: string): string =>
  text.replace(/\\([:#={}~n\\])/g, (_, sign: string) => placeholderOf.get(sign) ?? sign);
/** Text as written, for Moodle's embedded answers, which have escapes of their own. */
const keepEscapes = (text: string): string =>
  text.replace(/[\ufdd0-\ufdd7]/g, (sign) => `\\${signOf.get(sign)?.replace('\n', 'n') ?? sign}`);
const showEscapes = (text: string): string => text.replace(/[\ufdd0-\ufdd7]/g, (sign) => signOf.get(sign) ?? sign);

interface Block {
  line: number;
  text: string;
  tags: string[];
}

export function parseGift(source: string): { questions: GiftQuestion[]; errors: ImportNote[] } {
  const questions: GiftQuestion[] = [];
  const errors: ImportNote[] = [];
  for (const block of blocksOf(source)) {
    const read = parseBlock(block);
    if ('fault' in read) errors.push({ where: lineOf(read.line), message: read.fault });
    else questions.push(read);
  }
  return { questions, errors };
}

/**
 * Splits the text at blank lines. A blank line inside braces ends a question too, as in Moodle, unless the
 * answers go on below. Lines of a comment are left out; a comment before a question may hold its tags.
 */
function blocksOf(source: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let first = 0;
  let tags: string[] = [];
  const end = () => {
    const text = lines.join('\n').trim();
    if (text !== '') {
      blocks.push({ line: first, text, tags });
      tags = [];
    }
    lines = [];
  };
  const all = source
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(hideEscapes);
  for (const [index, line] of all.entries()) {
    if (/^\s*\/\//.test(line)) {
      if (lines.length === 0) tags.push(...tagsIn(showEscapes(line)));
      continue;
    }
    if (line.trim() === '') {
      if (lines.length > 0 && !goesOn(lines, all, index)) end();
      continue;
    }
    // Moodle takes a category line by itself.
    if (lines.length === 0) first = index + 1;
    lines.push(line);
    if (/^\s*\$CATEGORY:/.test(line) && lines.length === 1) end();
  }
  end();
  return blocks;
}

/** True if a brace is open at a blank line, and the next line goes on with answers or closes it. */
function goesOn(lines: readonly string[], all: readonly string[], blank: number): boolean {
  const text = lines.join('\n');
  if (text.lastIndexOf('{') <= text.lastIndexOf('}')) return false;
  const next = all.slice(blank + 1).find((line) => line.trim() !== '' && !/^\s*\/\//.test(line));
  return /^\s*[~=#}]/.test(next ?? '');
}

const tagsIn = (comment: string): string[] =>
  [...comment.matchAll(/\[tag:((?:\\[[\]]|[^[\]])+)\]/g)].map(([, tag = '']) => tag.replace(/\\([[\]])/g, '$1'));

type Fault = { fault: string; line: number };

function parseBlock({ line, text: written, tags }: Block): GiftQuestion | Fault {
  let text = written;
  const category = /^\$CATEGORY:(.*)/.exec(text)?.[1];
  const nothing: GiftText = { text: '', format: 'moodle' };
  if (category !== undefined) {
    const name = showEscapes(category).trim();
    return { kind: 'category', line, tags, title: '', stem: nothing, analysis: nothing, category: name };
  }
  let title = '';
  const titled = /^::([\s\S]*?)::/.exec(text);
  if (titled) {
    title = showEscapes(titled[1] ?? '').trim();
    text = text.slice(titled[0].length).trim();
  }
  const start = text.indexOf('{');
  const end = text.indexOf('}');
  const lineAt = (offset: number) => line + newlines(written.slice(0, written.length - text.length + offset));
  if (start < 0 && end < 0) {
    return { kind: 'description', line, tags, title, stem: formatted(text, 'moodle'), analysis: nothing };
  }
  // A file in Moodle's format of embedded answers looks like GIFT, and both may stand in one file.
  if (/\{\d*:[A-Z_]+:/.test(text)) {
    const stem: GiftText = { text: keepEscapes(text), format: 'moodle' };
    return { kind: 'cloze', line, tags, title, stem, analysis: nothing };
  }
  if (start < 0) return { fault: giftMessages.notOpened, line: lineAt(end) };
  if (end < start)
    return { fault: end < 0 ? giftMessages.notClosed : giftMessages.notOpened, line: lineAt(end < 0 ? start : end) };
  const second = text.slice(start + 1, end).indexOf('{');
  if (second >= 0) return { fault: giftMessages.notClosed, line: lineAt(start) };
  const after = text.slice(end + 1);
  const rest = /[{}]/.exec(after);
  if (rest) return { fault: giftMessages.secondBrace, line: lineAt(end + 1 + rest.index) };
  const stem = formatted(`${text.slice(0, start)}${after.trim() === '' ? '' : '____'}${after}`, 'moodle');
  let answers = text.slice(start + 1, end).trim();
  const general = answers.lastIndexOf('####');
  const analysis = general < 0 ? nothing : formatted(answers.slice(general + 4), stem.format);
  if (general >= 0) answers = answers.slice(0, general).trim();
  const entry = { line, tags, title, stem, analysis };
  const parsed = parseAnswers(answers, stem.format);
  return 'fault' in parsed ? { fault: parsed.fault, line: lineAt(start) } : { ...entry, ...parsed };
}

const newlines = (text: string): number => text.split('\n').length - 1;

/** Distributes over the kinds, so that each keeps its own fields. */
type AnswersOf<Question> = Question extends GiftEntry ? Omit<Question, keyof GiftEntry> : never;

function parseAnswers(text: string, format: GiftFormat): AnswersOf<GiftQuestion> | { fault: string } {
  if (text === '') return { kind: 'essay' };
  if (text.startsWith('#')) return parseNumerical(text.slice(1).trim(), format);
  if (text.includes('~')) {
    const parts = text.replaceAll('=', '~=').split('~');
    if ((parts[0] ?? '').trim() === '') parts.shift();
    if (parts.length < 2) return { fault: giftMessages.tooFewAnswers };
    // `~=` is an old way of writing the right answer, which leaves an empty part behind.
    const answers = parts.filter((part) => part.trim() !== '').map((part) => weighted(part, format, 0));
    return { kind: 'choice', isSingle: text.includes('='), answers };
  }
  if (text.includes('=') && text.includes('->')) {
    const pairs = text
      .split('=')
      .filter((part) => part.trim() !== '')
      .map((part) => {
        const at = part.indexOf('->');
        return at < 0
          ? undefined
          : { question: formatted(part.slice(0, at), format), answer: showEscapes(part.slice(at + 2)).trim() };
      });
    if (pairs.includes(undefined)) return { fault: giftMessages.brokenPair };
    return pairs.length < 2
      ? { fault: giftMessages.tooFewAnswers }
      : { kind: 'match', pairs: pairs.filter((pair) => pair !== undefined) };
  }
  const [word = '', wrong = '', right = ''] = splitFeedback(text, 3);
  if (/^(?:T|TRUE|F|FALSE)$/.test(word.trim())) {
    return {
      kind: 'truefalse',
      isTrue: word.trim().startsWith('T'),
      wrongFeedback: formatted(wrong, format),
      rightFeedback: formatted(right, format),
    };
  }
  const answers = text
    .split('=')
    .filter((part) => part.trim() !== '')
    .map((part) => weighted(part, format, 1));
  return { kind: 'short', answers };
}

function parseNumerical(text: string, format: GiftFormat): AnswersOf<GiftQuestion> | { fault: string } {
  // A `~` begins the text about every other answer.
  const [right = '', wrong = ''] = text.split(/~/, 2);
  const answers = right
    .split('=')
    .filter((part) => part.trim() !== '')
    .map((part) => weighted(part, format, 1));
  if (wrong.trim() !== '') answers.push(weighted(wrong, format, 0));
  return answers.length === 0 ? { fault: giftMessages.tooFewAnswers } : { kind: 'numerical', answers };
}

function splitFeedback(text: string, most: number): string[] {
  const parts = text.split('#');
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join('#')];
}

function weighted(written: string, format: GiftFormat, usual: number): GiftAnswer {
  let text = written.trim();
  let fraction = usual;
  if (text.startsWith('=')) {
    fraction = 1;
    text = text.slice(1).trim();
  }
  const weight = /^%(-?\d{1,3}(?:\.\d*)?)%/.exec(text);
  if (weight) {
    fraction = Number(weight[1]) / 100;
    text = text.slice(weight[0].length);
  }
  const [answer = '', feedback = ''] = splitFeedback(text, 2);
  return { answer: formatted(answer, format), fraction, feedback: formatted(feedback, format) };
}

/** Reads the format that a text names, such as `[html]`. */
function formatted(written: string, usual: GiftFormat): GiftText {
  const text = written.trim();
  const named = /^\[(html|moodle|plain|markdown)\]/.exec(text);
  return {
    text: showEscapes(named ? text.slice(named[0].length) : text).trim(),
    format: (named?.[1] as GiftFormat | undefined) ?? usual,
  };
}
