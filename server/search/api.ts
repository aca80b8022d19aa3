import { handle } from '#server/school/context.ts';
import { search } from './contract.ts';
import { find } from './find.ts';

export const searchCalls = [handle(search, ({ query, ...context }) => find(context, query))];
