/** The response processing of QTI 1.2: which answers give points. */
import { childNamed, childrenNamed, type Element, elementsOf, findAll, textOf } from './tree.ts';

/** A value that a response is compared with. `isNot`: inside `not`. */
export interface Comparison {
  respident: string;
  operator: string;
  value: string;
  isNot: boolean;
  caseMatters: boolean;
}

/** Comparisons that give points. */
export interface Award {
  points: number;
  isAdded: boolean;
  comparisons: Comparison[];
}

/** Returns the conditions that give points, with the answers they compare. */
export function awardsOf(item: Element): Award[] {
  const conditions = findAll(childNamed(item, 'resprocessing'), ({ name }) => name === 'respcondition');
  return conditions.flatMap((condition) => {
    // Brightspace counts wrong answers too.
    const setters = childrenNamed(condition, 'setvar').filter(
      ({ attributes }) => !/feedback|incorrect/i.test(attributes.varname ?? ''),
    );
    const values = setters.map((setter) => ({
      // Blackboard names a variable instead of a number.
      points: /max/i.test(textOf(setter)) ? Number.POSITIVE_INFINITY : Number(textOf(setter)),
      isAdded: setter.attributes.action === 'Add',
    }));
    const best = values.find(({ points }) => points > 0);
    if (!best) return [];
    return [{ ...best, comparisons: comparisonsOf(childNamed(condition, 'conditionvar'), false) }];
  });
}

const comparisonsOf = (element: Element | undefined, isNot: boolean): Comparison[] =>
  elementsOf(element).flatMap((child) => {
    if (!child.name.startsWith('var')) return comparisonsOf(child, child.name === 'not' ? !isNot : isNot);
    const { respident = '', case: letterCase } = child.attributes;
    const value = textOf(child);
    return [{ respident, operator: child.name, value, isNot, caseMatters: letterCase === 'Yes' }];
  });

export const awardsChoice = (one: Comparison, ident: string): boolean =>
  one.respident === ident && !one.isNot && one.operator === 'varequal';
