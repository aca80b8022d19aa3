/** Finds the type of a question in brackets beside its number or behind its stem: 【单选题】, （多选）, [判断题]. */
import { kindIn, type SectionKind } from './question-kinds.ts';

export interface TypeTag {
  kind: SectionKind;
  score: number | undefined;
  /** Offset behind the tag. */
  to: number;
}

/** Types that stand behind a stem: …的有（　　）（多选）. */
const shortNames = '单选题?|单项选择题?|多选题?|多项选择题?|双选题?|不定项选择题?|不定项题?|判断题?';

/** Further types that stand beside a number. */
const longNames =
  '是非题|填空题?|简答题?|问答题?|论述题?|计算题?|解答题?|案例分析题?|名词解释|选择题|主观题|材料(?:分析|解析)?题|阅读(?:理解)?题|案例题|分析题|综合题';

/** `，20分`, `共5分` */
const points = '[,，、;；]?\\s*(?:共|本题)?\\s*(\\d+(?:\\.\\d+)?)\\s*分';

/** 【单选题】, (单选题, 20.0分) */
const bracketed = new RegExp(
  `^[\\s\\u3000]*[【[（(［〔]\\s*(${shortNames}|${longNames})\\s*(?:${points})?\\s*[】\\])）］〕]\\s*[:：]?[\\s\\u3000]*`,
);

/** 多选题：下列… */
const spelled =
  /^[\s\u3000]*(单选题|单项选择题|多选题|多项选择题|判断题|填空题|简答题|问答题|不定项选择题)[\s\u3000]*[:：][\s\u3000]*(?=\S)/;

/** …的有（　　）（多选）, …是？ [单选题] * */
const trailing = new RegExp(`[（(【[]\\s*(${shortNames})\\s*[)）】\\]][\\s\\u3000。.*]*$`);

export function tagAt(text: string, at: number): TypeTag | undefined {
  const match = bracketed.exec(text.slice(at)) ?? spelled.exec(text.slice(at));
  const kind = match?.[1] && kindIn(match[1]);
  if (!match || !kind) return undefined;
  return { kind, score: match[2] ? Number(match[2]) : undefined, to: at + match[0].length };
}

/** Finds a tag at the end of a stem; `from`: its offset. */
export function tagBehind(text: string): { kind: SectionKind; from: number } | undefined {
  const match = trailing.exec(text);
  const kind = match?.[1] && kindIn(match[1]);
  return match && kind ? { kind, from: match.index } : undefined;
}
