import pino from 'pino';
import { setting } from '#server/platform/configuration/setting.ts';
import { processNumber } from '#server/platform/processes/siblings.ts';

export type Log = pino.Logger;

/**
 * Opens a log of JSON lines on standard output. LOG_LEVEL as in pino, `info` by default. If there are several
 * processes, each line has the process number.
 */
export function openLog(destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level: setting('LOG_LEVEL'),
    base: processNumber === undefined ? undefined : { process: processNumber },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: errorWithoutValues },
  };
  return destination ? pino(options, destination) : pino(options);
}

let own: Log | undefined;
/** Returns the log of this process, for code that gets no log as an argument. */
export function processLog(): Log {
  own ??= openLog();
  return own;
}

/** Matches values quoted in error messages of PostgreSQL and JSON parsing, which may be what a user typed. */
const quotedValues =
  /(invalid (?:input|byte)[^:"]*|malformed [^:"]*|out of range[^:"]*|date\/time field[^:"]*):? ".*?"|(Unexpected token) .*?(?= is not valid JSON)/gs;

/**
 * Returns an error for the log without row values: type, message, stack, code. Omits `detail`, `where` and the query.
 */
export function errorWithoutValues(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, errcode, constraint, table } = error as Error & Record<string, unknown>;
  const facts = Object.entries({ code, errcode, constraint, table }).filter(([, value]) => value !== undefined);
  return {
    type: error.constructor.name,
    message: error.message.replace(quotedValues, '$1$2'),
    stack: error.stack?.replace(quotedValues, '$1$2'),
    ...Object.fromEntries(facts),
    ...(error.cause instanceof Error && { cause: errorWithoutValues(error.cause) }),
  };
}
