import { handle } from '#server/school/context.ts';
import { rollOver, rollOverOptions } from './contract.ts';
import { rollOverOf, rollOverOptionsOf } from './rollover.ts';

export const rolloverCalls = [
  handle(rollOverOptions, ({ query, ...context }) => rollOverOptionsOf(context, query)),
  handle(rollOver, { prepare: ({ body, ...context }) => rollOverOf(context, body) }),
];
