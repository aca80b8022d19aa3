/**
 * The rule of a dialog in its address. The fields of a row repeat, so that a GET form of rows writes the address
 * without client JS.
 */
import * as v from 'valibot';
import { SearchText } from '#server/platform/calls/fields.ts';
import type { Swap } from '#server/questions/compose.contract.ts';
import { CheckedParam, OptionalId } from './search.ts';

/** Fields of a row, as typed. `bank`: `mine`, `public`, or the id of a colleague. */
export const ruleFieldNames = ['point', 'bank', 'tag', 'ques_type', 'from', 'to', 'count', 'score'] as const;
export type RuleRowFields = Record<(typeof ruleFieldNames)[number], string>;

/** Repeated values. Read by `readRule`, because a typed text may contain a comma. */
const Texts = v.fallback(
  v.pipe(
    v.string(),
    v.transform((text): string[] => text.split(',')),
  ),
  [],
);

/**
 * `chosen`: ids of the questions that the form shows, which only its post reads. `shuffle`: seed of another choice, without
 * the exchanges. `exchange`: question to exchange. `add`, `drop`: buttons that change the rows; `drop` is a number from 1.
 */
export const ruleParams = {
  point: Texts,
  bank: Texts,
  tag: Texts,
  ques_type: Texts,
  from: Texts,
  to: Texts,
  count: Texts,
  score: Texts,
  chosen: Texts,
  unused_days: SearchText,
  seed: OptionalId,
  swaps: SearchText,
  shuffle: OptionalId,
  exchange: OptionalId,
  add: CheckedParam,
  drop: OptionalId,
};

export interface TypedRule {
  rows: RuleRowFields[];
  unusedDays: string;
  /** Undefined until the choice was asked for. */
  seed: number | undefined;
  swaps: Swap[];
  exchange: number | undefined;
}

const firstRow: RuleRowFields = {
  bank: 'mine',
  point: '',
  tag: '',
  ques_type: '',
  from: '',
  to: '',
  count: '5',
  score: '',
};

/** Reads the rows of an address or a form. */
export function readRuleRows(fields: { getAll(name: string): unknown[] }): RuleRowFields[] {
  const texts = ruleFieldNames.map((name) => fields.getAll(name).slice(0, 100));
  return (texts[0] ?? []).map(
    (_, index) =>
      Object.fromEntries(
        ruleFieldNames.map((name, field) => [name, String(texts[field]?.[index] ?? '')]),
      ) as RuleRowFields,
  );
}

/** Reads the rule, after the buttons that change its rows. */
export function readRule({ searchParams }: URL): TypedRule {
  const rows = readRuleRows(searchParams);
  if (searchParams.get('add') === '1') rows.push({ ...firstRow, bank: rows.at(-1)?.bank ?? firstRow.bank });
  const drop = idIn(searchParams, 'drop');
  if (drop !== undefined) rows.splice(drop - 1, 1);
  const shuffle = idIn(searchParams, 'shuffle');
  return {
    rows: rows.length === 0 ? [firstRow] : rows,
    unusedDays: searchParams.get('unused_days') ?? '',
    seed: shuffle ?? idIn(searchParams, 'seed'),
    swaps: shuffle === undefined ? readSwaps(searchParams.get('swaps') ?? '') : [],
    exchange: idIn(searchParams, 'exchange'),
  };
}

const idIn = (params: URLSearchParams, name: string) => v.parse(OptionalId, params.getAll(name).at(-1));

const readSwaps = (text: string): Swap[] =>
  text.split(',').flatMap((pair) => {
    const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(pair) ?? [];
    return from && to ? [[Number(from), Number(to)] as Swap] : [];
  });

export const swapsText = (swaps: readonly Swap[]): string | undefined =>
  swaps.map(([from, to]) => `${from}-${to}`).join(',') || undefined;

/** Adds the rows to an address. */
export function withRuleRows(address: string, rows: readonly RuleRowFields[]): string {
  const [path = '', search = ''] = address.split('?');
  const params = new URLSearchParams(search);
  for (const row of rows) for (const name of ruleFieldNames) params.append(name, row[name]);
  return `${path}?${params}`;
}
