/** Loads the dialog that chooses questions by a rule. */
import { randomInt } from 'node:crypto';
import { normalizeNumber } from '#server/grading/rules.ts';
import type { ChosenByRule } from '#server/questions/compose.contract.ts';
import type { Outcome } from '../api/outcome.server.ts';
import { pickedIds } from '../lib/picked-ids.ts';
import { type RuleRowFields, readRule, readRuleRows, type TypedRule } from '../lib/rule-address.ts';
import { idOf } from '../lib/search.ts';
import type { RuleChoice } from './rule-dialog.tsx';

/** Reads the rule of the address and chooses by it, if that was asked for. */
export async function chooseForDialog(
  url: URL,
  send: (body: ReturnType<typeof bodyOf>) => Promise<Outcome<ChosenByRule>>,
): Promise<RuleChoice> {
  const rule = readRule(url);
  const { rows, unusedDays, seed, swaps } = rule;
  const shown = { rows, unusedDays, seed, swaps, nextSeed: randomInt(1, 1_000_000), errors: {} };
  if (seed === undefined) return shown;
  let outcome = await send(bodyOf(rule));
  let message: string | undefined;
  // Without another question, the earlier choice stays.
  if (!outcome.ok && outcome.status !== 422 && rule.exchange !== undefined) {
    message = outcome.msg;
    outcome = await send(bodyOf({ ...rule, exchange: undefined }));
  }
  if (!outcome.ok) return { ...shown, message: outcome.msg, errors: outcome.errors ?? {} };
  return { ...shown, message, swaps: outcome.data.swaps, chosen: outcome.data.rows };
}

const bodyOf = ({ rows, unusedDays, seed, swaps, exchange }: TypedRule) => ({
  rows: rows.map(rowForApi),
  unused_days: unusedDays,
  seed,
  swaps,
  exchange,
});

const rowForApi = ({ bank, ques_type, from, to, ...typed }: RuleRowFields) => ({
  ...typed,
  bank: bank === 'public' ? ('public' as const) : ('mine' as const),
  owner_id: idOf(bank),
  ques_type: idOf(ques_type),
  from: idOf(from),
  to: idOf(to),
});

/** Reads the questions to add from the posted dialog, in order, with their typed scores. */
export function readChosen(form: FormData): { id: number; score: string }[] {
  const scores = readRuleRows(form).map(({ score }) => normalizeNumber(score));
  return form
    .getAll('chosen')
    .flatMap((ids, row) =>
      pickedIds(new URLSearchParams({ picked: String(ids) })).map((id) => ({ id, score: scores[row] ?? '' })),
    );
}
