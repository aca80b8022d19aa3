/** Formats, limits and messages of the question export. */

/** Formats of the export, with the words of the screen. */
export const exportFormatNames = {
  docx: 'Word 试卷',
  xlsx: 'Excel',
  'moodle-xml': 'Moodle XML',
  gift: 'GIFT',
  aiken: 'Aiken',
  qti21: 'QTI 2.1',
  qti30: 'QTI 3.0',
} as const;
export type ExportFormat = keyof typeof exportFormatNames;
export const exportFormats = Object.keys(exportFormatNames) as ExportFormat[];
export const usualExportFormat: ExportFormat = 'xlsx';

/** Variants of a paper, with the words of the screen. */
export const exportVariantNames = {
  'with-answers': '每题后附答案和解析',
  'answers-at-end': '答案附在卷末',
  paper: '不含答案',
  'answer-sheet': '答题卡',
} as const;
export type ExportVariant = keyof typeof exportVariantNames;
export const exportVariants = Object.keys(exportVariantNames) as ExportVariant[];
export const usualExportVariant: ExportVariant = 'with-answers';

/** True for a format that is a paper to print; the others always have all fields. */
export const hasVariants = (format: ExportFormat): boolean => format === 'docx';

/** Maximum number of questions of an export, which is made while the request waits. */
export const maxExportedQuestions = 500;

export const exportMessages = {
  nothing: '没有可以导出的题目',
  nothingHeld: '这种格式不支持所选的题目，请换一种格式',
  tooMany: `一次最多导出${maxExportedQuestions}道题目，请先筛选或勾选`,
  tooLong: '所选题目的内容过多，请分几次导出',
  busy: '导出的人较多，请稍后再试',
} as const;

/** Why nothing is exported. `held`: number of the questions that the format holds. */
export function exportFault(questions: number, held: number): string | undefined {
  if (questions === 0) return exportMessages.nothing;
  if (questions > maxExportedQuestions) return exportMessages.tooMany;
  return held === 0 ? exportMessages.nothingHeld : undefined;
}
