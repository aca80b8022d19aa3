/** Writes a spreadsheet with one sheet of all types, as the import reads it. */
import { writeSpreadsheet } from '#server/platform/export/spreadsheet.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import type { ImportNote } from '../import.contract.ts';
import { hasOptions, ignoreCaseNames, questionTypeNames } from '../rules.ts';
import { type ExportedQuestions, type ExportOptions, type ExportQuestion, placeOf } from './export-question.ts';
import { exportLosses } from './losses.ts';
import { plainLines } from './portable-html.ts';

/** Maximum characters of a cell in the file format. */
const maxCell = 32_767;
/** Minimum number of option columns. */
const leastOptions = 4;

const widths: Readonly<Record<string, number>> = { 题型: 12, 题干: 60, 解析: 40, 答案: 20 };

export async function writeXlsx(
  questions: readonly ExportQuestion[],
  { reportOnly }: ExportOptions,
): Promise<ExportedQuestions> {
  const losses: ImportNote[] = [];
  // A part follows its material; its number begins with the material's (5.1).
  const rows = questions.flatMap((question) => [question, ...question.ques_item]);
  const options = Math.max(leastOptions, ...rows.map(({ ques_option }) => ques_option.length));
  const titles = [
    '题号',
    '题型',
    '题干',
    ...Array.from({ length: options }, (_, index) => `选项${optionLetter(index)}`),
    '答案',
    '解析',
    '难度',
    '分值',
    '知识点',
    '备注',
    '标签',
    '大小写',
  ];
  const cells = rows.map((question) => {
    const lost = new Set<string>();
    const row = rowOf(question, options, lost);
    losses.push(...[...lost].map((message) => ({ where: placeOf(question), message })));
    return row;
  });
  if (reportOnly) return { bytes: new Uint8Array(), losses };
  const columns = titles.map((header) => ({ header, type: 'text' as const, width: widths[header] ?? 10 }));
  const stream = writeSpreadsheet({ sheets: [{ name: '题目', columns, rows: cells }] });
  return { bytes: new Uint8Array(await new Response(stream).arrayBuffer()), losses };
}

function rowOf(question: ExportQuestion, options: number, lost: Set<string>): string[] {
  const { ques_type, ques_option } = question;
  const plain = (html: string) => {
    const { text, losses } = plainLines(html);
    for (const loss of losses) lost.add(loss);
    if (text.length > maxCell) lost.add(exportLosses.longText);
    return text;
  };
  const isMatter = ques_type !== 2;
  const contents = Array.from({ length: options }, (_, index) =>
    isMatter ? plain(ques_option[index]?.content ?? '') : '',
  );
  return [
    question.number,
    questionTypeNames[ques_type],
    plain(question.ques_stem),
    ...contents,
    answerOf(question, plain),
    plain(question.ques_analysis),
    question.facility_value > 0 ? String(question.facility_value) : '',
    // The points of a material are those of its parts.
    question.score === undefined || ques_type === 6 ? '' : String(question.score),
    question.point ?? '',
    question.remark,
    question.tags ?? '',
    ques_type === 7 ? ignoreCaseNames[question.ignore_case] : '',
  ];
}

function answerOf({ ques_type, ques_option, right_answer }: ExportQuestion, plain: (html: string) => string): string {
  const right = ques_option.flatMap(({ is_right }, index) => (is_right === 1 ? [index] : []));
  if (ques_type === 2) return right.map((index) => (index === 0 ? '对' : '错')).join('');
  if (hasOptions(ques_type)) return right.map(optionLetter).join('、');
  return ques_type === 5 ? plain(right_answer) : right_answer;
}
