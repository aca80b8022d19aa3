import pino from 'pino';
import { setting } from '#server/platform/configuration/setting.ts';
import { processNumber } from '#server/platform/processes/siblings.ts';

export type Log = pino.Logger;

/** JSON lines on standard output; LOG_LEVEL as pino names them (default info). Of several processes each says which it is. */
export function openLog(destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level: setting('LOG_LEVEL'),
    base: processNumber === undefined ? undefined : { process: processNumber },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: withoutValues },
  };
  return destination ? pino(options, destination) : pino(options);
}

let own: Log | undefined;
/** Of what is noted where nobody hands one on. */
export function processLog(): Log {
  own ??= openLog();
  return own;
}

/** Of errors of PostgreSQL, and of what reads JSON, that say it, the value that did not fit: what somebody typed. */
const said =
  /(invalid (?:input|byte)[^:"]*|malformed [^:"]*|out of range[^:"]*|date\/time field[^:"]*):? ".*?"|(Unexpected token) .*?(?= is not valid JSON)/gs;

/**
 * An error as the log has it: what it is and where it arose. What databases tell besides (`detail`, `where`, the query)
 * holds values of rows.
 */
export function withoutValues(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, errcode, constraint, table } = error as Error & Record<string, unknown>;
  const facts = Object.entries({ code, errcode, constraint, table }).filter(([, value]) => value !== undefined);
  return {
    type: error.constructor.name,
    message: error.message.replace(said, '$1$2'),
    stack: error.stack?.replace(said, '$1$2'),
    ...Object.fromEntries(facts),
    ...(error.cause instanceof Error && { cause: withoutValues(error.cause) }),
  };
}
