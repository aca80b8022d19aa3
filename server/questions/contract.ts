/** Calls for users' own questions, for public questions and for knowledge points. */
import * as v from 'valibot';
import {
  FlagNumber,
  IdList,
  page,
  paging,
  SearchFlag,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchOneOf,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { errorTypes, facilityValues, questionTypes } from './rules.ts';

// Codes that the API and the question form both use.

const TypeCode = v.picklist(questionTypes);
const Facility = v.picklist(facilityValues);

// ---- lists -------------------------------------------------------------------------------------

/** Options of both question lists. `for_picker` has no effect; it is accepted for old clients. */
const listOptions = { with_preview: SearchFlag, for_picker: SearchFlag, ...paging() };

export const QuestionFilter = v.object({
  ques_stem: SearchText,
  ques_type: searchOneOf(questionTypes),
  facility_value: searchOneOf(facilityValues),
  /** Part of the name of a knowledge point; points below it are included. */
  point: SearchText,
  /** Tags as typed; a question must have all of them. */
  tag: SearchText,
  remark: SearchText,
  ...listOptions,
});
export type QuestionFilter = v.InferOutput<typeof QuestionFilter>;

/** A shortened question, shown beside a row. Safe HTML with formulas as MathML. */
export const QuestionPreview = v.object({
  ques_stem: v.string(),
  ques_option: v.array(v.object({ content: v.string(), is_right: v.picklist([1, 2]) })),
  right_answer: v.string(),
  /** Number of parts of a material question. */
  item_count: v.number(),
});
export type QuestionPreview = v.InferOutput<typeof QuestionPreview>;

const rowFields = {
  id: v.number(),
  ques_stem: v.string(),
  /** The stem as plain text on one line. */
  stem_text: v.string(),
  ques_type: TypeCode,
  facility_value: Facility,
  updated_at: Seconds,
  preview: v.optional(QuestionPreview),
};

/** A row of the user's own questions. */
export const QuestionRow = v.object({
  ...rowFields,
  remark: v.string(),
  point_name: v.string(),
  tags: v.array(v.string()),
});
export type QuestionRow = v.InferOutput<typeof QuestionRow>;

export const listQuestions = call({
  method: 'GET',
  path: 'ques/index',
  title: '我的题目',
  needs: 'dispatch',
  query: QuestionFilter,
  answer: page(QuestionRow),
});

/** `point_id`: a knowledge point; points below it are included. */
export const PublicFilter = v.object({
  ques_stem: SearchText,
  ques_type: searchOneOf(questionTypes),
  facility_value: searchOneOf(facilityValues),
  point_id: SearchId,
  ...listOptions,
});
export type PublicFilter = v.InferOutput<typeof PublicFilter>;

/** A row of the public bank. `collect_id`: id in the user's collection; null if it is not there. */
export const PublicRow = v.object({ ...rowFields, collect_id: v.nullable(v.number()), point_name: v.string() });
export type PublicRow = v.InferOutput<typeof PublicRow>;

export const listPublicQuestions = call({
  method: 'POST',
  path: 'ques/public',
  title: '公共题库',
  reads: true,
  needs: 'dispatch',
  body: PublicFilter,
  answer: page(PublicRow),
});

export interface KnowledgePoint {
  id: number;
  name: string;
  children: KnowledgePoint[];
}
export const KnowledgePointTree: v.GenericSchema<KnowledgePoint> = v.object({
  id: v.number(),
  name: v.string(),
  children: v.array(v.lazy(() => KnowledgePointTree)),
});

export const knowledgeTree = call({
  method: 'GET',
  path: 'ques/point',
  title: '知识点',
  needs: 'dispatch',
  answer: v.array(KnowledgePointTree),
});

/** Which part of a large tree a picker needs: around `point_id`, and points whose name matches `point_name`. */
export const PointSearch = v.object({ point_id: SearchId, point_name: SearchText });
export type PointSearch = v.InferOutput<typeof PointSearch>;

/** A knowledge point in a partly returned tree. `more`: number of children that are left out. */
export interface PartialPoint {
  id: number;
  name: string;
  children: PartialPoint[];
  more?: number | undefined;
}
const PartOfTree: v.GenericSchema<PartialPoint> = v.object({
  id: v.number(),
  name: v.string(),
  children: v.array(v.lazy(() => PartOfTree)),
  more: v.optional(v.number()),
});

/**
 * `is_part` 1: the tree is large and only a part of it is returned: top points, points around the chosen one, and
 * matches by name.
 */
export const PickablePoints = v.object({ points: v.array(PartOfTree), is_part: v.picklist([0, 1]) });
export type PickablePoints = v.InferOutput<typeof PickablePoints>;

export const pickablePoints = call({
  method: 'GET',
  path: 'ques/point/pick',
  title: '可选的知识点',
  needs: 'dispatch',
  query: PointSearch,
  answer: PickablePoints,
});

// ---- one question ------------------------------------------------------------------------------

const Option = v.object({ id: v.number(), content: v.string(), is_right: v.picklist([1, 2]) });

/** Texts of a question as displayed: HTML with formulas as MathML, and the answer in letters or words. */
export const Display = v.object({
  ques_stem: v.string(),
  ques_option: v.array(TypedText),
  right_answer: v.string(),
  ques_analysis: v.string(),
});

const contentFields = {
  id: v.number(),
  ques_type: TypeCode,
  ques_stem: v.string(),
  ques_option: v.array(Option),
  right_answer: v.string(),
  /** 1: upper and lower case count as equal in answers to blanks. */
  ignore_case: FlagNumber,
  ques_analysis: v.string(),
  facility_value: Facility,
  remark: v.string(),
  display: Display,
};
export const QuestionItem = v.object(contentFields);
export type QuestionItem = v.InferOutput<typeof QuestionItem>;

/** `remark`, `tags`: the owner's private notes; empty for other users. */
export const QuestionDetail = v.object({
  ...contentFields,
  stem_text: v.string(),
  updated_at: Seconds,
  is_owner: FlagNumber,
  is_public: FlagNumber,
  collect_id: v.nullable(v.number()),
  point_id: v.nullable(v.number()),
  point_name: v.string(),
  /** Names from the top of the tree down, such as `函数 / 单调性`; '' without a point, or if somebody else owns the question. */
  point_path: v.string(),
  tags: v.array(v.string()),
  ques_item: v.array(QuestionItem),
});
export type QuestionDetail = v.InferOutput<typeof QuestionDetail>;

/** Returns the user's own questions in the order of the ids. 404: one belongs to somebody else. */
export const showQuestions = call({
  method: 'GET',
  path: 'ques/show/:ids',
  title: '题目详情',
  needs: 'dispatch',
  params: { ids: IdList },
  answer: v.array(QuestionDetail),
});

/** Returns questions that are public or the user's own. */
export const showPublicQuestions = call({
  method: 'GET',
  path: 'ques/public/detail/:ids',
  title: '公共题目详情',
  needs: 'dispatch',
  params: { ids: IdList },
  answer: v.array(QuestionDetail),
});

// ---- writing -----------------------------------------------------------------------------------

/** The content of a question as its form takes it; type and difficulty are 0 while none is known. */
export const DraftFields = {
  ques_type: v.number(),
  ques_stem: v.string(),
  ques_option: v.array(Option),
  right_answer: v.string(),
  ignore_case: FlagNumber,
  ques_analysis: v.string(),
  facility_value: v.number(),
  remark: v.string(),
};

/** Accepts a list, or a list as JSON text. Anything else becomes an empty list, which the rules then refuse. */
const listOrText = <const S extends v.GenericSchema<unknown, unknown>>(row: S) =>
  v.fallback(
    v.pipe(
      v.unknown(),
      v.transform((sent) => {
        if (typeof sent !== 'string') return sent ?? [];
        try {
          return sent.trim() === '' ? [] : (JSON.parse(sent) as unknown);
        } catch {
          return undefined;
        }
      }),
      v.array(row),
    ),
    [],
  );

/** Parses a code. A missing or invalid one becomes 0, which the rules then refuse. */
const Code = v.fallback(
  v.pipe(v.union([v.number(), v.pipe(v.string(), v.trim(), v.regex(/^\d{1,2}$/), v.transform(Number))]), v.integer()),
  0,
);

const writtenFields = {
  ques_type: Code,
  ques_stem: TypedText,
  ques_analysis: TypedText,
  facility_value: Code,
  remark: TypedText,
  ques_option: listOrText(v.object({ id: Code, content: TypedText, is_right: Code })),
  right_answer: TypedText,
  /** 1: upper and lower case count as equal in answers to blanks. 0 by default. */
  ignore_case: v.pipe(
    Code,
    v.transform((sent): 0 | 1 => (sent === 1 ? 1 : 0)),
  ),
};
export const WrittenQuestion = v.object({
  ...writtenFields,
  ques_item: listOrText(v.object(writtenFields)),
});
export type WrittenQuestion = v.InferOutput<typeof WrittenQuestion>;

/** `tags`: separated by spaces, commas or `、`. Without them an edited question keeps its own. */
export const TaggedQuestion = v.object({ ...WrittenQuestion.entries, tags: v.optional(TypedText) });
export type TaggedQuestion = v.InferOutput<typeof TaggedQuestion>;

/** `point`: name or path of the knowledge point; '' for none. Without it an edited question keeps its own. */
export const BankQuestionBody = v.object({ ...TaggedQuestion.entries, point: v.optional(TypedText) });
export type BankQuestionBody = v.InferOutput<typeof BankQuestionBody>;

export const addQuestion = call({
  method: 'POST',
  path: 'ques/add',
  title: '添加题目',
  needs: 'dispatch',
  body: BankQuestionBody,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const updateQuestion = call({
  method: 'PUT',
  path: 'ques/update/:id',
  title: '编辑题目',
  needs: 'dispatch',
  body: BankQuestionBody,
  answer: v.null(),
  message: '编辑成功',
});

const OwnTag = v.object({ name: v.string(), questions: v.number() });

/** Lists the tags of the user's own questions, the most used first, at most 500. */
export const listTags = call({
  method: 'GET',
  path: 'ques/tags',
  title: '我的题目的标签',
  needs: 'dispatch',
  answer: v.array(OwnTag),
});

/** Adds tags to all of the questions, or removes them, or refuses. `add`, `remove`: as `tags` of a question. */
export const tagQuestions = call({
  method: 'POST',
  path: 'ques/tags',
  title: '设置题目的标签',
  needs: 'dispatch',
  body: v.object({ ids: SearchIds, add: TypedText, remove: TypedText }),
  answer: v.object({ count: v.number() }),
  message: '保存成功',
});

/** Deletes all of the questions or none. */
export const deleteQuestions = call({
  method: 'DELETE',
  path: 'ques/del/:ids?',
  title: '删除题目',
  needs: 'dispatch',
  params: { ids: IdList },
  answer: v.null(),
  message: '删除成功',
});

export const ShownTexts = v.object({ texts: v.fallback(v.pipe(v.array(TypedText), v.maxLength(500)), []) });

/** Renders texts for the question form while the user writes: sanitized, with formulas as MathML. */
export const displayTexts = call({
  method: 'POST',
  path: 'ques/display',
  title: '预览题目内容',
  reads: true,
  needs: 'dispatch',
  body: ShownTexts,
  answer: v.array(v.string()),
});

export const correctQuestion = call({
  method: 'POST',
  path: '/api/app/myExam/correction',
  title: '题目纠错',
  body: v.object({ ques_id: SearchId, type: searchOneOf(errorTypes), error_msg: TypedText }),
  answer: v.null(),
  message: '提交成功',
});

/** Code that says that a question, not something else, is collected. */
const collectedType = 3 as const;

export const collectQuestion = call({
  method: 'POST',
  path: '/api/app/collect',
  title: '收藏题目',
  body: v.object({ ques_id: SearchId, type: searchOneOf([collectedType]) }),
  answer: v.object({ collect_id: v.number() }),
  message: '收藏成功',
});

export const cancelCollect = call({
  method: 'PUT',
  path: '/api/app/collect/cancel/:collectId/3',
  title: '取消收藏题目',
  answer: v.null(),
  message: '取消收藏成功',
});

// ---- import -------------------------------------------------------
