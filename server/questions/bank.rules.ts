/** Messages about the public bank and collected questions. */
import { noneChosenFault } from './rules.ts';

/** Why the public bank is not available: the school has switched it off. */
export const publicBankFault = (settings: { switch_question_module: boolean }): string | undefined =>
  settings.switch_question_module ? undefined : '公共题库未开放';

export const missingFavourite = '收藏不存在';

export const missingBank = '题库不存在';

/** Maximum number of questions published, withdrawn or moved in one request. */
const questionsAtOnce = 200;

export const sharingMessages = { choice: '请选择设为公共或撤回', point: '知识点不存在' } as const;

/** Why this number of chosen questions is refused: none, or too many. */
export function chosenCountFault(count: number): string | undefined {
  return noneChosenFault(count) ?? (count > questionsAtOnce ? `一次最多处理${questionsAtOnce}道题目` : undefined);
}

/** Why nothing is published or withdrawn: all chosen questions are so already. */
export const alreadySharedMessage = (isPublic: 0 | 1, by: string): string =>
  `${by ? `${by}已将所选题目` : '所选题目已'}${isPublic === 1 ? '设为公共题目' : '撤回，不在公共题库中'}`;

/** Says how many users lose the questions from their collection when they are withdrawn. */
export const withdrawalEffect = (collections: number): string =>
  collections === 0 ? '' : `${collections}人次收藏了所选题目，撤回后不能再看到和使用`;
