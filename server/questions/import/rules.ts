/** Limits and messages of the question import. Not part of the form's rules, because the browser does not need them. */
import { pictureBytes } from '#server/platform/files/rules.ts';
import { importBytes, type QuestionType, questionTypeNames } from '#server/questions/rules.ts';

/** Maximum number of options of an imported choice question. */
export const maxImportedOptions = 6;

/** Maximum number of questions per file; nobody could check a longer preview. */
export const maxImportedQuestions = 10_000;

const megabytes = (bytes: number) => `${bytes / 2 ** 20}MB`;

export const previewRefusals = {
  tooLarge: `文件太大，不能超过${megabytes(importBytes)}`,
  tooLong: '文件过于复杂，处理超时，请拆分后再导入',
  tooMuchMemory: '文件内容过多，超出可处理的大小，请拆分后再导入',
  cancelled: '导入已取消',
  severalFiles: '只有 Word 试卷可以和答案文件一起导入，其他文件请分别导入',
  tooManyQuestions: `一次最多导入${maxImportedQuestions}道题，请拆分文件`,
} as const;

/** Messages about content of the file that a question cannot hold. */
export const lossMessages = {
  formula: '公式无法保留，请导入后在题目中用公式编辑重新输入',
  shape: '图形（形状、图表、SmartArt）无法保留，请截成图片后插入',
  object: '嵌入的对象无法保留，请截成图片后插入',
  linkedPicture: '链接到外部的图片没有保留，请把图片插入文件中',
  missingPicture: '文件中缺少这张图片',
  largePicture: `图片超过${megabytes(pictureBytes)}，没有保留`,
  picture: '图片没有保留',
  note: '脚注和尾注无法保留',
  reading: '字上的拼音（拼音指南）无法保留，请写在括号里',
  symbol: '特殊字体的符号无法识别',
  difficulty: '没有填写难度，按3星导入，请核对',
  materialAnswer: '材料题本身没有答案，答案请写在小题里',
} as const;

/** Message about a picture in an unknown format. `ending`: of the file name; undefined if it has none. */
export const pictureFormatLoss = (ending: string | undefined): string =>
  `图片格式（${ending ?? '未知'}）浏览器无法显示，没有保留，请换成 PNG 或 JPG`;

/** Errors and notes about an Excel sheet. */
export const sheetMessages = {
  hiddenRow: '这一行在文件中是隐藏的，已照常读入，请核对',
  name: `工作表名称不是题型，没有读取；请改为：${Object.values(questionTypeNames).join('、')}`,
} as const;

export const missingTitles = (type: QuestionType): string =>
  `没有找到“${type === 6 ? '材料' : '题干'}”列，请使用模板的表头`;

export const missingColumns = (names: readonly string[]): string =>
  `没有找到${names.map((name) => `“${name}”`).join('、')}列，请使用模板的表头`;

/** Messages about cells that cannot be read. */
export const cellMessages = {
  formula: '单元格是公式，公式不会计算，请改为文字',
  error: '单元格是错误值',
  placedPicture: '单元格内的图片没有保留，请改为浮动图片',
} as const;

export const dateCellNote = (text: string): string =>
  `单元格是日期格式，按“${text}”读入，请核对；填写时请把单元格设为文本格式`;

/** Note about a number whose format is not supported, or whose digits are partly missing in the file. */
export const unfollowedFormatNote = (text: string): string =>
  `单元格的数字格式不能照原样读取，按“${text}”读入，请核对；填写时请把单元格设为文本格式`;

/** Messages about errors of a question in the file. */
export const importedMessages = {
  noQuestions: '没有识别到题目，请按模板填写',
  notMaterial: '有小题的题目，题型应为材料题',
  tooManyOptions: `导入的选择题最多${maxImportedOptions}个选项`,
  noOptions: '缺少选项',
  noAnswer: '缺少答案',
  blankPicture: '填空题的答案只能是文字，不能是图片',
} as const;

export const missingField = (name: string): string => `缺少${name}`;
export const missingOption = (letters: readonly string[]): string => `答案${letters.join('、')}没有对应的选项`;
export const blankAnswerFault = (place: number): string => `第${place}空的答案不能为空`;
export const optionsFault = (type: QuestionType): string => `${questionTypeNames[type]}不能有选项`;

/** Messages about values that cannot be understood. */
export const spellingFaults = {
  type: (spelled: string) => `题型“${spelled}”无法识别`,
  difficulty: (spelled: string) => `难度“${spelled}”无法识别，请填写1到5（易到难）`,
  letterCase: (spelled: string) => `大小写“${spelled}”无法识别，请填写区分或不区分`,
  judgement: (spelled: string) => `答案“${spelled}”无法识别，请填写对或错`,
  choice: (spelled: string) => `答案“${spelled}”无法识别，请填写选项字母，如A或ABC`,
} as const;
