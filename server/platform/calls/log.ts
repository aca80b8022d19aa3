/** What is said of calls goes where everything is noted. */
export { type Log, openLog } from '#server/platform/monitoring/log.ts';
