/** The command `npm run school -- questions FILE…` reads files of questions without a database, and prints what is in them. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArguments, runCommandLine } from '#server/platform/configuration/command-line.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import { formatLabels, readQuestions } from './import/formats.ts';
import type { ImportedQuestion, ImportNote, ImportPreview } from './import/imported-question.ts';
import { noteText } from './import/refusal.ts';
import { unreadableFile } from './import/rules.ts';
import { hasOptions, type QuestionDraft, type QuestionType, questionTypeNames } from './rules.ts';

const usage = `用法：npm run school -- questions 文件… [--json]

读取文件中的题目并打印，不写入任何数据，也不需要数据库。第二个 Word 文件是第一个的答案。
退出码：0 已读取，1 没有题目或文件被拒绝，2 命令写错。`;

const readQuestionsCommand = (args: string[]) =>
  parseArguments(
    args,
    { json: { type: 'boolean' } },
    ({ json }, files): { json: boolean; files: string[] } | { wrong: string } =>
      files.length === 0 ? { wrong: '请写出文件名。' } : { json: json === true, files },
  );

/** Runs the command; returns the exit code. */
export const runQuestionsCommand = (args: string[]): Promise<number> =>
  runCommandLine(readQuestionsCommand(args), usage, async ({ json, files }) => {
    const given = await Promise.all(
      files.map(async (path) => ({ name: basename(path), bytes: await readFile(path) })),
    ).catch((error: unknown) => ({ refused: unreadableFile(error instanceof Error ? error.message : String(error)) }));
    let pictures = 0;
    const savePicture = async () => {
      pictures += 1;
      return `picture-${pictures}`;
    };
    const preview = 'refused' in given ? given : await readQuestions(given, { savePicture });
    if ('refused' in preview) {
      console.error(preview.refused);
      return 1;
    }
    console.log(json ? JSON.stringify(printed(preview)) : summary(preview).join('\n'));
    return preview.questions.length === 0 ? 1 : 0;
  });

interface PrintedQuestion {
  number: string | null;
  type: QuestionType;
  stem: string;
  options: string[];
  answer: string;
  score: number | null;
  parts: PrintedQuestion[];
  doubts: string[];
}

function printed({ format, questions, leftOut, doubts, errors }: ImportPreview) {
  return {
    format,
    questions: questions.map(printedQuestion),
    left_out: leftOut.map(noteText),
    doubts: [...errors, ...doubts].map(noteText),
  };
}

const printedQuestion = ({
  draft,
  number,
  score,
  parts,
  errors,
  doubts,
  losses,
}: ImportedQuestion): PrintedQuestion => ({
  ...printedDraft(draft),
  number: number ?? null,
  score: score ?? null,
  parts: draft.ques_item.map((part, index) => ({
    ...printedDraft(part),
    number: parts?.[index]?.number ?? String(index + 1),
    score: parts?.[index]?.score ?? null,
  })),
  doubts: [...errors, ...doubts, ...losses].map(noteText),
});

const printedDraft = (draft: QuestionDraft): PrintedQuestion => ({
  number: null,
  type: draft.ques_type,
  stem: plainText(draft.ques_stem),
  options: draft.ques_option.map(({ content }) => plainText(content)),
  answer: printedAnswer(draft),
  score: null,
  parts: [],
  doubts: [],
});

const printedAnswer = ({ ques_type: type, ques_option: options, right_answer: answer }: QuestionDraft): string =>
  hasOptions(type)
    ? options.flatMap(({ is_right }, index) => (is_right === 1 ? [optionLetter(index)] : [])).join('')
    : plainText(answer);

function summary({ format, questions, leftOut, doubts, errors }: ImportPreview): string[] {
  const counts = new Map<QuestionType, number>();
  for (const { draft } of questions) counts.set(draft.ques_type, (counts.get(draft.ques_type) ?? 0) + 1);
  const byType = [...counts]
    .sort(([one], [other]) => one - other)
    .map(([type, count]) => `${questionTypeNames[type]}${count}道`);
  const notes = (title: string, list: readonly ImportNote[]) =>
    list.length > 0 ? [`${title}：`, ...list.map((note) => `  ${noteText(note)}`)] : [];
  return [
    `${formatLabels[format]}：${questions.length}道题${byType.length > 0 ? `（${byType.join('、')}）` : ''}`,
    ...notes('错误', [...errors, ...questions.flatMap((question) => question.errors)]),
    ...notes('需要核对', [...doubts, ...questions.flatMap((question) => question.doubts)]),
    ...notes(
      '无法保留',
      questions.flatMap((question) => question.losses),
    ),
    ...notes('没有导入', leftOut),
  ];
}
