import pino from 'pino';

export type Log = pino.Logger;

/** JSON lines on standard output; LOG_LEVEL as pino names them (default info). */
export function openLog(): Log {
  return pino({ level: process.env.LOG_LEVEL ?? 'info', base: undefined, redact: ['req.headers.authorization'] });
}
