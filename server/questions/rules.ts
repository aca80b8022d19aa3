/**
 * Rules of the question form. The banks, the import and publishing use them too, and the form also runs them in the
 * browser.
 */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { noFileMessage } from '#server/platform/files/rules.ts';
import { isBlankHtml, normalizeName, optionLetter, showsMoreThanText } from '#server/platform/text/rules.ts';

/** 1 单选题, 2 判断题, 3 多选题, 4 不定项选择题, 5 简答题, 6 材料题, 7 填空题. */
export type QuestionType = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export const questionTypes = [1, 2, 3, 4, 5, 6, 7] as const;

export const questionTypeNames: Readonly<Record<QuestionType, string>> = {
  1: '单选题',
  2: '判断题',
  3: '多选题',
  4: '不定项选择题',
  5: '简答题',
  6: '材料题',
  7: '填空题',
};

export interface QuestionOption {
  /** Id of the option, from 1 in displayed order: option 1 is A. */
  id: number;
  /** Text of the option, as HTML. */
  content: string;
  /** 1 right, 2 wrong. */
  is_right: 1 | 2;
}

export interface QuestionDraft {
  ques_type: QuestionType;
  /** HTML. */
  ques_stem: string;
  /** Options of types 1 to 4; empty for other types. */
  ques_option: QuestionOption[];
  /**
   * Right answer. Types 1 to 4: option ids separated by commas. 5: HTML. 7: the blanks as plain text, joined by `@@`.
   * 6: ''.
   */
  right_answer: string;
  /** 1: upper and lower case count as equal in answers to blanks (type 7); otherwise 0. */
  ignore_case: 0 | 1;
  /** HTML, may be empty. */
  ques_analysis: string;
  /** Facility value, 1 (easy) to 5 (hard); 0 while none is chosen. */
  facility_value: number;
  remark: string;
  /** Name or path of the knowledge point, such as `函数 / 单调性`; '' for none, undefined to keep the stored one. */
  point?: string;
  /** Tags, joined by `、`; undefined to keep the stored ones. Parts of a material question have none. */
  tags?: string;
  /** Parts of a material question; otherwise empty. */
  ques_item: QuestionDraft[];
}

export const optionCount = { least: 2, most: 26, initial: 4 } as const;
export const remarkLimit = 20;
/** Labels of `ignore_case` in fill-in questions. */
export const ignoreCaseNames = { 0: '区分大小写', 1: '不区分大小写' } as const;
/** Separates the blanks of a fill-in answer. */
export const blankSeparator = '@@';

export const draftMessages = {
  incomplete: '请完善信息',
  twoRightAnswers: '请至少选择两个正确答案',
  oneRightAnswer: '请选择一个正确答案',
  contradiction: '正确答案与选项的标记不一致',
  oneItem: '至少保留一道小题',
  optionCount: `选项数量为${optionCount.least}到${optionCount.most}个`,
  judgementOptions: '判断题的选项固定为“正确”和“错误”',
  difficulty: '难度为1到5',
  remark: `备注不能超过${remarkLimit}个字`,
  nestedMaterial: '小题不能是材料题',
} as const;

export const sameOptionMessage = (index: number, same: number): string =>
  `选项${optionLetter(index)}与选项${optionLetter(same)}相同`;

/** True if two options look the same: tags around the text and spaces are ignored. */
export function isSameOption(one: { content: string }, other: { content: string }): boolean {
  const [seen, next] = [one, other].map(({ content }) =>
    content
      .replace(/<\/?(?:p|div|br)\b[^<>]*>|<\/?span\b(?![^<>]*data-latex)[^<>]*>/gi, '')
      .replace(/(?:&nbsp;|\s)+/g, ' ')
      .trim(),
  );
  return seen === next && !isPlaceholder.test(one.content);
}

/**
 * Matches the placeholder of something that an import could not keep. Two placeholders may stand for different things.
 */
const isPlaceholder = /［(?:公式|图片)］/;

export const optionContentMessage = (index: number): string => `选项${optionLetter(index)}内容不能为空`;

export const isQuestionType = (value: unknown): value is QuestionType =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 7;

/** True for types 1 to 4, which are answered by choosing options. */
export const hasOptions = (type: QuestionType): type is 1 | 2 | 3 | 4 => type <= 4;

/** Returns the two options of a true/false question. `rightId` 0: neither is marked as right. */
export function judgementOptions(rightId: 0 | 1 | 2): QuestionOption[] {
  return [
    { id: 1, content: '正确', is_right: rightId === 1 ? 1 : 2 },
    { id: 2, content: '错误', is_right: rightId === 2 ? 1 : 2 },
  ];
}

