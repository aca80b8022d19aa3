import { handle } from '#server/school/context.ts';
import { showCounts, showWorkbench } from './contract.ts';
import { counts, workbench } from './workbench.ts';

export const workbenchCalls = [
  handle(showWorkbench, (context) => workbench(context)),
  handle(showCounts, (context) => counts(context)),
];
