import pino from 'pino';
import { setting } from '#server/platform/configuration/setting.ts';

export type Log = pino.Logger;

/** JSON lines on standard output; LOG_LEVEL as pino names them (default info). */
export function openLog(): Log {
  return pino({ level: setting('LOG_LEVEL'), base: undefined, redact: ['req.headers.authorization'] });
}
