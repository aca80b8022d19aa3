import { handle } from '#server/http/handle.ts';
import { listQuestions } from './contract.ts';
import { questionPage } from './list.ts';

export const questionCalls = [handle(listQuestions, ({ db, actor, query }) => questionPage(db, actor, query))];
