import { handle } from '#server/http/handle.ts';
import { listSessions } from './contract.ts';
import { sessionPage } from './list.ts';

export const sessionCalls = [
  handle(listSessions, ({ db, actor, query, now, settings }) =>
    sessionPage(db, actor, query, { now, timezone: settings.timezone }),
  ),
];
