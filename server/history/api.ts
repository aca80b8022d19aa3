import { handle } from '#server/school/context.ts';
import { classHistory } from './class-history.ts';
import { exportHistory, listClassHistory, listHistory, listQuestionHistory } from './contract.ts';
import { exportRows } from './history-export.ts';
import { historyPage } from './list.ts';
import { questionHistory } from './question-history.ts';

export const historyCalls = [
  handle(listHistory, ({ query, ...context }) => historyPage(context, query)),
  handle(listClassHistory, ({ params, query, ...context }) => classHistory(context, params.id, query)),
  handle(listQuestionHistory, ({ params, ...context }) => questionHistory(context, params.id)),
  handle(exportHistory, ({ body, ...context }) => exportRows(context, body)),
];
