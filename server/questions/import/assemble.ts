import { optionLetter } from '#server/platform/text/rules.ts';
import {
  blankSeparator,
  checkQuestion,
  draftMessages,
  hasOptions,
  judgementOptions,
  normaliseDraft,
  type QuestionDraft,
  type QuestionOption,
  type QuestionType,
} from '#server/questions/rules.ts';
import type { ImportedQuestion, ImportNote } from './imported-question.ts';
import { fieldsByPath, fieldsOf, type RawField, type RawQuestion } from './raw-question.ts';
import { type KeptPicture, linesToHtml, linesToInlineHtml, lossesIn, picturesIn, plainText } from './rich-line.ts';
import {
  blankAnswerMessage,
  fieldMissingMessage,
  importedMessages,
  lossMessages,
  maxImportedOptions,
  noOptionsAllowedMessage,
  optionNotFoundMessage,
  spellingMessages,
} from './rules.ts';
import {
  isUnspecifiedChoice,
  judgementOptionIds,
  readBlanks,
  readChoices,
  readDifficulty,
  readJudgement,
  readLetterCase,
  readType,
} from './spelling.ts';

/** Formats the place of a line for messages; Word and Excel count differently. */
export type PlaceOfLine = (field: RawField, number: number) => string;

/** Validates a question by the rules of the question form; each error says where it is in the file. */
export function assembleQuestion(
  raw: RawQuestion,
  pictures: ReadonlyMap<string, KeptPicture>,
  placeOfLine: PlaceOfLine,
): ImportedQuestion {
  const errors: NotesByField = new Map();
  const draft = normaliseDraft(draftOf(raw, pictures, '', errors));
  const broken = checkQuestion(draft);
  for (const [path, messages] of Object.entries(broken)) {
    // Parts take the difficulty of their material question. If that is missing, one error is enough.
    const inherits = path.endsWith('.facility_value') && (broken.facility_value || errors.has('facility_value'));
    if (inherits || errors.has(path)) continue;
    const { question, field } = questionAt(raw, path);
    for (const message of messages) {
      report(errors, path, placeOfField(question, field), importMessage(field, message));
    }
  }
  return {
    draft,
    source: raw.source,
    errors: sortByPlace(withoutRepeats([...structureErrors(raw), ...sortByForm(errors)])),
    losses: sortByPlace(allLosses(raw, pictures, placeOfLine)),
    doubts: sortByPlace(withoutRepeats(allDoubts(raw))),
    score: raw.score,
    number: raw.number,
    ...(raw.items.some(({ number }) => number) && {
      parts: raw.items.map((item) => ({ number: item.number, score: item.score })),
    }),
    lines: raw.lines,
  };
}

/** The row of a material question is also the row of its first part, so its errors are found twice. */
const withoutRepeats = (notes: readonly ImportNote[]): ImportNote[] => [
  ...new Map(notes.map((note) => [`${note.where}\n${note.message}`, note])).values(),
];

const formOrder = [
  'ques_type',
  'ques_stem',
  'ques_option',
  'right_answer',
  'ignore_case',
  'ques_analysis',
  'facility_value',
  'remark',
];

/** Sorts errors by the order of the form's fields; errors of parts come last. */
function sortByForm(errors: NotesByField): ImportNote[] {
  const rank = (path: string) => {
    const index = formOrder.indexOf(path.split('.')[0] ?? '');
    return index === -1 ? formOrder.length : index;
  };
  return [...errors].sort(([one], [other]) => rank(one) - rank(other)).flatMap(([, notes]) => notes);
}

const byPlace = new Intl.Collator('en', { numeric: true });

/** Sorts by place in the file, with numbers by value: 第2行 before 第10行. */
const sortByPlace = (notes: readonly ImportNote[]): ImportNote[] =>
  [...notes].sort((one, other) => byPlace.compare(one.where, other.where));

/** Errors by path of the field, with the paths of `checkQuestion`. */
type NotesByField = Map<string, ImportNote[]>;

function report(errors: NotesByField, path: string, where: string, message: string): void {
  errors.set(path, [...(errors.get(path) ?? []), { where, message }]);
}

const structureErrors = (raw: RawQuestion): ImportNote[] => [...raw.errors, ...raw.items.flatMap(structureErrors)];

const allDoubts = (raw: RawQuestion): ImportNote[] => [...raw.doubts, ...raw.items.flatMap(allDoubts)];

function allLosses(
  raw: RawQuestion,
  pictures: ReadonlyMap<string, KeptPicture>,
  placeOfLine: PlaceOfLine,
  isTop = true,
): ImportNote[] {
  const inFields = fieldsOf(raw).flatMap((field) =>
    lossesIn(field.lines, pictures).map((loss) => ({ where: placeOfLine(field, loss.number), message: loss.message })),
  );
  const answer = raw.items.length > 0 && raw.answer && plainText(raw.answer.lines) !== '' ? raw.answer : undefined;
  const ownAnswer = answer ? [{ where: answer.where, message: lossMessages.materialAnswer }] : [];
  const unrated =
    isTop && !raw.hasUsualDifficulty && hasNoDifficulty(raw)
      ? [{ where: raw.where, message: lossMessages.difficulty }]
      : [];
  return [
    ...raw.losses,
    ...unrated,
    ...ownAnswer,
    ...inFields,
    ...raw.items.flatMap((item) => allLosses(item, pictures, placeOfLine, false)),
  ];
}