/** Returns the stored answer of a choice question: the ids of its right options, separated by commas. */
export const rightOptionIds = (options: readonly QuestionOption[]): string =>
  options
    .filter((option) => option.is_right === 1)
    .map((option) => option.id)
    .join(',');

/** Splits a fill-in answer into blanks. */
export const blanksOf = (rightAnswer: string): string[] =>
  rightAnswer.split(blankSeparator).map((blank) => blank.trim());

/** Matches a blank marked in a stem: underscores, or underlined white space. */
const markedBlank = /[_＿]{2,}|<u>(?:\s|&nbsp;|&emsp;|&ensp;)+<\/u>/g;
const emptyBrackets = /[（(](?:\s|&nbsp;|&emsp;|&ensp;)*[）)]/g;

/** Counts the blanks marked in a stem; undefined if a picture or formula may contain some. */
function blanksMarked(stem: string): number | undefined {
  const text = stem.replace(/<(?!\/?u>)[^<>]*>/g, '');
  const marked = text.match(markedBlank)?.length ?? text.match(emptyBrackets)?.length ?? 0;
  return showsMoreThanText(stem) || /［(?:公式|图片)］/.test(stem) ? undefined : marked;
}

/** Why the number of answers does not fit the blanks marked in the stem. */
export function blanksFault(stem: string, answers: number): string | undefined {
  const marked = blanksMarked(stem);
  if (marked === undefined || marked === answers) return undefined;
  if (marked === 0) return '题干中没有填空，请用“____”标出';
  return `题干有${marked}个空，答案有${answers}个，请改为一致`;
}

const withoutTags = (html: string): string => html.replace(/<[^<>]*>/g, '').trim();

/**
 * Returns the draft in its stored form. Options are numbered from 1; the answer of a choice question is derived from
 * its options (only here); fields that the type does not have are emptied; parts without a difficulty get the
 * material's.
 */
export function normaliseDraft(draft: QuestionDraft): QuestionDraft {
  const type = draft.ques_type;
  const options = hasOptions(type)
    ? draft.ques_option.map((option, index) => ({
        id: index + 1,
        content: type === 2 ? withoutTags(option.content) : option.content,
        is_right: option.is_right,
      }))
    : [];
  return {
    ques_type: type,
    ques_stem: draft.ques_stem.trim(),
    ques_option: options,
    right_answer: storedAnswer(draft, options),
    ignore_case: type === 7 ? draft.ignore_case : 0,
    ques_analysis: isBlankHtml(draft.ques_analysis) ? '' : draft.ques_analysis.trim(),
    facility_value: draft.facility_value,
    remark: draft.remark.trim(),
    ...(draft.point !== undefined && { point: draft.point.trim() }),
    ...(draft.tags !== undefined && { tags: joinTags(tagsIn(draft.tags)) }),
    ques_item:
      type === 6
        ? draft.ques_item.map((item) =>
            normaliseDraft({ ...item, facility_value: item.facility_value || draft.facility_value }),
          )
        : [],
  };
}

function storedAnswer(draft: QuestionDraft, options: readonly QuestionOption[]): string {
  if (hasOptions(draft.ques_type)) return rightOptionIds(options);
  if (draft.ques_type === 6) return '';
  if (draft.ques_type === 7) return blanksOf(draft.right_answer).join(blankSeparator);
  return draft.right_answer.trim();
}

/**
 * Returns every broken rule by field; empty if the draft can be saved. `draftMessages.incomplete` is the general
 * message for the form.
 */
export function checkQuestion(draft: QuestionDraft): FieldErrors {
  const errors: FieldErrors = {};
  checkInto(errors, '', draft, false);
  return errors;
}

