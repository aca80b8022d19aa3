import { handle } from '#server/school/context.ts';
import { showOverview } from './administration.contract.ts';
import { loadOverview } from './administration.ts';
import { showCounts, showWorkbench } from './contract.ts';
import { countPending, loadWorkbench } from './workbench.ts';

export const workbenchCalls = [
  handle(showWorkbench, (context) => loadWorkbench(context)),
  handle(showCounts, (context) => countPending(context)),
];

export const administrationCalls = [handle(showOverview, (context) => loadOverview(context))];