function draftOf(
  raw: RawQuestion,
  pictures: ReadonlyMap<string, KeptPicture>,
  prefix: string,
  errors: NotesByField,
): QuestionDraft {
  const html = (field: RawField | undefined) => (field ? linesToHtml(field.lines, pictures) : '');
  reportProblems(raw, prefix, errors);
  const type = typeOf(raw, prefix, errors);
  const draft: QuestionDraft = {
    ques_type: type,
    ques_stem: html(raw.stem),
    ques_option: [],
    right_answer: '',
    ignore_case: type === 7 ? ignoresCase(raw, prefix, errors) : 0,
    ques_analysis: html(raw.analysis),
    facility_value: difficultyOf(raw, prefix, errors),
    remark: raw.remark ? plainText(raw.remark.lines).replace(/\s*\n\s*/g, ' ') : '',
    ...(raw.point && prefix === '' && { point: plainText(raw.point.lines).replace(/\s*\n\s*/g, ' ') }),
    ...(raw.tags !== undefined && { tags: raw.tags }),
    ques_item: raw.items.map((item, index) => draftOf(item, pictures, `${prefix}ques_item.${index}.`, errors)),
  };
  if (hasOptions(type)) draft.ques_option = optionsOf(raw, type, pictures, prefix, errors);
  else if (raw.options.length > 0) {
    report(errors, `${prefix}ques_option`, raw.options[0]?.where ?? raw.where, noOptionsAllowedMessage(type));
  }
  if (type === 5) draft.right_answer = html(raw.answer);
  if (type === 7) draft.right_answer = blanksAnswer(raw, prefix, errors);
  return draft;
}

/**
 * Returns the type that the file names, or guesses it: the Word template only requires stem, options, answer and
 * difficulty.
 */
function typeOf(raw: RawQuestion, prefix: string, errors: NotesByField): QuestionType {
  if (typeof raw.type === 'number') return raw.type;
  if (raw.type && plainText(raw.type.lines) !== '') {
    const spelled = plainText(raw.type.lines);
    // 选择题 can mean single or multiple choice, so the number of right answers decides.
    if (isUnspecifiedChoice(spelled) && raw.options.length > 0 && raw.items.length === 0) return impliedType(raw);
    const named = readType(spelled);
    if (named === undefined) {
      report(errors, `${prefix}ques_type`, raw.type.where, spellingMessages.type(shorten(spelled)));
      return impliedType(raw);
    }
    if (raw.items.length > 0 && named !== 6) {
      report(errors, `${prefix}ques_type`, raw.type.where, importedMessages.notMaterial);
      return 6;
    }
    return named;
  }
  return impliedType(raw);
}

function impliedType(raw: RawQuestion): QuestionType {
  if (raw.items.length > 0) return 6;
  const answer = raw.answer ? plainText(raw.answer.lines) : '';
  if (raw.options.length > 0) {
    if (judgementOptionIds(optionTexts(raw))) return 2;
    return (readChoices(answer)?.length ?? 1) > 1 ? 3 : 1;
  }
  if (readJudgement(answer) !== undefined) return 2;
  return /@@|＠＠/.test(answer) ? 7 : 5;
}

const optionTexts = (raw: RawQuestion): string[] => raw.options.map((option) => plainText(option.lines));

/** Difficulty of a question for which the file names none. */
const usualDifficulty = 3;

const hasNoDifficulty = (raw: RawQuestion): boolean =>
  !raw.difficulty || (!raw.difficulty.problem && plainText(raw.difficulty.lines) === '');

function difficultyOf(raw: RawQuestion, prefix: string, errors: NotesByField): number {
  const spelled = raw.difficulty ? plainText(raw.difficulty.lines) : '';
  if (!raw.difficulty || spelled === '') return prefix !== '' || raw.difficulty?.problem ? 0 : usualDifficulty;
  const difficulty = readDifficulty(spelled);
  if (difficulty !== undefined) return difficulty;
  report(errors, `${prefix}facility_value`, raw.difficulty.where, spellingMessages.difficulty(shorten(spelled)));
  return 0;
}

function optionsOf(
  raw: RawQuestion,
  type: 1 | 2 | 3 | 4,
  pictures: ReadonlyMap<string, KeptPicture>,
  prefix: string,
  errors: NotesByField,
): QuestionOption[] {
  const right = new Set(rightIds(raw, type, prefix, errors));
  if (type === 2) {
    if (raw.options.length > 0 && !judgementOptionIds(optionTexts(raw))) {
      report(errors, `${prefix}ques_option`, raw.options[0]?.where ?? raw.where, draftMessages.judgementOptions);
    }
    return judgementOptions(right.has(1) ? 1 : right.has(2) ? 2 : 0);
  }
  const extra = raw.options[maxImportedOptions];
  if (extra) {
    report(errors, `${prefix}ques_option`, extra.where, importedMessages.tooManyOptions);
  } else if (raw.options.length === 0) {
    report(errors, `${prefix}ques_option`, raw.where, importedMessages.noOptions);
  }
  return raw.options.map((option, index) => ({
    id: index + 1,
    content: linesToInlineHtml(option.lines, pictures),
    is_right: right.has(index + 1) ? 1 : 2,
  }));
}

