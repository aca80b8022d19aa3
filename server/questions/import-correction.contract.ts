/** Calls that correct the questions of an import in its preview. */
import * as v from 'valibot';
import { maxCount, SearchFlag, SearchId, searchOneOf, TypedText, WholeNumber } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { BankQuestionBody, DraftFields } from './contract.ts';
import { ImportId } from './import.contract.ts';
import { arrangements } from './import.rules.ts';
import { questionTypes } from './rules.ts';

const ofImport = { params: { importId: ImportId }, message: '已保存' } as const;
const Corrected = v.object({ row: v.number(), version: v.number() });
const Version = v.fallback(v.pipe(WholeNumber, v.minValue(1), v.maxValue(maxCount)), 0);
const Given = v.optional(TypedText);

/** The question as its form takes it. `version`: sent back with the form. */
const WholeRow = v.object({
  version: v.number(),
  question: v.object({
    ...DraftFields,
    point: v.optional(v.string()),
    tags: v.optional(v.string()),
    ques_item: v.array(v.object(DraftFields)),
  }),
});

export const wholeRow = { ...ofImport, method: 'GET', title: '待导入的题目', answer: WholeRow } as const;

/** Body of a correction. Fields that are left out stay as they are. */
const RowCorrection = v.object({
  version: Version,
  ques_type: Given,
  /** Letters of options, 对 or 错, blanks separated by ；, or the text of a short answer. */
  answer: Given,
  /** '' takes the score away. */
  score: Given,
  facility_value: Given,
  /** Name or path of a knowledge point; '' takes it away. */
  point: Given,
  /** Texts of the options, one on each line. */
  options: Given,
  /** Answers and scores of the parts of a material question. */
  part_answers: v.optional(v.array(TypedText)),
  part_scores: v.optional(v.array(TypedText)),
});

export type RowCorrection = v.InferOutput<typeof RowCorrection>;

/** Corrects fields of a question. 409: it was corrected in another window; `data` is the question that stands. */
export const rowCorrection = {
  ...ofImport,
  method: 'POST',
  title: '改正待导入的题目',
  body: RowCorrection,
  answer: Corrected,
} as const;

/** Replaces the whole question. 422: a rule is broken. */
export const rowReplacement = {
  ...ofImport,
  method: 'PUT',
  title: '编辑待导入的题目',
  body: v.object({ ...BankQuestionBody.entries, version: Version }),
  answer: Corrected,
} as const;

/**
 * `join`: with the question before. `split`: before `line`. `material`: the next `count` questions become its parts.
 * `part`: becomes a part of the material before. `dissolve`: makes questions of a material. `leave-out`, `take-back`.
 * `confirm`: the doubts were checked. `restore`: as the file was read. `take`, `skip`, `replace`: for a question that
 * the bank has.
 */
export const rowArrangement = {
  ...ofImport,
  method: 'POST',
  title: '整理待导入的题目',
  body: v.object({
    version: Version,
    act: v.fallback(v.picklist(arrangements), 'confirm'),
    line: SearchId,
    count: SearchId,
  }),
  answer: Corrected,
} as const;

/** `section`: of these questions alone; all if undefined. `of_type`: of this type alone. `empty_answer` for short answers. */
const BulkCorrection = v.object({
  section: v.optional(TypedText),
  of_type: searchOneOf(questionTypes),
  ques_type: Given,
  facility_value: Given,
  score: Given,
  /** Name or path of a knowledge point; '' changes none. */
  point: Given,
  empty_answer: SearchFlag,
});

export type BulkCorrection = v.InferOutput<typeof BulkCorrection>;

/** Corrects a field of many questions. `count`: how many changed. */
export const bulkCorrection = {
  ...ofImport,
  method: 'POST',
  title: '批量改正待导入的题目',
  body: BulkCorrection,
  answer: v.object({ count: v.number() }),
} as const;

/** Makes the last correction for the other questions of its section. 409: it is not the last one any more. */
export const offeredCorrection = {
  ...ofImport,
  method: 'POST',
  title: '本大题都这样改正',
  body: v.object({ number: Version }),
  answer: v.object({ count: v.number() }),
} as const;

/** Takes back the last correction. 409: it is not the last one any more. */
export const correctionUndo = {
  ...ofImport,
  method: 'POST',
  title: '撤销上一次改正',
  body: v.object({ number: Version }),
  answer: v.null(),
  message: '已撤销',
} as const;

const place = 'ques/importing/:importId';
const needs = 'dispatch';

export const showImportRow = call({ ...wholeRow, path: `${place}/rows/:row`, needs });
export const correctImportRow = call({ ...rowCorrection, path: `${place}/rows/:row`, needs });
export const replaceImportRow = call({ ...rowReplacement, path: `${place}/rows/:row`, needs });
export const arrangeImportRow = call({ ...rowArrangement, path: `${place}/rows/:row/arrange`, needs });
export const correctImport = call({ ...bulkCorrection, path: `${place}/all`, needs });
export const repeatImportCorrection = call({ ...offeredCorrection, path: `${place}/repeat`, needs });
export const undoImportCorrection = call({ ...correctionUndo, path: `${place}/undo`, needs });
