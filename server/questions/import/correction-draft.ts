/** Corrections of a question that was read from a file: pure functions over its draft. */
import { plainText, typedTextToHtml } from '#server/platform/text/plain-text.ts';
import { isBlankHtml, optionLetter, showsMoreThanText } from '#server/platform/text/rules.ts';
import {
  blankSeparator,
  blanksOf,
  checkQuestion,
  hasOptions,
  joinTags,
  judgementOptions,
  maxTags,
  normaliseDraft,
  type QuestionDraft,
  type QuestionOption,
  type QuestionType,
  tagsIn,
} from '../rules.ts';
import { importMessage } from './assemble.ts';
import type { ImportNote } from './imported-question.ts';
import { correctionMessages, importedMessages, optionNotFoundMessage, spellingMessages } from './rules.ts';
import { readBlanks, readChoices, readJudgement } from './spelling.ts';

/** Returns what the rules of the question form say about the draft, as notes at a place of the file. */
export function faultsOf(draft: QuestionDraft, place: string): ImportNote[] {
  const notes = Object.entries(checkQuestion(draft)).flatMap(([path, messages]) => {
    const [, part, field = path] = /^ques_item\.(\d+)\.(.+)$/.exec(path) ?? [];
    const question = part === undefined ? draft : draft.ques_item[Number(part)];
    const where = part === undefined ? place : `${place} 第${Number(part) + 1}小题`;
    return messages.map((message) => ({ where, message: messageOf(question, field, message) }));
  });
  return [...new Map(notes.map((note) => [`${note.where}\n${note.message}`, note])).values()];
}

function messageOf(question: QuestionDraft | undefined, field: string, message: string): string {
  const lacks = question && hasOptions(question.ques_type) && rightIds(question).length === 0;
  return field === 'right_answer' && lacks ? importedMessages.noAnswer : importMessage(field, message);
}

const rightIds = ({ ques_option }: QuestionDraft): number[] =>
  ques_option.flatMap(({ is_right }, index) => (is_right === 1 ? [index + 1] : []));

/** True if the question, or one of its parts, has no answer. */
export function lacksAnswer(draft: QuestionDraft): boolean {
  const { ques_type, right_answer, ques_item } = draft;
  if (hasOptions(ques_type)) return rightIds(draft).length === 0;
  if (ques_type === 6) return ques_item.some(lacksAnswer);
  return ques_type === 7 ? blanksOf(right_answer).every((blank) => blank === '') : isBlankHtml(right_answer);
}

/** Returns the answer as somebody would type it: `AC`, `对`, blanks separated by ；, or the text of a short answer. */
export function typedAnswer(draft: QuestionDraft): string {
  const { ques_type, right_answer } = draft;
  if (ques_type === 2) return { 0: '', 1: '对', 2: '错' }[rightIds(draft)[0] ?? 0] ?? '';
  if (hasOptions(ques_type))
    return rightIds(draft)
      .map((id) => optionLetter(id - 1))
      .join('');
  if (ques_type === 7) return blanksOf(right_answer).join('；');
  return ques_type === 6 ? '' : typedText(right_answer);
}

/** Returns a text with a line for each paragraph. */
const typedText = (html: string): string =>
  html
    .split(/<\/p>|<br ?\/?>/)
    .map(plainText)
    .join('\n')
    .trim();

const paragraphsOf = (text: string): string =>
  text === ''
    ? ''
    : text
        .split('\n')
        .map((line) => `<p>${typedTextToHtml(line)}</p>`)
        .join('');

/** Returns the texts of the options, one on each line; null if an option has more than text. */
export function typedOptions({ ques_type, ques_option }: QuestionDraft): string | null {
  if (!hasOptions(ques_type) || ques_type === 2) return null;
  if (ques_option.some(({ content }) => showsMoreThanText(content) || /<(?!\/?p>|br ?\/?>)/i.test(content)))
    return null;
  return ques_option.map(({ content }) => plainText(content)).join('\n');
}

type Corrected = QuestionDraft | { fault: string };

/** Returns the draft with this answer, or why the answer cannot be read. The present answer, typed, changes nothing. */
export function withAnswer(draft: QuestionDraft, typed: string): Corrected {
  const { ques_type, ques_option } = draft;
  if (ques_type === 6 || typed.replace(/\r/g, '').trim() === typedAnswer(draft)) return draft;
  if (ques_type === 5 && showsMoreThanText(draft.right_answer)) return { fault: correctionMessages.richAnswer };
  if (ques_type === 5) return { ...draft, right_answer: paragraphsOf(typed.replace(/\r/g, '').trim()) };
  if (ques_type === 7) return { ...draft, right_answer: readBlanks(typed).join(blankSeparator) };
  if (typed.trim() === '') return { ...draft, ques_option: marked(ques_option, []) };
  if (ques_type === 2) {
    const id = readJudgement(typed);
    return id === undefined
      ? { fault: spellingMessages.judgement(typed.trim()) }
      : { ...draft, ques_option: judgementOptions(id) };
  }
  const ids = readChoices(typed);
  if (ids === undefined) return { fault: spellingMessages.choice(typed.trim()) };
  const beyond = ids.filter((id) => id > ques_option.length);
  if (beyond.length > 0) return { fault: optionNotFoundMessage(beyond.map((id) => optionLetter(id - 1))) };
  return { ...draft, ques_option: marked(ques_option, ids) };
}

