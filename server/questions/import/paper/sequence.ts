/**
 * Chooses which numbered lines begin questions. Lists inside stems and answers are numbered too, so the chain of numbers
 * with the least cost wins: breaks in the sequence cost, evidence of a question pays.
 */
import { isTable } from '../rich-line.ts';
import type { Fact } from './facts.ts';
import { type NumberStyle, numberAt } from './numbers.ts';
import type { SectionKind } from './question-kinds.ts';

/** A line that begins a question. */
export interface Start {
  at: number;
  value: number;
  /** Why the number does not follow the one before. */
  breaks: 'restart' | 'gap' | 'repeat' | undefined;
}

interface Candidate {
  at: number;
  value: number;
  cost: number;
}

/** Maximum number of candidate lines between two consecutive questions. */
const reach = 60;
/** Lines after a number that are searched for options and answers. */
const sight = 60;

const instructionWords =
  /答题卡|答题纸|考生|准考证|考试结束|试卷|试题卷|密封线|草稿纸|监考|2B铅笔|作答前|答卷前|本卷|考试时间/;

const askingWords =
  /[？?]|（[\s\u3000]*）|\([\s\u3000]*\)|_{2,}|＿{2,}|^(?:简述|论述|试述|试论|试分析|试比较|试说明|说明|计算|求|证明|分析|为什么|如何|怎样|什么|哪|解释|写出|翻译|列举|谈谈|阐述|比较|指出|判断|设计|画出|解方程|化简|已知|若|设|如图|下列|以下|关于|根据|按照|结合|联系|概括|归纳|简要|简答|请你|请根据|请结合|请写|请用|请简|名词解释)/;

/**
 * Returns the lines that begin questions numbered in `style`. `sections[i]` is the number of the section of line i,
 * `kinds[i]` what its heading announces.
 */
export function chooseStarts(
  facts: readonly Fact[],
  style: NumberStyle,
  sections: readonly number[],
  kinds: readonly (SectionKind | undefined)[],
): { starts: Start[]; cost: number } {
  const candidates = candidatesOf(facts, style, sections, kinds);
  const best: { cost: number; from: number }[] = [];
  let older = { cost: 0, at: -1 };
  candidates.forEach((candidate, index) => {
    let found = { cost: candidate.value === 1 ? 0 : 1, from: -1 };
    const consider = (from: number, cost: number) => {
      if (cost < found.cost) found = { cost, from };
    };
    for (let from = Math.max(0, index - reach); from < index; from += 1) {
      const before = candidates[from] as Candidate;
      const isSame = sections[before.at] === sections[candidate.at];
      consider(from, (best[from]?.cost ?? 0) + stepCost(before.value, candidate.value, isSame));
    }
    if (index > reach) {
      const old = best[index - reach - 1];
      if (old && old.cost < older.cost) older = { cost: old.cost, at: index - reach - 1 };
      if (older.at !== -1) consider(older.at, older.cost + 4);
    }
    best.push({ cost: found.cost + candidate.cost, from: found.from });
  });
  let last = -1;
  best.forEach(({ cost }, index) => {
    if (cost < (best[last]?.cost ?? 0)) last = index;
  });
  const cost = best[last]?.cost ?? 0;
  const chain: Candidate[] = [];
  for (let at = last; at !== -1; at = best[at]?.from ?? -1) chain.unshift(candidates[at] as Candidate);
  return {
    cost,
    starts: chain.map(({ at, value }, index) => {
      const before = chain[index - 1];
      const isSame = before !== undefined && sections[before.at] === sections[at];
      return { at, value, breaks: before ? breakOf(before.value, value, isSame) : undefined };
    }),
  };
}

function stepCost(before: number, value: number, isSameSection: boolean): number {
  if (value === before + 1) return 0;
  if (!isSameSection) return value === 1 ? 0 : 2;
  if (value === 1) return 3;
  return value > before && value <= before + 5 ? 2.5 : 3.5;
}

function breakOf(before: number, value: number, isSameSection: boolean): Start['breaks'] {
  if (value === before + 1) return undefined;
  if (value === 1) return isSameSection ? 'restart' : undefined;
  return value > before + 1 ? 'gap' : 'repeat';
}

function candidatesOf(
  facts: readonly Fact[],
  style: NumberStyle,
  sections: readonly number[],
  kinds: readonly (SectionKind | undefined)[],
): Candidate[] {
  const places = facts.flatMap((fact, at) =>
    fact.number?.style === style && !fact.isKeyRow && !fact.heading?.isCertain ? [at] : [],
  );
  const listed = listedPlaces(facts, style);
  const inner = innerPlaces(facts, places);
  const shared = sharedOptionPlaces(facts, places);
  const evidence = places.map((at, index) => {
    const found = evidenceAt(facts, at, places[index + 1] ?? facts.length, sections);
    return shared.has(at) ? { ...found, options: true } : found;
  });
  const withOptions = evidence.filter(({ options }) => options).length;
  const isChoicePaper = withOptions > places.length * 0.6;
  return places.map((at, index): Candidate => {
    const fact = facts[at] as Fact;
    const { options, answer, asks } = evidence[index] as Evidence;
    const kind = kinds[at];
    const wantsOptions =
      kind === undefined ? isChoicePaper : kind === 1 || kind === 3 || kind === 4 || kind === 'choice';
    let cost = -1;
    if (options) cost -= 2;
    else if (wantsOptions) cost += 1.5;
    if (answer) cost -= 2;
    if (asks) cost -= 1;
    if (kind !== undefined && !wantsOptions) cost -= 0.5;
    if (fact.tag) cost -= 2;
    if (fact.number?.isWeak) cost += 1.5;
    if (listed.answers.has(at)) cost += 2;
    if (inner.has(at)) cost += 3;
    if (listed.instructions.has(at)) cost += 4;
    else if (!options && !answer && instructionWords.test(fact.text)) cost += 3;
    return { at, value: fact.number?.value ?? 0, cost };
  });
}

