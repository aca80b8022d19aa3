/** Times SQL statements, for metrics, traces and the slow query log. */
import { setting } from '#server/platform/configuration/setting.ts';
import { currentRequest, describeRequest } from './current-request.ts';
import { processLog } from './log.ts';
import { observeDuration } from './metrics.ts';
import { shapeOf } from './statement-shape.ts';
import { noteStatementSpan } from './traces.ts';

/** Maximum characters of a statement in the log. */
const shown = 500;
let slow: number | undefined;

/** Records a finished statement; `began` by `performance.now()`. */
export function recordStatement(sql: string, began: number, failed = false): void {
  const took = performance.now() - began;
  const request = currentRequest();
  if (request) {
    request.statements += 1;
    request.databaseTime += took;
    if (request.span) noteStatementSpan(request.span, sql, began, failed);
  }
  observeDuration('statementTime', took);
  slow ??= setting('SLOW_STATEMENT');
  if (slow > 0 && took >= slow) {
    processLog().warn({ ...describeRequest(), ms: Math.round(took), statement: shapeOf(sql, shown) }, 'slow statement');
  }
}
