import { handle } from '#server/school/context.ts';
import { search } from './contract.ts';
import { searchAll } from './find.ts';

export const searchCalls = [handle(search, ({ query, ...context }) => searchAll(context, query))];
