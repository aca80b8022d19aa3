import { handle } from '#server/school/context.ts';
import { showOverview } from './administration.contract.ts';
import { overview } from './administration.ts';
import { showCounts, showWorkbench } from './contract.ts';
import { counts, workbench } from './workbench.ts';

export const workbenchCalls = [
  handle(showWorkbench, (context) => workbench(context)),
  handle(showCounts, (context) => counts(context)),
];

export const administrationCalls = [handle(showOverview, (context) => overview(context))];