/** Places of questions whose options stand above them: （3～5题共用备选答案）. */
function sharedOptionPlaces(facts: readonly Fact[], places: readonly number[]): ReadonlySet<number> {
  const shared = new Set<number>();
  facts.forEach(({ range }, at) => {
    const below = range && facts.slice(at + 1).find((fact) => !fact.isBlank);
    if (!range || !below?.opensOptions) return;
    const named = places.filter((place) => place > at).slice(0, range.last - range.first + 1);
    for (const place of named) {
      const value = facts[place]?.number?.value ?? 0;
      if (value >= range.first && value <= range.last) shared.add(place);
    }
  });
  return shared;
}

/**
 * Returns the lines of Word lists that are inside a question: between two consecutive items of another list, or on an
 * inner level.
 */
function innerPlaces(facts: readonly Fact[], places: readonly number[]): ReadonlySet<number> {
  const lists = new Map<string, number[]>();
  const outerLevel = new Map<string, number>();
  const numbering = (at: number) => {
    const line = facts[at]?.line;
    return line && !isTable(line) ? line.numbering : undefined;
  };
  for (const at of places) {
    const own = numbering(at);
    const key = own ? `${own.list} ${own.level}` : 'typed';
    const list = lists.get(key);
    if (list) list.push(at);
    else lists.set(key, [at]);
    if (own) outerLevel.set(own.list, Math.min(own.level, outerLevel.get(own.list) ?? own.level));
  }
  const inner = new Set<number>();
  if (outerLevel.size === 0) return inner;
  const valueAt = (at: number) => facts[at]?.number?.value ?? 0;
  const encloses = (outer: readonly number[], from: number, to: number) =>
    outer.some((at, index) => {
      const next = outer[index + 1];
      return at < from && next !== undefined && next > to && valueAt(next) === valueAt(at) + 1;
    });
  for (const [key, list] of lists) {
    const own = numbering(list[0] ?? -1);
    if (!own) continue;
    const isDeep = own.level > (outerLevel.get(own.list) ?? own.level);
    const others = [...lists].filter(([other]) => other !== key).map(([, at]) => at);
    const [from = 0, to = 0] = [list[0], list.at(-1)];
    if (isDeep || others.some((outer) => encloses(outer, from, to))) for (const at of list) inner.add(at);
  }
  return inner;
}

interface Evidence {
  options: boolean;
  answer: boolean;
  asks: boolean;
}

function evidenceAt(facts: readonly Fact[], at: number, end: number, sections: readonly number[]): Evidence {
  const own = facts[at] as Fact;
  const text = own.text.slice(own.start);
  const evidence: Evidence = {
    options: /(?:^|[\s\u3000）)。？?])[（(]?A\s*[.．、)）:：].*B\s*[.．、)）:：]/.test(text),
    answer: own.labels.some(({ field }) => field === 'answer'),
    asks: askingWords.test(text) || /[（(]\s*(?:[A-H]{1,6}|[√×✓✗对错]|正确|错误)\s*[)）]/.test(text),
  };
  for (let next = at + 1; next < Math.min(end, at + sight); next += 1) {
    const fact = facts[next] as Fact;
    if (sections[next] !== sections[at]) break;
    if (fact.opensOptions) evidence.options = true;
    if (fact.labels.some(({ field }) => field === 'answer' || field === 'analysis')) evidence.answer = true;
    if (/_{2,}|＿{2,}/.test(fact.text)) evidence.asks = true;
    if (evidence.answer && evidence.options) break;
  }
  return evidence;
}

const instructionTitle =
  /^[\s\u3000【]*(?:注意事项|考生须知|答题须知|考试说明|说明|考试须知|答题要求)[\s\u3000】]*[:：]?/;

/** Maximum length of a line that opens a list. */
const maxOpener = 200;

/** A line that a list follows: `内容包括：`, `注意：1. …`; but not `回答下列问题：`. */
const listOpener = /^(?!.*(?:回答|完成|问题|小题|下列各题|求[:：]))[^\d]*.*[:：][\s\u3000]*(?:1\s*[.．、].*)?$/;

/** Lines of numbered lists behind a label such as 答：, and behind 注意事项. */
function listedPlaces(facts: readonly Fact[], style: NumberStyle): { answers: Set<number>; instructions: Set<number> } {
  const answers = new Set<number>();
  const instructions = new Set<number>();
  let list: { in: Set<number>; value: number } | undefined;
  facts.forEach((fact, at) => {
    if (fact.isBlank) return;
    const label = fact.labels.findLast(({ field }) => field === 'answer' || field === 'analysis');
    const opener = instructionTitle.exec(fact.text);
    const startsIn = (from: number) => {
      const number = numberAt(fact.text, from);
      return number?.style === style && number.value === 1 ? 1 : 0;
    };
    if (opener) list = { in: instructions, value: startsIn(opener[0].length) };
    else if (label) {
      const value = startsIn(label.to);
      list = value === 1 || fact.text.slice(label.to).trim() === '' ? { in: answers, value } : undefined;
    } else if (fact.number?.style === style) {
      if (list && fact.number.value === list.value + 1) {
        list.value += 1;
        list.in.add(at);
      } else list = undefined;
    } else if (fact.heading || fact.opensOptions) list = undefined;
    else if (fact.text.length <= maxOpener && listOpener.test(fact.text))
      list = { in: answers, value: startsIn(fact.text.search(/[:：][^:：]*$/) + 1) };
    else if (list?.value === 0) list = undefined;
  });
  return { answers, instructions };
}