function checkInto(errors: FieldErrors, prefix: string, draft: QuestionDraft, isItem: boolean): void {
  const report = (field: string, message: string) => {
    errors[prefix + field] = [...(errors[prefix + field] ?? []), message];
  };
  const type: unknown = draft.ques_type;
  if (isBlankHtml(draft.ques_stem)) report('ques_stem', draftMessages.incomplete);
  if (!draft.facility_value) report('facility_value', draftMessages.incomplete);
  else if (!Number.isInteger(draft.facility_value) || draft.facility_value < 1 || draft.facility_value > 5) {
    report('facility_value', draftMessages.difficulty);
  }
  // Counts code points, so that an emoji or a rare Han character counts as one.
  if ([...draft.remark].length > remarkLimit) report('remark', draftMessages.remark);
  const tagFault = tagsFault(tagsIn(draft.tags ?? ''));
  if (tagFault) report('tags', tagFault);
  if (!isQuestionType(type)) {
    report('ques_type', draftMessages.incomplete);
    return;
  }
  if (hasOptions(type)) {
    checkOptions(report, type, draft.ques_option);
  } else if (type === 5) {
    if (isBlankHtml(draft.right_answer)) report('right_answer', draftMessages.incomplete);
  } else if (type === 7) {
    const blanks = blanksOf(draft.right_answer);
    const fault = isBlankHtml(draft.ques_stem) ? undefined : blanksFault(draft.ques_stem, blanks.length);
    if (blanks.some((blank) => blank === '')) report('right_answer', draftMessages.incomplete);
    else if (fault) report('right_answer', fault);
  } else if (isItem) {
    report('ques_type', draftMessages.nestedMaterial);
  } else {
    if (draft.ques_item.length === 0) report('ques_item', draftMessages.oneItem);
    draft.ques_item.forEach((item, index) => {
      checkInto(errors, `${prefix}ques_item.${index}.`, item, true);
    });
  }
}

function checkOptions(
  report: (field: string, message: string) => void,
  type: 1 | 2 | 3 | 4,
  options: readonly QuestionOption[],
): void {
  if (type === 2) {
    const fixed = judgementOptions(0);
    if (options.length !== 2 || options.some((option, index) => option.content.trim() !== fixed[index]?.content)) {
      report('ques_option', draftMessages.judgementOptions);
    }
  } else {
    if (options.length < optionCount.least || options.length > optionCount.most) {
      report('ques_option', draftMessages.optionCount);
    }
    options.forEach((option, index) => {
      if (isBlankHtml(option.content)) report(`ques_option.${index}.content`, optionContentMessage(index));
      const same = options.findIndex((other) => isSameOption(other, option));
      if (same >= 0 && same < index && !isBlankHtml(option.content)) {
        report(`ques_option.${index}.content`, sameOptionMessage(index, same));
      }
    });
  }
  const rightCount = options.filter((option) => option.is_right === 1).length;
  if (type === 3) {
    if (rightCount < 2) report('right_answer', draftMessages.twoRightAnswers);
  } else if (type === 4 ? rightCount < 1 : rightCount !== 1) {
    report('right_answer', draftMessages.oneRightAnswer);
  }
}

export const facilityValues = [1, 2, 3, 4, 5] as const;

export const errorTypes = [1, 2, 3, 4, 5, 6] as const;

export const errorTextLimit = 500;

export const questionMessages = {
  /** Refuses to collect anything but questions. */
  collectType: '只能收藏题目',
  mistakeType: '请选择纠错类型',
  mistake: '请输入纠错内容',
  mistakeLength: `纠错内容不能超过${errorTextLimit}个字`,
} as const;

/** Why nothing can be done: no question is chosen. */
export const noneChosenFault = (questions: number): string | undefined =>
  questions === 0 ? '请先选择题目' : undefined;

/** Why the public bank is not available: the school has switched it off. */
export const publicBankFault = (settings: { switch_question_module: boolean }): string | undefined =>
  settings.switch_question_module ? undefined : '公共题库未开放';

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
/** What becomes of a question that the bank has. */
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

// ---- choosing questions by a rule ----------------------------------------------------------------

export const ruleRowsLimit = 20;
/** Bounds of the number of questions of a row, and of the days of “not used within”. */
const ruleCountLimit = { min: 1, max: 100 } as const;
export const unusedDaysLimit = { min: 0, max: 365 } as const;
/** Maximum number of questions that one rule chooses. */
const ruleQuestionsLimit = 500;

export const composeMessages = {
  noRows: '请添加一行规则',
  tooManyRows: `规则最多${ruleRowsLimit}行`,
  count: `题数为${ruleCountLimit.min}到${ruleCountLimit.max}的整数`,
  range: '难度范围应从低到高',
  unusedDays: `天数为${unusedDaysLimit.min}到${unusedDaysLimit.max}的整数，0为不限`,
  noOther: '没有其他符合条件的题目',
  tooMany: `一次最多选择${ruleQuestionsLimit}道题目`,
} as const;

/** Parses a typed whole number; undefined if it is not one within the bounds. */
export function parseWithin(typed: string, { min, max }: { min: number; max: number }): number | undefined {
  const number = /^\d{1,6}$/.test(typed) ? Number(typed) : undefined;
  return number !== undefined && number >= min && number <= max ? number : undefined;
}

