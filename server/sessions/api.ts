import { handle } from '#server/http/handle.ts';
import { listSessions, showSession } from './contract.ts';
import { ownSession, sessionPage } from './list.ts';

export const sessionCalls = [
  handle(listSessions, ({ db, actor, query, now, settings }) =>
    sessionPage(db, actor, query, { now, timezone: settings.timezone }),
  ),
  handle(showSession, ({ db, actor, params, now, settings }) =>
    ownSession(db, actor, params.id, { now, timezone: settings.timezone }),
  ),
];
