import { handle } from '#server/school/context.ts';
import { putAwayStep, showOverview } from './administration.contract.ts';
import { loadOverview } from './administration.ts';
import { showCounts, showWorkbench } from './contract.ts';
import { dismissStep } from './start-list.ts';
import { countPending, loadWorkbench } from './workbench.ts';

export const workbenchCalls = [
  handle(showWorkbench, (context) => loadWorkbench(context)),
  handle(showCounts, (context) => countPending(context)),
];

export const administrationCalls = [
  handle(showOverview, (context) => loadOverview(context)),
  handle(putAwayStep, ({ body, ...context }) => dismissStep(context, body)),
];
