/** Chooses questions by a rule: at random, each once, and the same again for the same seed. */
import { randomInt } from 'node:crypto';
import type * as v from 'valibot';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import type { RuleContext } from '#server/school/context.ts';
import { publicBankFault } from './bank.rules.ts';
import { type Candidates, countCandidates, drawCandidates, isCandidate } from './candidates.ts';
import type { ChosenByRule, RuleRow, Swap } from './compose.contract.ts';
import {
  composeMessages,
  parseWithin,
  ruleRowFaults,
  ruleRowsFault,
  ruleTotalFault,
  unusedDaysLimit,
} from './compose.rules.ts';
import { previewRows } from './list.ts';
import { namedPoint, pointWithChildren } from './points.ts';
import { missingQuestion, tagsIn } from './rules.ts';
import { survivingIds } from './visible.ts';

interface Rule {
  rows: readonly (v.InferOutput<typeof RuleRow> & { owner_id?: number | undefined })[];
  unused_days: string;
  seed?: number | undefined;
  swaps: readonly Swap[];
  exchange?: number | undefined;
}

interface Rules {
  /** Bank questions that the homework or exam has already. */
  present: readonly number[];
  /** Why a typed score is refused. */
  scoreFault: (typed: string) => string | undefined;
  /** Returns whose bank a row names. */
  ownerOf: (row: Rule['rows'][number]) => Promise<number | Refusal>;
}

type ComposeContext = RuleContext<'actor' | 'now' | 'settings'>;

interface CheckedRow {
  search: Candidates;
  count: number;
}

const secondsPerDay = 86_400;
const maxSeed = 1_000_000;

/**
 * Chooses questions. Rows with few matches choose first, so that a wide row does not take their questions. 403: the
 * school does not offer the public bank. 404: the bank is not visible, or the question to exchange is not chosen. 409:
 * there is no other question. 422: errors at `rows.<n>.<field>`.
 */
export async function chooseByRule(
  context: ComposeContext,
  rule: Rule,
  { present: given, ...rules }: Rules,
): Promise<ChosenByRule | Refusal> {
  const { db } = context;
  const rows = await checkRule(context, rule, rules);
  if (isRefusal(rows)) return rows;
  const seed = rule.seed || randomInt(1, maxSeed);
  const matching: number[] = [];
  const present = [...(await survivingIds(db, given)).values()];
  for (const { search } of rows) matching.push(await countCandidates(db, search, present));
  const chosen: number[][] = rows.map(() => []);
  const fewestFirst = [...rows.keys()].sort((one, other) => (matching[one] ?? 0) - (matching[other] ?? 0));
  for (const index of fewestFirst) {
    const { search, count } = rows[index] as CheckedRow;
    const excluded = [...present, ...chosen.flat()];
    chosen[index] = await drawCandidates(db, search, { seed, excluded, limit: count });
  }
  const swaps = await applySwaps(db, rows, { chosen, present, swaps: rule.swaps });
  if (rule.exchange !== undefined) {
    const swap = await exchangeOne(db, rows, { chosen, present, seed, id: rule.exchange });
    if (isRefusal(swap)) return swap;
    swaps.push(swap);
  }
  const questions = new Map((await previewRows(db, chosen.flat())).map((question) => [question.id, question]));
  return {
    seed,
    swaps,
    rows: rows.map(({ count }, index) => {
      const ids = chosen[index] ?? [];
      return {
        matching: matching[index] ?? 0,
        lacking: count - ids.length,
        questions: ids.flatMap((id) => questions.get(id) ?? []),
      };
    }),
  };
}

