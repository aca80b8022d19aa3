/** The interactions of QTI 2 and 3 that the product can hold. */
import type { Element } from './tree.ts';

/** Interactions that the product's questions can hold. */
export const heldInteractions = new Set([
  'choiceInteraction',
  'hottextInteraction',
  'inlineChoiceInteraction',
  'textEntryInteraction',
  'extendedTextInteraction',
  'matchInteraction',
  'gapMatchInteraction',
]);

export const inlineInteractions = new Set(['inlineChoiceInteraction', 'textEntryInteraction']);

export const isInteraction = ({ name }: Element): boolean => /(?:Interaction|positionObjectStage)$/.test(name);