const marked = (options: readonly QuestionOption[], ids: readonly number[]): QuestionOption[] =>
  options.map((option, index) => ({ ...option, is_right: ids.includes(index + 1) ? 1 : 2 }));

/** Returns the draft with the options of these lines. A line that was an option keeps its content and its mark. */
export function withOptions(draft: QuestionDraft, typed: string): QuestionDraft {
  if (!hasOptions(draft.ques_type) || draft.ques_type === 2 || typedOptions(draft) === null) return draft;
  const before = new Map(draft.ques_option.map((option) => [plainText(option.content), option]));
  const lines = typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const texts = lines.map((line, index) => line.replace(optionLabel(index), '').trim() || line);
  return {
    ...draft,
    ques_option: texts.map((text, index) => {
      const kept = before.get(text);
      // An edited line keeps the mark of its place as long as no line was added or removed.
      const isSameCount = lines.length === draft.ques_option.length;
      const is_right = kept?.is_right ?? (isSameCount ? draft.ques_option[index]?.is_right : undefined) ?? 2;
      return { id: index + 1, content: kept?.content ?? typedTextToHtml(text), is_right };
    }),
  };
}

/** Matches the letter in front of an option, as people paste it. */
const optionLabel = (index: number): RegExp =>
  new RegExp(`^[(（]?${optionLetter(index)}(?:[.．、:：)）]|\\s)\\s*`, 'i');

/**
 * Returns the draft as another type. Options that the new type cannot have are appended to the stem, so that nothing is
 * lost; an answer is kept where it can be read as one of the new type.
 */
export function withType(draft: QuestionDraft, type: QuestionType): QuestionDraft {
  const before = draft.ques_type;
  if (before === type) return draft;
  const typed = typedAnswer(draft);
  const bare: QuestionDraft = { ...draft, ques_type: type, right_answer: '', ques_item: [] };
  if (type === 2) {
    const isJudged = hasOptions(before) ? undefined : readJudgement(typed);
    const stem = before === 2 ? draft : withOptionsInStem(draft);
    return { ...bare, ques_stem: stem.ques_stem, ques_option: judgementOptions(isJudged ?? 0) };
  }
  if (hasOptions(type)) {
    const ques_option = before === 2 ? [] : draft.ques_option;
    const changed = withAnswer({ ...bare, ques_option: marked(ques_option, []) }, typed);
    return 'fault' in changed ? { ...bare, ques_option } : changed;
  }
  const { ques_stem } = before === 2 ? draft : withOptionsInStem(draft);
  const plain = { ...bare, ques_stem, ques_option: [] };
  if (type === 6) {
    const said = before === 5 && !isBlankHtml(draft.right_answer) ? draft.right_answer : paragraphsOf(typed);
    return { ...plain, ques_analysis: draft.ques_analysis + (typed === '' ? '' : said) };
  }
  const changed = hasOptions(before) ? plain : withAnswer(plain, typed);
  return 'fault' in changed ? plain : changed;
}

function withOptionsInStem(draft: QuestionDraft): QuestionDraft {
  const options = draft.ques_option.map(
    ({ content }, index) => `<p>${optionLetter(index)}. ${content.replace(/^<p>|<\/p>$/g, '')}</p>`,
  );
  return { ...draft, ques_stem: draft.ques_stem + options.join(''), ques_option: [] };
}

/** Returns one question of two: the second is the continuation of the first. */
export function joined(first: QuestionDraft, second: QuestionDraft): QuestionDraft {
  if (first.ques_type === 6) {
    const parts = second.ques_type === 6 ? second.ques_item : [second];
    const stem = second.ques_type === 6 ? second.ques_stem : '';
    return normaliseDraft({
      ...first,
      ques_stem: first.ques_stem + stem,
      ques_item: [...first.ques_item, ...parts],
    });
  }
  // A question without options takes the type of a continuation that has some.
  const type = first.ques_option.length === 0 && second.ques_option.length > 0 ? second.ques_type : first.ques_type;
  const own = withType(first, type);
  const rest = withType(second, type);
  const isLost = hasOptions(type) && !hasOptions(second.ques_type) && typedAnswer(second) !== '';
  const answers = [own.right_answer, rest.right_answer].filter((answer) => answer !== '');
  return normaliseDraft({
    ...own,
    ques_stem: own.ques_stem + rest.ques_stem,
    ques_option: type === 2 ? own.ques_option : [...own.ques_option, ...rest.ques_option],
    right_answer: answers.join(type === 7 ? blankSeparator : ''),
    ques_analysis: own.ques_analysis + (isLost ? paragraphsOf(typedAnswer(second)) : '') + rest.ques_analysis,
    remark: own.remark || rest.remark,
    ...((own.point || rest.point) && { point: own.point || rest.point }),
    ...((own.tags || rest.tags) && {
      tags: joinTags(tagsIn(`${own.tags ?? ''} ${rest.tags ?? ''}`).slice(0, maxTags)),
    }),
  });
}

/** Returns the points of each part in tenths. A score of the whole is shared; the last parts get the rest. */
export function partScoresOf(score: number | null, parts: readonly (number | null)[]): (number | null)[] {
  if (score === null || parts.some((part) => part !== null) || parts.length === 0) return [...parts];
  const share = Math.floor(score / parts.length);
  const rest = score - share * parts.length;
  return parts.map((_, index) => share + (index >= parts.length - rest ? 1 : 0));
}
