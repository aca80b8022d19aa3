/** Administrators' calls for composing a paper: its sections, and its questions from banks, from files and by hand. */
import * as v from 'valibot';
import {
  FlagNumber,
  IdAndName,
  OneLine,
  page,
  paging,
  SearchId,
  SearchIds,
  SearchText,
  searchOneOf,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { ChosenByRule, RuleRow, ruleFields } from '#server/questions/compose.contract.ts';
import { PickablePoints, PointSearch, QuestionPreview, WrittenQuestion } from '#server/questions/contract.ts';
import {
  columnsChoice,
  columnsReading,
  ImportFilter,
  ImportFormat,
  ImportId,
  ImportState,
  importFiles,
  pastedPaper,
  unfinishedImports,
} from '#server/questions/import.contract.ts';
import {
  bulkCorrection,
  correctionUndo,
  offeredCorrection,
  rowArrangement,
  rowCorrection,
  rowReplacement,
  wholeRow,
} from '#server/questions/import-correction.contract.ts';
import { facilityValues, questionTypes } from '#server/questions/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { TypedNumber } from './admin.contract.ts';
import { composingMessages, examBanks, sectionIntroduceLimit, sectionNameLimit } from './rules.ts';

const needs = 'exams';

// ---- sections ------------------------------------------------------------------------------------

export const NewExamSection = v.object({ name: TypedText, introduce: TypedText });
export type NewExamSection = v.InferOutput<typeof NewExamSection>;

/**
 * `seen`: the exam's `paper_seen` when the form was opened. If the paper changed since, for instance in another window,
 * the answer is 409.
 */
export const EditedExamSection = v.object({ ...NewExamSection.entries, seen: TypedText });
export type EditedExamSection = v.InferOutput<typeof EditedExamSection>;

export const CompleteSection = v.object({
  name: v.pipe(
    OneLine,
    v.nonEmpty(composingMessages.sectionName),
    v.check((name) => lengthOf(name) <= sectionNameLimit, composingMessages.sectionNameLength),
  ),
  introduce: v.pipe(
    v.string(),
    v.trim(),
    v.check((text) => lengthOf(text) <= sectionIntroduceLimit, composingMessages.sectionIntroduceLength),
  ),
});

/** Adds a section at the end of the paper. */
export const addSection = adminCall({
  method: 'POST',
  path: 'exams/:id/sections',
  title: '添加试卷的部分',
  needs,
  body: NewExamSection,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

const inSection = { path: 'exams/:id/sections/:sectionId', needs } as const;

export const editSection = adminCall({
  ...inSection,
  method: 'PUT',
  title: '修改试卷的部分',
  body: EditedExamSection,
  answer: v.null(),
  message: '保存成功',
});

/** Deletes a section with its questions. `acknowledged`: the number of questions, such as `5道题`, if there are any. */
export const removeSection = adminCall({
  ...inSection,
  method: 'DELETE',
  title: '删除试卷的部分',
  query: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '删除成功',
});

const Move = v.object({ to: v.fallback(v.picklist(['up', 'down']), 'down') });
export type Direction = v.InferOutput<typeof Move>['to'];

export const moveSection = adminCall({
  method: 'POST',
  path: 'exams/:id/sections/:sectionId/move',
  title: '移动试卷的部分',
  needs,
  body: Move,
  answer: v.null(),
});

/** Sets the same score for every question of a section. In a material question each part gets it. */
export const scoreSection = adminCall({
  method: 'POST',
  path: 'exams/:id/sections/:sectionId/score',
  title: '设置部分内每题的分值',
  needs,
  body: v.object({ score: TypedNumber }),
  answer: v.null(),
  message: '保存成功',
});

// ---- questions -----------------------------------------------------------------------------------

/**
 * Sets the scores of questions and parts, all or none. Errors are at `score-<id>`. `seen`: the exam's `paper_seen` when
 * the form was opened. 409: a score has changed since.
 */
export const scoreExam = adminCall({
  method: 'PUT',
  path: 'exams/:id/scores',
  title: '设置题目的分值',
  needs,
  body: v.object({
    scores: v.fallback(v.array(v.object({ id: v.number(), score: TypedNumber })), []),
    seen: TypedText,
  }),
  answer: v.null(),
  message: '保存成功',
});

const Added = v.object({ ids: v.array(v.number()) });

/**
 * Adds bank questions at the end of a section in the given order. Without a score in `scores`, a question gets the score
 * of the section's last question of the same type. Every part of a material question gets the score.
 */
export const addBankQuestions = adminCall({
  method: 'POST',
  path: 'exams/:id/questions',
  title: '从题库选题',
  needs,
  body: v.object({
    section_id: SearchId,
    ids: SearchIds,
    scores: v.fallback(v.optional(v.array(v.object({ id: v.number(), score: TypedNumber })), []), []),
  }),
  answer: Added,
  message: '添加成功',
});

export const addWrittenQuestion = adminCall({
  method: 'POST',
  path: 'exams/:id/written',
  title: '手工添加题目',
  needs,
  body: v.object({ ...WrittenQuestion.entries, section_id: SearchId }),
  answer: Added,
  message: '添加成功',
});

const ofQuestion = { path: 'exams/:id/questions/:questionId', needs } as const;

const draftFields = {
  ques_type: v.picklist(questionTypes),
  ques_stem: v.string(),
  ques_option: v.array(v.object({ id: v.number(), content: v.string(), is_right: v.picklist([1, 2]) })),
  right_answer: v.string(),
  ignore_case: FlagNumber,
  ques_analysis: v.string(),
  facility_value: v.picklist(facilityValues),
  remark: v.string(),
};

/** Returns a question of the paper for its form, which sends `seen` back. */
export const showExamQuestion = adminCall({
  ...ofQuestion,
  method: 'GET',
  title: '试卷的题目',
  answer: v.object({ ...draftFields, ques_item: v.array(v.object(draftFields)), seen: v.string() }),
});

/**
 * Edits the question on the paper, not in the bank. The first part of a material question keeps its score, and so on.
 */
export const editExamQuestion = adminCall({
  ...ofQuestion,
  method: 'PUT',
  title: '修改试卷的题目',
  body: v.object({ ...WrittenQuestion.entries, seen: TypedText }),
  answer: v.null(),
  message: '编辑成功',
});

export const removeExamQuestion = adminCall({
  ...ofQuestion,
  method: 'DELETE',
  title: '从试卷移除题目',
  answer: v.null(),
  message: '移除成功',
});

/**
 * Moves a question by one place; a question at the end of its section moves into the next one. `place`: its new number on
 * the paper instead, in the section of the question that has the number now.
 */
export const moveExamQuestion = adminCall({
  method: 'POST',
  path: 'exams/:id/questions/:questionId/move',
  title: '移动试卷的题目',
  needs,
  body: v.object({ ...Move.entries, place: v.optional(TypedNumber) }),
  answer: v.null(),
});

/**
 * Exchanges a question for one of a bank with the same type and knowledge point, of the same difficulty or the next. It
 * keeps place and score. A question that it was exchanged for earlier does not come again.
 */
export const exchangeExamQuestion = adminCall({
  method: 'POST',
  path: 'exams/:id/questions/:questionId/exchange',
  title: '换一道题',
  needs,
  answer: v.null(),
  message: '已换一道',
});

/** Puts back the question as it was before it was last exchanged. */
export const undoExamExchange = adminCall({
  method: 'POST',
  path: 'exams/:id/questions/:questionId/exchange/undo',
  title: '撤销换题',
  needs,
  answer: v.null(),
  message: '已撤销换题',
});

// ---- the banks -----------------------------------------------------------------------------------

/** `owner_id`: whose questions the bank `colleague` shows. */
export const ExamBankFilter = v.object({
  bank: searchWord(examBanks),
  owner_id: SearchId,
  ques_stem: SearchText,
  ques_type: searchOneOf(questionTypes),
  facility_value: searchOneOf(facilityValues),
  point_id: SearchId,
  ...paging(10),
});
export type ExamBankFilter = v.InferOutput<typeof ExamBankFilter>;

/** `note`: knowledge point of a public question. */
export const ExamBankRow = v.object({
  id: v.number(),
  stem_text: v.string(),
  ques_type: v.picklist(questionTypes),
  facility_value: v.picklist(facilityValues),
  preview: v.optional(QuestionPreview),
  note: v.string(),
});
export type ExamBankRow = v.InferOutput<typeof ExamBankRow>;

export const listExamBank = adminCall({
  method: 'GET',
  path: 'exams/bank',
  title: '可选的题目',
  needs,
  query: ExamBankFilter,
  answer: page(ExamBankRow),
});

/** Choices for the bank filter. `colleagues`: staff of the administrator's schools who have questions. */
export const examBankChoices = adminCall({
  method: 'GET',
  path: 'exams/bank/choices',
  title: '可选的题库',
  needs,
  query: PointSearch,
  answer: v.object({
    offers_public: v.boolean(),
    colleagues: v.array(IdAndName),
    ...PickablePoints.entries,
  }),
});

/**
 * Chooses questions by a rule, and none that the paper has. `owner_id`: colleague whose bank the row names instead of the
 * own one.
 */
export const composeExam = adminCall({
  method: 'POST',
  path: 'exams/:id/compose',
  title: '按规则选题',
  reads: true,
  needs,
  body: v.object({
    rows: v.fallback(v.array(v.object({ ...RuleRow.entries, owner_id: SearchId })), []),
    ...ruleFields,
  }),
  answer: ChosenByRule,
});

// ---- a file --------------------------------------------------------------------------------------

export const examImportTemplate = adminCall({
  method: 'GET',
  path: 'exams/template/:format',
  title: '导入模板',
  needs,
  params: { format: ImportFormat },
  file: true,
  answer: v.null(),
});

export const startExamImport = adminCall({
  method: 'POST',
  path: 'exams/importing',
  title: '上传待导入的文件',
  needs,
  upload: importFiles,
  answer: v.object({ import_id: v.string() }),
  message: '上传成功',
});

export const startPastedExamImport = adminCall({ ...pastedPaper, path: 'exams/importing/text', needs });
export const listExamImports = adminCall({ ...unfinishedImports, path: 'exams/importing', needs });

const ofImport = { path: 'exams/importing/:importId', needs, params: { importId: ImportId } } as const;

export const showExamImport = adminCall({
  ...ofImport,
  method: 'GET',
  title: '导入预览',
  query: ImportFilter,
  answer: ImportState,
});

export const dropExamImport = adminCall({ ...ofImport, method: 'DELETE', title: '放弃导入', answer: v.null() });

const importPath = 'exams/importing/:importId';
export const showExamImportRow = adminCall({ ...wholeRow, path: `${importPath}/rows/:row`, needs });
export const correctExamImportRow = adminCall({ ...rowCorrection, path: `${importPath}/rows/:row`, needs });
export const replaceExamImportRow = adminCall({ ...rowReplacement, path: `${importPath}/rows/:row`, needs });
export const arrangeExamImportRow = adminCall({ ...rowArrangement, path: `${importPath}/rows/:row/arrange`, needs });
export const correctExamImport = adminCall({ ...bulkCorrection, path: `${importPath}/all`, needs });
export const repeatExamImportCorrection = adminCall({ ...offeredCorrection, path: `${importPath}/repeat`, needs });
export const showExamImportColumns = adminCall({ ...columnsReading, path: `${importPath}/columns`, needs });
export const chooseExamImportColumns = adminCall({ ...columnsChoice, path: `${importPath}/columns`, needs });
export const undoExamImportCorrection = adminCall({ ...correctionUndo, path: `${importPath}/undo`, needs });

/** Adds questions of a file to a section: `all` of them, or only the `good` ones. They are not added to a bank. */
export const commitExamImport = adminCall({
  method: 'POST',
  path: 'exams/:id/importing/:importId',
  title: '导入试卷的题目',
  needs,
  params: { importId: ImportId },
  body: v.object({ section_id: SearchId, scope: v.fallback(v.picklist(['all', 'good']), 'all') }),
  answer: Added,
  message: '导入成功',
});
