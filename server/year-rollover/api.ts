import { handle } from '#server/school/context.ts';
import { rollOver, rollOverOptions } from './contract.ts';
import { rollOverOptionsOf } from './options.ts';
import { stageRollover } from './rollover.ts';

export const rolloverCalls = [
  handle(rollOverOptions, ({ query, ...context }) => rollOverOptionsOf(context, query)),
  handle(rollOver, { prepare: ({ body, ...context }) => stageRollover(context, body) }),
];