/** Why this number of rows is refused. */
export function ruleRowsFault(rows: number): string | undefined {
  if (rows === 0) return composeMessages.noRows;
  return rows > ruleRowsLimit ? composeMessages.tooManyRows : undefined;
}

interface RuleRow {
  count: string;
  from?: number | undefined;
  to?: number | undefined;
}

/** Returns the errors of a row by field. */
export function ruleRowFaults({ count, from, to }: RuleRow): FieldErrors {
  const errors: FieldErrors = {};
  if (parseWithin(count, ruleCountLimit) === undefined) errors.count = [composeMessages.count];
  if (from !== undefined && to !== undefined && from > to) errors.to = [composeMessages.range];
  return errors;
}

/** Message when the typed number of a question is not one of them. */
export const placeMessage = (questions: number): string => `题号为1到${questions}的整数`;

/** Why the rows are refused together: they choose too many questions. */
export const ruleTotalFault = (rows: readonly Pick<RuleRow, 'count'>[]): string | undefined =>
  rows.reduce((sum, { count }) => sum + Number(count), 0) > ruleQuestionsLimit ? composeMessages.tooMany : undefined;

export const missingImport = '导入预览已过期，请重新上传';
export const missingCollected = '收藏不存在';
/** Maximum bytes of a pasted paper. */
export const pasteBytes = 2 * 1024 * 1024;

/** Maximum bytes of an import file. */
export const importBytes = 50 * 1024 * 1024;

export const missingQuestion = '题目不存在';
export const missingBank = '题库不存在';

// ---- tags -----------------------------------------------------------------------------------------

/** Maximum characters of a tag, and maximum tags of a question. */
export const tagLimit = 20;
export const maxTags = 10;

/**
 * Splits typed tags at spaces, commas and `、`. Tags that differ only in case or width count once. An own tag never has
 * one of these separators, so that `joinTags` and this function are inverse.
 */
export function tagsIn(typed: string): string[] {
  const folded = new Set<string>();
  return typed.split(/[\s,，、;；]+/).filter((tag) => {
    const name = normalizeName(tag);
    if (name === '' || folded.has(name)) return false;
    folded.add(name);
    return true;
  });
}

export const joinTags = (tags: readonly string[]): string => tags.join('、');

export function tagsFault(tags: readonly string[]): string | undefined {
  const long = tags.find((tag) => [...tag].length > tagLimit);
  if (long) return `标签不能超过${tagLimit}个字：${long}`;
  return tags.length > maxTags ? `一道题最多${maxTags}个标签` : undefined;
}

export const taggingMessages = {
  nothing: '请填写要添加的标签，或勾选要移除的标签',
  tooMany: (questions: number): string => `${questions}道题目会超过${maxTags}个标签，请先移除一些`,
} as const;

// ---- merging --------------------------------------------------------------------------------------

export const missingMerge = '该合并记录不存在';

export const mergeMessages = {
  edited: '其中一道题目刚刚被修改，请核对后再合并',
  /** Names a question without text in the history. */
  noText: '（题干没有文字）',
} as const;

interface MergedQuestion {
  id: number;
  ques_type: QuestionType;
  is_public: 0 | 1;
}

/** Why `gone` cannot be merged into `kept`. `tags`: number of their different tags. */
export function mergeFault(kept: MergedQuestion, gone: MergedQuestion, tags: number): string | undefined {
  if (kept.id === gone.id) return '请选择两道不同的题目';
  if (kept.ques_type !== gone.ques_type) {
    return `${questionTypeNames[kept.ques_type]}和${questionTypeNames[gone.ques_type]}题型不同，不能合并`;
  }
  if (gone.is_public === 1 && kept.is_public === 0) return '公共题目不能并入未公开的题目，请保留公共题目';
  return tags > maxTags ? `合并后有${tags}个标签，最多${maxTags}个，请先移除一些` : undefined;
}

// ---- knowledge points -----------------------------------------------------------------------------

export const missingPoint = '该知识点不存在';

/** A tree with more points than this is only shown in part; `maxFoundPoints`: maximum matches by name. */
export const maxWholePoints = 300;
export const maxFoundPoints = 50;

/** Maximum characters of a knowledge point's name. */
export const pointNameLimit = 100;

/** Maximum lines added in one request, and maximum levels of the tree. */
export const pointLinesLimit = 1000;
export const pointLevelsLimit = 10;

