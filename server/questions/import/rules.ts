/** Limits and messages of the question import. Not part of the form's rules, because the browser does not need them. */
import { pictureBytes } from '#server/platform/files/rules.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import { importBytes } from '#server/questions/import.rules.ts';
import { type QuestionType, questionTypeNames } from '#server/questions/rules.ts';

/** Maximum number of options of an imported choice question. */
export const maxImportedOptions = 6;

/** Maximum number of questions per file; nobody could check a longer preview. */
export const maxImportedQuestions = 10_000;

/** Maximum lines of a document that are kept to be shown beside its questions. */
export const maxPaperLines = 30_000;

const megabytes = (bytes: number) => `${bytes / 2 ** 20}MB`;

export const previewRefusals = {
  tooLarge: `文件太大，不能超过${megabytes(importBytes)}`,
  tooLong: '文件过于复杂，处理超时，请拆分后再导入',
  tooMuchMemory: '文件内容过多，超出可处理的大小，请拆分后再导入',
  embeddedPage: '文档的正文是嵌入的网页，无法读取。请用 Word 或 WPS 打开，另存为 .docx 后再导入',
  cancelled: '导入已取消',
  noText: '文件不是文本，或编码无法识别',
  notText: '文件不是文本，无法读取',
  severalFiles: '只有 Word 试卷可以和答案文件一起导入，其他文件请分别导入',
  tooManyQuestions: `一次最多导入${maxImportedQuestions}道题，请拆分文件`,
} as const;

/** Notes about knowledge points. A question has one. */
export const importedPoints = {
  several: (point: string, others: string) => `知识点只保留“${excerpt(point)}”，“${excerpt(others)}”写在备注里`,
  lost: (others: string) => `知识点“${excerpt(others)}”备注里放不下，没有保留`,
  unknown: (point: string) => `学校没有知识点“${excerpt(point)}”，备注也放不下`,
} as const;

/** Refusals of files that Word, Excel or WPS can save in a format that is read. */
export const saveAsMessages = {
  oldWord: '这是旧版 Word 或 WPS 文字的文件，不能直接读取。请用 Word 或 WPS 打开，另存为 .docx 后再导入',
  oldExcel: '这是旧版 Excel 或 WPS 表格的文件，不能直接读取。请用 Excel 或 WPS 打开，另存为 .xlsx 后再导入',
  macros: '文件可以含有宏，宏不会运行，所以不读取。请用 Office 或 WPS 打开，另存为不含宏的 .docx 或 .xlsx 后再导入',
  asWord: '这种文档不能直接读取。请用 Word 或 WPS 打开，另存为 .docx 后再导入',
  asExcel: '这种表格不能直接读取。请用 Excel 或 WPS 打开，另存为 .xlsx 后再导入',
  pdf: '不能读取 PDF 和 OFD。请用 Word 打开（或用 WPS 转为 Word），另存为 .docx 后再导入；也可以复制文字，粘贴到下面',
  picture: '不能识别图片中的文字。请把题目录入 Word，或粘贴到下面',
  others: '不能读取演示文稿和这种压缩包。请把题目放进 Word，另存为 .docx 后再导入',
  password:
    '文件设有密码。请用 Word、Excel 或 WPS 打开，在“文件”的“信息”中清空密码（WPS 在“文件”的“文档加密”中），保存后再导入',
} as const;

export const unreadableFile = (reason: string): string => `文件无法读取：${reason}`;

export const faultInRow = (row: number, message: string): string => `第${row}行${message}`;

/** Messages about content of the file that a question cannot hold. */
export const lossMessages = {
  formula: '公式无法保留，请导入后在题目中用公式编辑重新输入',
  formulaPicture: '公式（MathType、公式编辑器 3.0）按图片保留，不能再编辑',
  shape: '图形（形状、图表、SmartArt）无法保留，请截成图片后插入',
  object: '嵌入的对象无法保留，请截成图片后插入',
  linkedPicture: '链接到外部的图片没有保留，请把图片插入文件中',
  missingPicture: '文件中缺少这张图片',
  largePicture: `图片超过${megabytes(pictureBytes)}，没有保留`,
  picture: '图片没有保留',
  note: '脚注和尾注无法保留',
  reading: '字上的拼音（拼音指南）无法保留，请写在括号里',
  symbol: '特殊字体的符号无法识别',
  script: '脚本没有导入',
  media: '音频、视频和网页无法保留',
  control: '表单控件无法保留',
  variable: '随机变量的值无法保留',
  link: '链接没有保留，只保留了文字',
  difficulty: '没有填写难度，按3星导入，请核对',
  materialAnswer: '材料题本身没有答案，答案请写在小题里',
} as const;

