/**
 * Rules of the question form. The banks, the import and publishing use them too, and the form also runs them in the
 * browser.
 */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
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

export const missingQuestion = '题目不存在';

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
