/** Messages about content that an exported file lacks. All writers use them. */
import type { ImportNote } from '../import.contract.ts';
import { questionTypeNames } from '../rules.ts';
import { type ExportQuestion, placeOf } from './export-question.ts';

export const exportLosses = {
  picture: '图片无法读取，没有导出',
  plainPicture: '图片没有导出',
  table: '表格按文字导出',
  marks: '文字格式（加粗、上下标、列表等）没有保留',
  paragraphs: '分段合成一行',
  longText: '文字超过32767个字符，只导出前面的部分',
  formula: '公式无法写成 Word 公式，按 LaTeX 源码导出',
  list: '列表按文字导出',
  blanks: '题干中标出的空与答案的数量不同，答案写在题干末尾',
} as const;

/** Says that a question is not in the file. `reason`: why, such as 有多个空. */
export const leftOutLoss = (question: ExportQuestion, reason = ''): ImportNote => ({
  where: placeOf(question),
  message: `${questionTypeNames[question.ques_type]}${reason}，这种格式不支持，没有导出`,
});

/** Says which fields of a question the format does not have; nothing if all are empty. */
export function fieldLosses(
  question: ExportQuestion,
  fields: readonly ('analysis' | 'difficulty' | 'remark' | 'point' | 'tags' | 'score' | 'case')[],
): ImportNote[] {
  const held = {
    analysis: question.ques_analysis !== '' && '解析',
    difficulty: question.facility_value > 0 && '难度',
    remark: question.remark !== '' && '备注',
    point: (question.point ?? '') !== '' && '知识点',
    tags: (question.tags ?? '') !== '' && '标签',
    score: question.score !== undefined && '分值',
    case: question.ques_type === 7 && question.ignore_case === 0 && '区分大小写',
  };
  const names = fields.flatMap((field) => held[field] || []);
  return names.length > 0 ? [{ where: placeOf(question), message: `${names.join('、')}没有导出` }] : [];
}