async function checkRule(
  { db, actor, now, settings }: ComposeContext,
  rule: Rule,
  { scoreFault, ownerOf }: Omit<Rules, 'present'>,
): Promise<CheckedRow[] | Refusal> {
  const errors: FieldErrors = {};
  const rowsFault = ruleRowsFault(rule.rows.length);
  if (rowsFault) return invalid({ rows: [rowsFault] });
  const days = rule.unused_days === '' ? 0 : parseWithin(rule.unused_days, unusedDaysLimit);
  if (days === undefined) errors.unused_days = [composeMessages.unusedDays];
  const unused = days ? { staffId: actor.id, since: now - days * secondsPerDay } : undefined;
  const checked: CheckedRow[] = [];
  for (const [index, row] of rule.rows.entries()) {
    const faults: FieldErrors = ruleRowFaults(row);
    const fault = row.score === '' ? undefined : scoreFault(row.score);
    if (fault) faults.score = [fault];
    const point = await namedPoint(db, row.point);
    if (isRefusal(point)) Object.assign(faults, point.errors);
    for (const [field, messages] of Object.entries(faults)) errors[`rows.${index}.${field}`] = messages;
    const isPublic = row.bank === 'public';
    const closed = isPublic ? refuseFor('forbidden', publicBankFault(settings)) : undefined;
    if (closed) return closed;
    const bank = isPublic ? 'public' : await ownerOf(row);
    if (isRefusal(bank)) return bank;
    const { ques_type, from, to } = row;
    const tagged = { staffId: actor.id, tags: tagsIn(row.tag).map(normalizeName) };
    const points = typeof point === 'number' ? await pointWithChildren(db, point) : undefined;
    checked.push({ search: { bank, ques_type, from, to, points, tagged, unused }, count: Number(row.count) });
  }
  if (Object.keys(errors).length > 0) return invalid(errors);
  const totalFault = ruleTotalFault(rule.rows);
  return totalFault ? invalid({ rows: [totalFault] }) : checked;
}

interface Choice {
  /** Chosen ids of each row; exchanges change them in place. */
  chosen: number[][];
  present: readonly number[];
}

/** Finds the row and place of a chosen question. */
function placeOf(chosen: readonly number[][], id: number): { row: number; place: number } | undefined {
  const row = chosen.findIndex((ids) => ids.includes(id));
  return row < 0 ? undefined : { row, place: chosen[row]?.indexOf(id) ?? 0 };
}

/** Applies exchanges that still fit, and returns them. */
async function applySwaps(
  db: Database,
  rows: readonly CheckedRow[],
  { chosen, present, swaps }: Choice & { swaps: readonly Swap[] },
): Promise<Swap[]> {
  const applied: Swap[] = [];
  for (const [from, to] of swaps) {
    const at = placeOf(chosen, from);
    if (!at || present.includes(to) || placeOf(chosen, to)) continue;
    const { search } = rows[at.row] as CheckedRow;
    if (!(await isCandidate(db, search, to))) continue;
    (chosen[at.row] as number[])[at.place] = to;
    applied.push([from, to]);
  }
  return applied;
}

async function exchangeOne(
  db: Database,
  rows: readonly CheckedRow[],
  { chosen, present, seed, id }: Choice & { seed: number; id: number },
): Promise<Swap | Refusal> {
  const at = placeOf(chosen, id);
  if (!at) return missing(missingQuestion);
  const { search } = rows[at.row] as CheckedRow;
  const excluded = [...present, ...chosen.flat()];
  const [other] = await drawCandidates(db, search, { seed, excluded, limit: 1, after: id });
  if (other === undefined) return conflict(composeMessages.noOther);
  (chosen[at.row] as number[])[at.place] = other;
  return [id, other];
}

/** Facts of a question that is exchanged for a similar one. */
interface Exchanged {
  ques_type: number;
  facility_value: number;
  /** Its knowledge point; null if it has none. */
  pointId: number | null;
  /** Banks to search, the preferred one first. */
  banks: readonly Candidates['bank'][];
  /** Questions that are not wanted, such as all of the draft. */
  excluded: readonly number[];
}

/**
 * Returns a question of the same type and knowledge point at random: of the same difficulty, else of the next lower or
 * higher one. 409: there is none.
 */
export async function similarQuestion(
  db: Database,
  { ques_type, facility_value, pointId, banks, excluded: given }: Exchanged,
): Promise<number | Refusal> {
  const excluded = [...(await survivingIds(db, given)).values()];
  const seed = randomInt(1, maxSeed);
  const points = pointId === null ? undefined : [pointId];
  for (const distance of [0, 1]) {
    for (const bank of banks) {
      const search = { bank, ques_type, points, from: facility_value - distance, to: facility_value + distance };
      const [other] = await drawCandidates(db, search, { seed, excluded, limit: 1 });
      if (other !== undefined) return other;
    }
  }
  return conflict(composeMessages.noOther);
}
