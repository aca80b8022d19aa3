/** What the database was asked, and how long it took: for the figures, the traces, and whoever looks for what is slow. */
import { setting } from '#server/platform/configuration/setting.ts';
import { currentRequest, describedRequest } from './current-request.ts';
import { processLog } from './log.ts';
import { tookTime } from './metrics.ts';
import { shapeOf } from './statement-shape.ts';
import { noteStatementSpan } from './traces.ts';

/** Characters of a statement that the log has. */
const shown = 500;
let slow: number | undefined;

/** It began so many milliseconds after the process did (`performance.now()`), and has ended now. */
export function noteStatement(sql: string, began: number, failed = false): void {
  const took = performance.now() - began;
  const request = currentRequest();
  if (request) {
    request.statements += 1;
    request.databaseTime += took;
    if (request.span) noteStatementSpan(request.span, sql, began, failed);
  }
  tookTime('statementTime', took);
  slow ??= setting('SLOW_STATEMENT');
  if (slow > 0 && took >= slow) {
    processLog().warn(
      { ...describedRequest(), ms: Math.round(took), statement: shapeOf(sql, shown) },
      'slow statement',
    );
  }
}