/** Message about a picture in an unknown format. `ending`: of the file name; undefined if it has none. */
export const pictureFormatLoss = (ending: string | undefined): string =>
  `图片格式（${ending ?? '未知'}）浏览器无法显示，没有保留，请换成 PNG 或 JPG`;

/** Errors and notes about a sheet. */
export const sheetMessages = {
  hiddenRow: '这一行在文件中是隐藏的，已照常读入，请核对',
  noStemColumn: '没有找到“题干”列，没有读取',
  noTitles: '没有找到“题干”列，请在第一行写明每列的内容，如题型、题干、选项A、答案',
  notChosen: '没有选择要导入的列，没有读取',
  noTypes: '没有“题型”列，题型按内容判断，请核对',
  noType: '没有填写题型，按内容判断，请核对',
  unknownColumn: (title: string) => `列“${title}”没有导入`,
  longRemark: (text: string) => `“${text}”太长，没有作为备注保留`,
  score: (text: string) => `分值“${text}”无法识别，没有保留`,
  brokenQuote: '引号没有成对，这一行可能读错，请核对',
} as const;

export const noStemColumnMessage = (type: QuestionType): string =>
  `没有找到“${type === 6 ? '材料' : '题干'}”列，请写明表头`;

export const noColumnMessage = (names: readonly string[]): string =>
  `没有找到${names.map((name) => `“${name}”`).join('、')}列，请写明表头`;

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
  noneRead: '没有识别到题目',
  notMaterial: '有小题的题目，题型应为材料题',
  tooManyOptions: `导入的选择题最多${maxImportedOptions}个选项`,
  noOptions: '缺少选项',
  noAnswer: '缺少答案',
  blankPicture: '填空题的答案只能是文字，不能是图片',
} as const;

export const fieldMissingMessage = (name: string): string => `缺少${name}`;
export const optionNotFoundMessage = (letters: readonly string[]): string => `答案${letters.join('、')}没有对应的选项`;
export const blankAnswerMessage = (place: number): string => `第${place}空的答案不能为空`;
export const noOptionsAllowedMessage = (type: QuestionType): string => `${questionTypeNames[type]}不能有选项`;

/** Messages about a correction that would lose something. */
export const correctionMessages = {
  richAnswer: '参考答案含有图片或公式，请在“编辑整题”中修改',
  richOptions: '选项含有图片、公式或格式，请在“编辑整题”中修改',
} as const;

/** Notes about lines that were split off from a question. */
export const lineDoubts = {
  noAnswer: '缺少答案',
  plainText: '拆出的内容没有题目的标记，整段作为题干，请核对',
} as const;

