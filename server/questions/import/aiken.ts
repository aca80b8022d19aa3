/**
 * Reads Aiken files: a stem, options `A.`, `B)` …, and `ANSWER: A`. Also takes what people write instead: stems of
 * several lines, full-width letters, 答案, several letters, blank lines between.
 */
import { optionLetter } from '#server/platform/text/rules.ts';
import { judgementOptions, optionCount, type QuestionOption } from '#server/questions/rules.ts';
import { textToHtml } from './foreign-html.ts';
import { emptyDraft, importedFromDraft } from './from-draft.ts';
import type { ImportedQuestion, ImportNote } from './imported-question.ts';
import type { QuestionsReader } from './reading.ts';
import {
  aikenMessages,
  excerpt,
  importedMessages,
  lineOf,
  maxImportedQuestions,
  optionNotFoundMessage,
  previewRefusals,
  spellingMessages,
} from './rules.ts';
import { judgementOptionIds, readChoices } from './spelling.ts';
import { textOfFile } from './text-file.ts';

const option = /^([A-ZＡ-Ｚa-z])(?:[).、．）:：]\s*|\s*[.)]\s+)(\S.*)$/;
const answer = /^(?:ANSWER|答案|正确答案|参考答案)\s*[:：]\s*(.*)$/i;

interface Open {
  line: number;
  stem: string[];
  options: string[];
}

export const readAikenQuestions: QuestionsReader = async (bytes) => {
  const text = await textOfFile(bytes);
  if (text === undefined) return { refused: previewRefusals.notText };
  const questions: ImportedQuestion[] = [];
  const errors: ImportNote[] = [];
  let open: Open | undefined;
  const refuse = (line: number, message: string) => errors.push({ where: lineOf(line), message });
  const leave = () => {
    if (open) refuse(open.line, aikenMessages.unfinished(excerpt(open.stem.join(' '))));
    open = undefined;
  };
  for (const [index, written] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    const number = index + 1;
    const line = written.trim();
    if (line === '') continue;
    const given = answer.exec(line)?.[1];
    const letter = option.exec(line);
    if (given !== undefined) {
      if (open && open.options.length > 0) questions.push(toQuestion(open, given, number));
      else refuse(number, open ? aikenMessages.noOptions(excerpt(open.stem.join(' '))) : aikenMessages.notStarted);
      open = undefined;
    } else if (letter && isNext(letter[1] ?? '', open)) {
      if (open) open.options.push((letter[2] ?? '').trim());
      else refuse(number, aikenMessages.notStarted);
    } else {
      if (open && open.options.length > 0) leave();
      open ??= { line: number, stem: [], options: [] };
      open.stem.push(line);
    }
  }
  leave();
  if (questions.length > maxImportedQuestions) return { refused: previewRefusals.tooManyQuestions };
  if (questions.length === 0) errors.push({ where: '文件', message: importedMessages.noneRead });
  const doubts = questions.length > 0 ? [{ where: '文件', message: aikenMessages.noDifficulty }] : [];
  return { format: 'aiken', questions, errors, leftOut: [], doubts };
};

/** An option has the letter that comes next; without that, a sentence such as “A. Smith wrote” would be one. */
function isNext(written: string, open: Open | undefined): boolean {
  const letter = written.normalize('NFKC').toUpperCase();
  return letter === optionLetter(open?.options.length ?? 0) && (open?.options.length ?? 0) < optionCount.most;
}

function toQuestion({ line, stem, options }: Open, given: string, answerLine: number): ImportedQuestion {
  const ids = readChoices(given) ?? [];
  const judgement = judgementOptionIds(options);
  const draft = emptyDraft(judgement ? 2 : ids.length > 1 ? 3 : 1);
  draft.ques_stem = textToHtml(stem.join('\n'));
  const [only = 0] = ids;
  draft.ques_option = judgement
    ? judgementOptions(ids.length === 1 && only <= 2 ? (only === judgement.right ? 1 : 2) : 0)
    : options.map(
        (content, index): QuestionOption => ({
          id: index + 1,
          content: textToHtml(content),
          is_right: ids.includes(index + 1) ? 1 : 2,
        }),
      );
  const read = importedFromDraft({ draft, source: { line }, where: lineOf(line), losses: [], doubts: [] });
  const faults: string[] = [];
  const missing = ids.filter((id) => id > options.length).map((id) => optionLetter(id - 1));
  if (given.trim() !== '' && ids.length === 0) faults.push(spellingMessages.choice(excerpt(given)));
  else if (missing.length > 0) faults.push(optionNotFoundMessage(missing));
  // Names the fault of the answer, which is not missing.
  const others =
    faults.length > 0 ? read.errors.filter(({ message }) => message !== importedMessages.noAnswer) : read.errors;
  return { ...read, errors: [...others, ...faults.map((message) => ({ where: lineOf(answerLine), message }))] };
}