export const pointMessages = {
  noName: '名称不能为空',
  nameLength: `名称不能超过${pointNameLimit}个字`,
  noSubject: '该科目不存在',
  noParent: '该上级知识点不存在',
  noLines: '请填写知识点，每行一个',
  tooManyLines: `一次最多添加${pointLinesLimit}个知识点`,
  /** Messages about a wrong line. */
  unaligned: '缩进与上面各行都对不齐',
  tooDeep: `知识点最多${pointLevelsLimit}级`,
  ownParent: '不能移到自己或自己的下级之下',
  sameParent: '已在该位置',
} as const;

/** Message when a sibling already has this name. */
export const pointNameTakenMessage = (name: string, parent: string): string =>
  parent === '' ? `最上级已有知识点“${name}”` : `“${parent}”之下已有知识点“${name}”`;

/** Why a point cannot be deleted. `uses`: what it still has, such as `3个下级、12道题目`. */
export const pointInUseFault = (uses: string): string | undefined =>
  uses === '' ? undefined : `该知识点还有${uses}，不能删除`;

export const pointMovedFault = (by: string, parent: string): string =>
  `${by}刚刚把该知识点移到了${parent === '' ? '最上级' : `“${parent}”之下`}，请确认后再移动`;

// ---- reported mistakes and the public bank ------------------------------------------------------------

export const missingErrorReport = '纠错不存在';

/** Decision about a reported mistake: 1 question corrected, 2 answered, 3 dismissed. */
export const errorReportOutcomes = [1, 2, 3] as const;
export type ErrorReportOutcome = (typeof errorReportOutcomes)[number];

export const errorReportOutcomeNames = { 1: '已更正', 2: '已回复', 3: '已驳回' } as const;

/** Maximum characters of the reply to a reported mistake. */
export const replyLimit = 500;

export const replyMessages = {
  outcome: '请选择回复或驳回',
  reply: '请输入回复内容',
  replyLength: `回复内容不能超过${replyLimit}个字`,
  gone: '题目已删除，不能更正，可以回复或驳回',
} as const;

/** Why a report cannot be decided. `decided`: who decided it and when, as text. */
export const errorReportFault = (report: {
  outcome: ErrorReportOutcome | null;
  decided: string;
}): string | undefined =>
  report.outcome === null ? undefined : `该纠错已由${report.decided}处理：${errorReportOutcomeNames[report.outcome]}`;

/** Says in which running homework and exams the question is. They keep their own version of it. */
export function correctedQuestionEffect(uses: { homework: number; students: number; exams: number }): string {
  const { homework, students, exams } = uses;
  const parts = [
    homework > 0 && `${homework}份未截止的作业（${students}名学员）`,
    exams > 0 && `${exams}场未结束的考试`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join('和')}用了这道题，保留原来的内容；以后布置的用更正后的题目` : '';
}

/** Maximum number of questions published, withdrawn or moved in one request. */
const questionsAtOnce = 200;

/** Separates the names in the path of a knowledge point. */
export const pointSeparator = ' / ';

interface TreePoint {
  id: number;
  name: string;
  children: readonly TreePoint[];
}

/** Returns the id and path of each knowledge point of a tree, parents first. */
export const pathsOfPoints = (points: readonly TreePoint[], above = ''): [id: number, path: string][] =>
  points.flatMap(({ id, name, children }) => {
    const path = above === '' ? name : `${above}${pointSeparator}${name}`;
    return [[id, path], ...pathsOfPoints(children, path)];
  });

export const missingNamedPoint = (name: string): string => `没有知识点“${name}”，请从列表中选择`;

export const ambiguousPoint = (name: string, paths: readonly string[]): string =>
  `有${paths.length}个知识点叫“${name}”，请写上级：${paths.slice(0, 3).join('、')}`;

export const sharingMessages = { choice: '请选择设为公共或撤回', point: '知识点不存在' } as const;

/** Why this number of chosen questions is refused: none, or too many. */
export function chosenCountFault(count: number): string | undefined {
  return noneChosenFault(count) ?? (count > questionsAtOnce ? `一次最多处理${questionsAtOnce}道题目` : undefined);
}

/** Why nothing is published or withdrawn: all chosen questions are so already. */
export const alreadySharedFault = (isPublic: 0 | 1, by: string): string =>
  `${by ? `${by}已将所选题目` : '所选题目已'}${isPublic === 1 ? '设为公共题目' : '撤回，不在公共题库中'}`;

/** Says how many users lose the questions from their collection when they are withdrawn. */
export const withdrawalEffect = (collections: number): string =>
  collections === 0 ? '' : `${collections}人次收藏了所选题目，撤回后不能再看到和使用`;
