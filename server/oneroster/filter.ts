/** Operators of a filter such as `familyName='王' AND dateLastModified>'2026-09-01'`. */

export const operators = ['!=', '>=', '<=', '=', '>', '<', '~'] as const;
export type Operator = (typeof operators)[number];

export interface Predicate {
  field: string;
  operator: Operator;
  /** Text between the quotes, in which a doubled quote has become one. */
  value: string;
}

/**
 * Parses a filter to predicates: the outer list is joined by OR, each inner list by AND, which binds tighter.
 * Undefined: syntax error.
 */
export function readFilter(text: string): Predicate[][] | undefined {
  const predicate = /\s*([\w.]+)\s*(!=|>=|<=|=|>|<|~)\s*'((?:[^']|'')*)'\s*/y;
  const joint = /(AND|OR)(?=\s)/iy;
  const alternatives: Predicate[][] = [[]];
  for (let at = 0; ; ) {
    predicate.lastIndex = at;
    const [all, field = '', operator = '', value = ''] = predicate.exec(text) ?? [];
    const known = operators.find((one) => one === operator);
    if (all === undefined || !known) return undefined;
    alternatives.at(-1)?.push({ field, operator: known, value: value.replaceAll("''", "'") });
    at += all.length;
    if (at === text.length) return alternatives;
    joint.lastIndex = at;
    const [word] = joint.exec(text) ?? [];
    if (word === undefined) return undefined;
    at += word.length;
    if (word.toUpperCase() === 'OR') alternatives.push([]);
  }
}