/** Messages about papers that nobody wrote for a template: readings that somebody should check, and text left out. */
export const paperMessages = {
  noNumber: '这道题没有题号，请核对从哪里开始',
  repeatedLetter: '选项字母重复，已按顺序读入，请核对',
  missingLetter: '选项字母不连续，可能缺少选项或两个选项连在一起，请核对',
  judgementLetters: '判断题没有列出选项，答案A按正确、B按错误读入，请核对',
  singleWithSeveral: (answers: number) => `标题是单选题，答案有${answers}个，按多选题读入，请核对`,
  concluded: '没有写答案，按解析里的结论读入，请核对',
  optionsElsewhere: '选项只有字母，内容可能在题干的图片里，请核对',
  optionsInTable: '选项在表格里，以字母作为选项，请核对',
  lettersWithoutOptions: '答案是字母，没有找到选项，请核对',
  severalWordings: '填空题的答案有几种写法，请核对',
  spacesAsBlanks: '题干中的空格按填空读入，请核对',
  circledOptions: '①②③按选项A、B、C读入，请核对',
  answersInBlanks: '没有写答案，按题干空格里的文字读入，请核对',
  blanksUnclear: (marked: number) => `题干有${marked}个空，答案分不清各空，按简答题读入，请核对`,
  partsUnclear: '答案分不清各小题，整道题按简答题读入，请核对',
  noStem: '小题没有题干，请核对',
  materialAnswer: '材料题本身的答案没有保留，请写在小题里',
  textBefore: '题目前面的图片或表格放入了题干，请核对',
  pictureBehind: '选项后面的图片放入了题干，请核对',
  lineBehind: '这一行接在最后一个选项后面，请核对',
  wholeSection: '这一大题没有题号，作为一道题读入，请核对',
  breaks: (kind: 'restart' | 'gap' | 'repeat', before: number, value: number) =>
    kind === 'gap'
      ? `题号从${before}跳到${value}，请核对中间的题目`
      : kind === 'restart'
        ? `题号从${before}回到1，前面没有大题标题，请核对`
        : `题号${value}在${before}之后，请核对`,
  otherCount: (said: number, found: number) => `标题写共${said}题，读到${found}题，请核对`,
  answerWithoutQuestion: (value: number) => `第${value}题的答案没有对应的题目`,
  twoAnswers: (one: string, where: string, other: string) => `答案不一致：${where}是“${one}”，这里是“${other}”，请核对`,
  tinyPicture: '文字中的小图片没有保留（常用来防复制，可能代替了一个字），请核对',
  usualDifficulty: '没有写难度的题目按3星导入',
  leftOut: (text: string) => `不属于任何题目，没有导入：“${text}”`,
  attempts: '学员的作答和得分没有导入',
} as const;

/** Messages about values that cannot be understood. */
export const spellingMessages = {
  type: (spelled: string) => `题型“${spelled}”无法识别`,
  difficulty: (spelled: string) => `难度“${spelled}”无法识别，请填写1到5（易到难）`,
  letterCase: (spelled: string) => `大小写“${spelled}”无法识别，请填写区分或不区分`,
  judgement: (spelled: string) => `答案“${spelled}”无法识别，请填写对或错`,
  choice: (spelled: string) => `答案“${spelled}”无法识别，请填写选项字母，如A或ABC`,
} as const;

export const excerpt = (text: string, most = 30): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : characters.join('');
};

/** Notes about QTI files. */
export const qtiMessages = {
  /** Place of an item. `number`: from 1, counting all items of the file. */
  item: (number: number, title: string) => `第${number}题${title === '' ? '' : `“${excerpt(title, 20)}”`}`,
  /** Stem of a part that only is a place in the text of its material. */
  place: (number: number) => `第${number}空`,
  entities: '文件含有实体声明（DOCTYPE），不安全，已拒绝',
  damagedFile: '文件不是有效的 XML，无法读取，请重新导出',
  damagedDocument: '不是有效的 XML，没有读取',
  noDifficulty: '文件中没有难度，题目按3星导入，请核对',
  noInteraction: '没有作答区，没有导入',
  oddScore: (score: number) => `分值${score}不是0.5的倍数，没有保留`,
  partialCredit: '文件中部分答对也给分，导入后只保留正确答案，请核对',
  partialTexts: (texts: readonly string[]) => `文件中${quoted(texts)}也得部分分数，没有保留，请核对`,
  otherAnswers: (blank: number, texts: readonly string[]) => `第${blank}空还接受${quoted(texts)}，没有保留，请核对`,
  range: (bounds: string) => `答案接受一个范围（${bounds}），没有保留，请核对`,
  tolerance: '答案允许误差，导入后只接受准确值，请核对',
  pattern: '文件按规则或近似比较答案，导入后需完全一致，请核对',
  menu: '填空的备选词没有保留',
  adaptive: '自适应题（内容随作答变化）按普通题导入，请核对',
  matching: '匹配题按材料题导入，每项一道单选题，请核对',
  gaps: '拖放填空题按材料题导入，每空一道单选题，请核对',
  severalInteractions: '一道题有多处作答，按材料题导入，请核对各小题的题干',
  missingMaterial: '文件中缺少这道题共用的材料，请核对',
  optionFeedback: (index: number) => `选项${optionLetter(index)}：`,
  judgementFeedback: (option: string) => `选“${option}”时：`,
  rightFeedback: '答对时：',
  wrongFeedback: '答错时：',
  selection: (count: string) => `原试卷从中随机抽取${count}题，已全部导入`,
  missingItems: (files: readonly string[]) => `文件中缺少试卷用到的题目：${firstNames(files)}`,
  missingBank: '从题库抽题，文件中没有这个题库，题目没有导入',
  instructions: (text: string) => `说明文字没有导入：“${excerpt(text, 40)}”`,
  noneHeld: (count: number) => `没有识别到题目：文件中有${count}道题，题型都无法导入`,
  onlyReferences: '试卷中没有题目；题库未导出',
  emptyTest: '没有识别到题目：试卷中没有题目',
  noDocuments: (names: readonly string[]) =>
    names.length === 0
      ? '没有识别到题目：不是 QTI 文件'
      : `没有识别到题目：压缩包中没有 QTI 文件，只有${firstNames(names)}`,
} as const;

