/** Calls that find equal and nearly equal questions of the user's own bank, and merge them. */
import * as v from 'valibot';
import {
  Id,
  page,
  paging,
  SearchId,
  Seconds,
  searchOneOf,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { QuestionDetail } from './contract.ts';
import { questionTypes } from './rules.ts';

/** `match`: equal or only nearly equal questions. `marked` 1: pairs that were marked as different. */
export const SimilarFilter = v.object({
  ques_type: searchOneOf(questionTypes),
  match: searchWord(['equal', 'near']),
  marked: searchOneOf([1]),
  ...paging(10),
});
export type SimilarFilter = v.InferOutput<typeof SimilarFilter>;

/** `uses`: published homework and exams with a copy of the question, or of one that was merged into it. */
export const ComparedQuestion = v.object({ ...QuestionDetail.entries, uses: v.number() });
export type ComparedQuestion = v.InferOutput<typeof ComparedQuestion>;

/**
 * `id`: ids of both questions, the lower one first. `percent`: share of text that both have; 100 for equal questions.
 * `group`: number of similar questions that the pair belongs to.
 */
export const SimilarPair = v.object({
  id: v.string(),
  one: ComparedQuestion,
  other: ComparedQuestion,
  percent: v.number(),
  group: v.number(),
});
export type SimilarPair = v.InferOutput<typeof SimilarPair>;

/** `left_out`: number of questions that are not compared, because the bank is too large; these were edited long ago. */
export const SimilarPage = v.object({ ...page(SimilarPair).entries, left_out: v.number() });
export type SimilarPage = v.InferOutput<typeof SimilarPage>;

/** Lists pairs of similar questions: groups with the most similar ones first. */
export const listSimilarQuestions = call({
  method: 'GET',
  path: 'ques/similar',
  title: '相同和相近的题目',
  needs: 'dispatch',
  query: SimilarFilter,
  answer: SimilarPage,
});

/** Marks two questions as different, so that they are not listed again. */
export const markDifferent = call({
  method: 'POST',
  path: 'ques/different',
  title: '标记为不是重复',
  needs: 'dispatch',
  body: v.object({ one: SearchId, other: SearchId }),
  answer: v.null(),
  message: '已标记为不是重复',
});

export const unmarkDifferent = call({
  method: 'DELETE',
  path: 'ques/different/:one/:other',
  title: '取消不是重复的标记',
  needs: 'dispatch',
  params: { one: Id, other: Id },
  answer: v.null(),
  message: '已取消标记',
});

const merging = { path: 'ques/merge/:kept/:gone', needs: 'dispatch', params: { kept: Id, gone: Id } } as const;

/** Preview of a merge. `tags`, `point_path`: tags and knowledge point of `kept` after the merge. `fault`: why the merge is refused, or ''. */
export const planMerge = call({
  ...merging,
  method: 'GET',
  title: '合并两道题目的结果',
  answer: v.object({
    kept: ComparedQuestion,
    gone: ComparedQuestion,
    tags: v.array(v.string()),
    point_path: v.string(),
    fault: v.string(),
    seen: v.string(),
  }),
});

/**
 * Merges `gone` into `kept`, which keeps its text and gets tags, knowledge point, uses and history. 409: the types
 * differ, a public question would go, or one was edited since `seen`.
 */
export const mergeQuestions = call({
  ...merging,
  method: 'POST',
  title: '合并题目',
  body: v.object({ seen: TypedText }),
  answer: v.null(),
  message: '合并成功',
});

/**
 * A question that was merged into the question of the call, or into one merged into it. `question_id`: its id.
 * `can_undo` 1: merged into the question of the call itself.
 */
const Merge = v.object({
  id: v.number(),
  question_id: v.number(),
  stem_text: v.string(),
  merged_at: Seconds,
  can_undo: v.picklist([0, 1]),
});
export type Merge = v.InferOutput<typeof Merge>;

export const listMerges = call({
  method: 'GET',
  path: 'ques/merges/:id',
  title: '并入的题目',
  needs: 'dispatch',
  answer: v.array(Merge),
});

/** Restores the question that is gone, and takes back what the merge changed, unless it was changed again. */
export const undoMerge = call({
  method: 'POST',
  path: 'ques/merges/:id/undo',
  title: '撤销合并',
  needs: 'dispatch',
  answer: v.null(),
  message: '已撤销合并',
});
