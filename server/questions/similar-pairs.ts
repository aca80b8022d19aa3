/**
 * Finds equal and nearly equal questions of a bank. Pure, and yields to other requests. Two texts that are nearly equal
 * share one of their rarest shingles, so that only questions with such a shingle in common are compared.
 */
import { Yielding } from '#server/platform/jobs/yielding.ts';
import { type Compared, minComparedLength, nearlyEqual, shingleLength } from './comparison.ts';

export interface ComparedQuestion extends Compared {
  id: number;
}

export interface SimilarQuestions {
  /** Ids of equal questions, ascending; each group has two at least. */
  equal: number[][];
  /** Nearly equal questions. Only the one with the lowest id of identical questions is compared with others. */
  near: { one: number; other: number; percent: number }[];
}

/** Buckets for shingles. Two shingles in one bucket cost a comparison and change no result. */
const bucketBits = 20;
const bucketOf = (shingle: number): number => shingle >>> (32 - bucketBits);

/** Maximum number of questions that one is compared with for each of its shingles, the ones of nearest length. */
const maxCompared = 100;

interface Indexed {
  id: number;
  /** Shingles as numbers, the rarest first; its order is the same for all questions. */
  shingles: Float64Array;
}

/** Returns the similar questions. `questions`: in any order, without empty ones. */
export async function similarQuestions(questions: readonly ComparedQuestion[]): Promise<SimilarQuestions> {
  const turns = new Yielding();
  const groups = new Map<string, ComparedQuestion[]>();
  for (const question of questions) {
    const group = groups.get(question.key);
    if (group) group.push(question);
    else groups.set(question.key, [question]);
    await turns.others();
  }
  const equal: number[][] = [];
  const different: ComparedQuestion[] = [];
  for (const group of groups.values()) {
    group.sort((one, other) => one.id - other.id);
    if (group.length > 1) equal.push(group.map(({ id }) => id));
    different.push(group[0] as ComparedQuestion);
    await turns.others();
  }
  return { equal, near: await nearPairs(await indexed(different, turns), turns) };
}

async function indexed(questions: readonly ComparedQuestion[], turns: Yielding): Promise<Indexed[]> {
  const counts = new Uint32Array(2 ** bucketBits);
  const hashed: { id: number; hashes: Uint32Array }[] = [];
  for (const { id, text } of questions) {
    if (text.length < minComparedLength) continue;
    const hashes = hashesOf(text);
    for (const hash of hashes) counts[bucketOf(hash)] = (counts[bucketOf(hash)] ?? 0) + 1;
    hashed.push({ id, hashes });
    await turns.others();
  }
  const all: Indexed[] = [];
  for (const { id, hashes } of hashed) {
    // The count is the upper part of the number, so that numbers sort by it.
    const shingles = Float64Array.from(hashes, (hash) => (counts[bucketOf(hash)] ?? 0) * 2 ** 32 + hash).sort();
    all.push({ id, shingles });
    await turns.others();
  }
  return all.sort((one, other) => one.shingles.length - other.shingles.length || one.id - other.id);
}

/** Returns the shingles of a text as numbers, each once. */
function hashesOf(text: string): Uint32Array {
  const hashes = new Set<number>();
  for (let at = 0; at + shingleLength <= text.length; at += 1) {
    let hash = 0;
    for (let next = 0; next < shingleLength; next += 1) hash = Math.imul(hash ^ text.charCodeAt(at + next), 0x9e3779b1);
    hashes.add((hash ^ (hash >>> 15)) >>> 0);
  }
  return Uint32Array.from(hashes);
}

/** `questions`: by the number of their shingles, ascending. */
async function nearPairs(questions: readonly Indexed[], turns: Yielding): Promise<SimilarQuestions['near']> {
  const near: SimilarQuestions['near'] = [];
  const prefixes = questions.map(({ shingles }) => shingles.length - Math.ceil(nearlyEqual * shingles.length) + 1);
  const entries = prefixes.reduce((sum, length) => sum + length, 0);
  // A linked list of questions for each bucket, the latest first. 0 ends it.
  const heads = new Int32Array(2 ** bucketBits);
  const places = new Int32Array(entries + 1);
  const nexts = new Int32Array(entries + 1);
  const comparedWith = new Int32Array(questions.length).fill(-1);
  let last = 0;
  for (const [at, { id, shingles }] of questions.entries()) {
    const least = Math.ceil(nearlyEqual * shingles.length);
    const prefix = shingles.subarray(0, prefixes[at]);
    for (const shingle of prefix) {
      let left = maxCompared;
      for (let entry = heads[bucketOf(shingle % 2 ** 32)] ?? 0; entry !== 0 && left > 0; entry = nexts[entry] ?? 0) {
        const place = places[entry] ?? 0;
        const other = questions[place] as Indexed;
        // The entries behind it are shorter still.
        if (other.shingles.length < least) break;
        left -= 1;
        if (comparedWith[place] === at) continue;
        comparedWith[place] = at;
        const similarity = similarityOf(shingles, other.shingles);
        if (similarity >= nearlyEqual) near.push({ one: id, other: other.id, percent: Math.floor(similarity * 100) });
      }
    }
    for (const shingle of prefix) {
      const bucket = bucketOf(shingle % 2 ** 32);
      last += 1;
      places[last] = at;
      nexts[last] = heads[bucket] ?? 0;
      heads[bucket] = last;
    }
    await turns.others();
  }
  return near;
}

/** Share of the shingles of two questions that both have; both are sorted. */
function similarityOf(one: Float64Array, other: Float64Array): number {
  let shared = 0;
  for (let left = 0, right = 0; left < one.length && right < other.length; ) {
    const difference = (one[left] as number) - (other[right] as number);
    if (difference === 0) shared += 1;
    if (difference <= 0) left += 1;
    if (difference >= 0) right += 1;
  }
  return shared / (one.length + other.length - shared);
}