/** Returns the ids of the options that the written answer names. */
function rightIds(raw: RawQuestion, type: 1 | 2 | 3 | 4, prefix: string, errors: NotesByField): number[] {
  const spelled = raw.answer ? plainText(raw.answer.lines) : '';
  const path = `${prefix}right_answer`;
  if (raw.answer?.problem) return [];
  if (!raw.answer || spelled === '') {
    report(errors, path, raw.answer?.where ?? raw.where, importedMessages.noAnswer);
    return [];
  }
  if (type === 2) {
    const id = readJudgement(spelled) ?? judgementByLetter(raw, spelled);
    if (id === undefined) report(errors, path, raw.answer.where, spellingMessages.judgement(shorten(spelled)));
    return id === undefined ? [] : [id];
  }
  const ids = readChoices(spelled);
  if (ids === undefined) {
    report(errors, path, raw.answer.where, spellingMessages.choice(shorten(spelled)));
    return [];
  }
  const missing = ids.filter((id) => id > raw.options.length);
  if (missing.length > 0 && raw.options.length > 0) {
    const letters = missing.map((id) => optionLetter(id - 1));
    report(errors, path, raw.answer.where, optionNotFoundMessage(letters));
  }
  return ids;
}

/**
 * If the file spells out the options of a true/false question, its answer may be a letter; the options may be in either
 * order.
 */
function judgementByLetter(raw: RawQuestion, spelled: string): 1 | 2 | undefined {
  const [id, ...more] = readChoices(spelled) ?? [];
  if (id === undefined || id > 2 || more.length > 0) return undefined;
  const right = judgementOptionIds(optionTexts(raw))?.right ?? 1;
  return id === right ? 1 : 2;
}

function blanksAnswer(raw: RawQuestion, prefix: string, errors: NotesByField): string {
  if (!raw.answer) return '';
  const blanks = readBlanks(plainText(raw.answer.lines));
  const empty = blanks.indexOf('');
  if (empty !== -1 && blanks.length > 1) {
    report(errors, `${prefix}right_answer`, raw.answer.where, blankAnswerMessage(empty + 1));
  }
  if (picturesIn(raw.answer.lines).length > 0) {
    report(errors, `${prefix}right_answer`, raw.answer.where, importedMessages.blankPicture);
  }
  return blanks.join(blankSeparator);
}

function ignoresCase(raw: RawQuestion, prefix: string, errors: NotesByField): 0 | 1 {
  const spelled = raw.letterCase ? plainText(raw.letterCase.lines) : '';
  if (!raw.letterCase || spelled === '') return 0;
  const ignored = readLetterCase(spelled);
  if (ignored === undefined) {
    report(errors, `${prefix}ignore_case`, raw.letterCase.where, spellingMessages.letterCase(shorten(spelled)));
  }
  return ignored ?? 0;
}

/** Finds the question and the field to which an error path leads. */
function questionAt(raw: RawQuestion, path: string): { question: RawQuestion; field: string } {
  const item = /^ques_item\.(\d+)\.(.+)$/.exec(path);
  const question = item && raw.items[Number(item[1])];
  return question && item?.[2] ? questionAt(question, item[2]) : { question: raw, field: path };
}

function placeOfField(raw: RawQuestion, field: string): string {
  if (field === 'ques_option') return raw.options[0]?.where ?? raw.where;
  const option = /^ques_option\.(\d+)/.exec(field);
  const found = option ? raw.options[Number(option[1])] : fieldsByPath(raw)[field];
  return found?.where ?? raw.where;
}

/** Reports an unreadable field once, and not also as missing. */
function reportProblems(raw: RawQuestion, prefix: string, errors: NotesByField): void {
  const options = raw.options.map((option, index): [string, RawField] => [`ques_option.${index}.content`, option]);
  for (const [path, field] of [...Object.entries(fieldsByPath(raw)), ...options]) {
    if (field?.problem) report(errors, prefix + path, field.where, field.problem);
  }
}

const fieldNames: Readonly<Record<string, string>> = {
  ques_type: '题型',
  ques_stem: '题干',
  right_answer: '答案',
  facility_value: '难度',
};

/** Replaces the form's general message by one that names the missing field, which helps in a list of many questions. */
export const importMessage = (field: string, message: string): string =>
  message === draftMessages.incomplete && fieldNames[field] ? fieldMissingMessage(fieldNames[field]) : message;

const shorten = (text: string): string => {
  const characters = [...text.replace(/\s+/g, ' ')];
  return characters.length > 20 ? `${characters.slice(0, 20).join('')}…` : characters.join('');
};
