import { handle } from '#server/school/context.ts';
import { makeTimetable, showImportWeek, timetableOptions } from './contract.ts';
import { timetableOptionsOf } from './options.ts';
import { stageTimetable } from './timetable.ts';
import { importWeek } from './week.ts';

export const timetableCalls = [
  handle(timetableOptions, ({ query, ...context }) => timetableOptionsOf(context, query)),
  handle(makeTimetable, { prepare: ({ body, ...context }) => stageTimetable(context, body) }),
  handle(showImportWeek, ({ params, query, ...context }) => importWeek(context, params.id, query.day)),
];