function firstNames(names: readonly string[]): string {
  return names.slice(0, 5).join('、') + (names.length > 5 ? `等${names.length}个文件` : '');
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `“${excerpt(text, 20)}”`).join('、');
}

export const lineOf = (line: number): string => `第${line}行`;

export const longRemarkLoss = (remark: string): string => `分类“${excerpt(remark)}”太长，没有作为备注保留`;

/** Says which tags are longer than a tag may be, or too many. */
export const lostTags = (tags: readonly string[]): string => `标签“${excerpt(tags.join('、'))}”太长或太多，没有保留`;

/** Errors of a GIFT file. */
export const giftMessages = {
  notOpened: '大括号 } 没有对应的 {',
  notClosed: '大括号 { 没有对应的 }',
  secondBrace: '一道题只能有一对大括号',
  tooFewAnswers: '答案不足',
  brokenPair: '配对缺少“->”',
} as const;

/** Notes about the questions of Moodle XML and GIFT files. */
export const moodleMessages = {
  place: qtiMessages.item,
  entities: qtiMessages.entities,
  damaged: (place: string) => `${place}之后的内容已损坏，没有读取`,
  units: '数值题的单位没有保留',
  description: qtiMessages.instructions,
  unknownType: (type: string, stem: string) => `题型“${type}”无法导入：“${stem}”`,
  oddScore: qtiMessages.oddScore,
  partialOption: (letter: string, share: string) => `选项${letter}可得${share}的分，没有保留`,
  oneOfSeveral: '多选题只有一个正确选项，按不定项选择题导入，请核对',
  addedBlank: '题干没有标出填空，已在末尾加上“____”，请核对',
  otherAnswer: (text: string, share: string) => `“${excerpt(text)}”也算对${share && `（${share}）`}，没有保留`,
  tolerance: (text: string) => `答案允许误差${text}，没有保留`,
  wildcard: '答案中的“*”在 Moodle 中代表任意文字，请核对',
  match: '配对题按材料题导入，每项一道单选题，请核对',
  cloze: '完形填空按材料题导入，每空一道小题，请核对',
  emptyCloze: (stem: string) => `完形填空中没有识别到答案，没有导入：“${stem}”`,
  openCloze: (place: number) => `完形填空第${place}空的大括号 { 没有对应的 }，没有导入`,
  fewClozeAnswers: (place: number) => `完形填空第${place}空的答案不足，没有导入`,
  noClozeNumber: (place: number) => `完形填空第${place}空的答案不是数字，没有导入`,
  noClozeAnswer: (place: number) => `完形填空第${place}空没有正确答案，没有导入`,
  noDifficulty: qtiMessages.noDifficulty,
  ignored: '题目名称、罚分、选项乱序和答题后的统一反馈不导入',
  markdown: 'Markdown 格式按文字导入，请核对',
} as const;

export const aikenMessages = {
  notStarted: '选项或答案前没有题干',
  noOptions: (stem: string) => `“${stem}”没有选项，没有导入`,
  unfinished: (stem: string) => `“${stem}”没有答案，没有导入`,
  noDifficulty: moodleMessages.noDifficulty,
} as const;
