/** Finds imported questions that the bank or the file itself already contains, exactly or almost. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { maxCount } from '#server/platform/calls/fields.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { comparedDraft, comparedOf, minComparedLength, nearlyEqual, shinglesOf } from '../comparison.ts';
import { importMessages } from '../import.rules.ts';
import type { ImportedQuestion, ImportSource } from './imported-question.ts';

/** Questions of the bank that are compared, the latest. */
const maxCompared = 20_000;

/** A group that more questions of the file contain than this tells nothing, such as 下列说法. */
const maxCommon = 40;

/** The question of the bank that an imported one equals (1) or almost equals (2). */
export interface BankMatch {
  id: number;
  match: 1 | 2;
}

/** Adds a doubt to each question that stands in the file twice. */
export function noteRepeats(questions: readonly ImportedQuestion[]): void {
  const places = new Map<string, string>();
  for (const { draft, source, doubts } of questions) {
    if (plainText(draft.ques_stem) === '') continue;
    const { key } = comparedDraft(draft);
    const place = places.get(key);
    if (place) doubts.push({ where: placeInFile(source), message: importMessages.twiceInFile(place) });
    else places.set(key, placeInFile(source));
  }
}

/**
 * Returns the questions of the user's bank that equal the imported ones, by their index. Reads the bank in pages; other
 * requests run in between.
 */
export async function matchesInBank(
  db: Database,
  actor: Actor,
  questions: readonly ImportedQuestion[],
): Promise<Map<number, BankMatch>> {
  const matches = new Map<number, BankMatch>();
  const index = indexOf(questions);
  let seen = 0;
  for (let before = maxCount; seen < maxCompared; ) {
    const stored = await db
      .selectFrom('question')
      .select(['id', 'ques_type', 'stem_text', 'ques_option'])
      .where('owner_id', '=', actor.id)
      .where('parent_id', 'is', null)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(rowsPerStatement)
      .execute();
    const last = stored.at(-1);
    if (!last) break;
    for (const { id, ques_type, stem_text, ques_option } of stored) {
      if (stem_text === '') continue;
      const compared = comparedOf(ques_type, stem_text, JSON.parse(ques_option) as { content: string }[]);
      for (const at of index.byKey.get(compared.key) ?? []) {
        if (matches.get(at)?.match !== 1) matches.set(at, { id, match: 1 });
      }
      for (const at of nearTo(index, compared.text)) if (!matches.has(at)) matches.set(at, { id, match: 2 });
    }
    before = last.id;
    seen += stored.length;
    await yieldToOthers();
  }
  return matches;
}

interface Index {
  byKey: Map<string, number[]>;
  byGroup: Map<string, number[]>;
  groups: Set<string>[];
}

function indexOf(questions: readonly ImportedQuestion[]): Index {
  const index: Index = { byKey: new Map(), byGroup: new Map(), groups: [] };
  for (const [at, { draft }] of questions.entries()) {
    const { key, text } = comparedDraft(draft);
    const isBlank = plainText(draft.ques_stem) === '';
    const groups = isBlank || text.length < minComparedLength ? new Set<string>() : shinglesOf(text);
    index.groups.push(groups);
    if (!isBlank) addTo(index.byKey, key, at);
    for (const group of groups) addTo(index.byGroup, group, at);
  }
  return index;
}

function addTo(map: Map<string, number[]>, key: string, at: number): void {
  const list = map.get(key);
  if (list) list.push(at);
  else map.set(key, [at]);
}

function nearTo({ byGroup, groups }: Index, text: string): number[] {
  if (text.length < minComparedLength) return [];
  const own = shinglesOf(text);
  const candidates = new Set<number>();
  for (const group of own) {
    const list = byGroup.get(group);
    if (list && list.length <= maxCommon) for (const at of list) candidates.add(at);
  }
  return [...candidates].filter((at) => {
    const other = groups[at] as Set<string>;
    let shared = 0;
    for (const group of own) if (other.has(group)) shared += 1;
    return shared / (own.size + other.size - shared) >= nearlyEqual;
  });
}

/** Rows per statement, which SQLite writes in a few milliseconds, so that other requests are not held up. */
export const rowsPerStatement = 100;

export function placeInFile(source: ImportSource): string {
  if ('place' in source) return source.place;
  return 'line' in source ? `第${source.line}行` : `${source.sheet} 第${source.row}行`;
}
