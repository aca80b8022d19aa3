/** Limits, choices and messages of the question import that screens share. */
import { noFileMessage } from '#server/platform/files/rules.ts';

export const importMessages = {
  noFile: noFileMessage,
  failed: '导入失败，请按提示修改后重新导入',
  reading: '文件还在读取，请稍候',
  inBank: '题库中已有相同的题目，导入后会重复，请核对',
  twiceInFile: (place: string) => `与本文件${place}的题目相同，请核对`,
  nothing: '没有可以导入的题目',
  wordEnding: '请上传 .docx 格式的文件',
  excelEnding: '请上传 .xlsx 格式的文件',
  unreadable: '文件无法读取，请检查后重新上传',
  interrupted: '读取中断，请重新上传',
  noText: '请粘贴试卷的内容',
  pasted: '粘贴的试卷',
  missingRow: '该题目不在这次导入中，可能已被合并或拆分',
  notLast: '此后又有新的修改，请核对后再操作',
  noField: '请填写要修改的内容',
  nothingChanged: '没有需要修改的题目',
  noBefore: '前面没有题目',
  noMaterial: '前面没有材料题',
  noParts: '后面没有可以作为小题的题目',
  notMaterialRow: '该题目不是材料题',
  materialType: '材料题请先拆开小题，再改题型',
  partMaterial: '材料题不能作为小题',
  noSplit: '这一行不能拆分',
  noRoom: '这里不能再拆分，请重新上传',
  pointInRemark: '学校没有这个知识点，导入时写在备注里；可以改为已有的知识点，或请教务先添加',
  pointOfPaper: '试卷的题目没有知识点，导入后不会保留',
  pointLost: '学校没有这个知识点，备注也放不下，导入后不会保留',
  noColumns: '只有 Excel 和 CSV 文件可以调整列对应',
  fileGone: '原文件已不在，请重新上传',
  unknownColumn: '没有这种列',
  noSheetChosen: '请至少为一个工作表选择要导入的列',
  missingColumns: (names: readonly string[]) => `还没有选择${names.map((name) => `“${name}”`).join('、')}列`,
  columnTwice: (name: string) => `“${name}”选了不止一列`,
  lostCorrections: (count: number) => `已修改的${count}道题会恢复为文件的内容`,
} as const;

/** Filters of a preview: 1 with errors, 2 with doubts, 3 left out. */
export const importFilters = [1, 2, 3] as const;

/** 1: to be imported. 2: left out. */
export const importRowStates = [1, 2] as const;

/** 1: equal to a question of the bank. 2: nearly equal. */
export const bankMatches = [1, 2] as const;

/** Choice for a question that the bank has. */
export const bankChoices = ['take', 'skip', 'replace'] as const;

export const arrangements = [
  'join',
  'split',
  'material',
  'part',
  'dissolve',
  'leave-out',
  'take-back',
  'confirm',
  'restore',
  ...bankChoices,
] as const;

export type Arrangement = (typeof arrangements)[number];

export const arrangementNames = {
  join: '并入上一题',
  split: '从这一行拆开',
  material: '设为材料题',
  part: '归入上面的材料题',
  dissolve: '拆开小题',
  'leave-out': '这不是题目',
  'take-back': '恢复为题目',
  confirm: '核对无误',
  restore: '还原为识别的内容',
  take: '照常导入',
  skip: '不导入',
  replace: '替换题库中的题目',
} as const satisfies Record<Arrangement, string>;

export const leaveOutFault = ({ state }: { state: 1 | 2 }): string | undefined =>
  state === 2 ? '该题目已排除' : undefined;

export const takeBackFault = ({ state }: { state: 1 | 2 }): string | undefined =>
  state === 1 ? '该题目没有排除' : undefined;

export const restoreFault = (isCorrected: boolean): string | undefined =>
  isCorrected ? undefined : '该题目没有可以还原的内容';

export const replaceFault = (isInBank: boolean): string | undefined =>
  isInBank ? undefined : '题库中没有与该题相同的题目';

export const materialSaid = (parts: number): string => `设为材料题，带${parts}道小题`;

export const dissolveSaid = (parts: number): string => `拆成${parts}道题，材料已排除`;

export const splitSaid = (questions: number): string => `拆成${questions}道题`;

/** Answer of short-answer questions whose paper has none. */
export const emptyAnswer = '略';

/** Bounds of a score in tenths of a point. */
const importScores = { least: 5, most: 5000 } as const;

/** Parses a score in points into tenths: null if it is blank, undefined if it is invalid. */
export function parseImportScore(typed: string): number | null | undefined {
  const text = typed.normalize('NFKC').trim().replace(/分$/, '');
  if (text === '') return null;
  if (!/^\d{1,3}(?:\.\d)?$/.test(text)) return undefined;
  const tenths = Math.round(Number(text) * 10);
  return tenths >= importScores.least && tenths <= importScores.most ? tenths : undefined;
}

export const importScoreMessage = `分值为${importScores.least / 10}到${importScores.most / 10}，最多一位小数`;

/** Says what stands when a question was corrected in another window. */
export const rowConflictMessage = (stands: string): string => `这道题刚刚在别处改过，现在是：${stands}。请核对后再改`;

export const importExpiredMessage = '导入预览已过期，请重新上传';

/** Maximum bytes of a pasted paper. */
export const pasteBytes = 2 * 1024 * 1024;

/** Maximum bytes of an import file. */
export const importBytes = 50 * 1024 * 1024;
