/**
 * The API of this process. With `client.server.ts` the only files of app/ that know server/ beyond what its rooms
 * share with the screens.
 */
import { createApi } from '#server/api.ts';
import { accountsOfDemo, learnersOfDemo } from '#server/demo/accounts.ts';
import { learnPageToken } from '#server/learners/learn-page.ts';
import { learnToken } from '#server/platform/auth/learn-token.ts';
import { sessionSecrets } from '#server/platform/auth/session-secret.ts';
import { offerDirectly } from '#server/platform/calls/direct.ts';
import { drainingAnswer } from '#server/platform/calls/draining.ts';
import type { LocalApi } from '#server/platform/calls/local.ts';
import { prepareRequests } from '#server/platform/calls/request-setup.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { inTime } from '#server/platform/db/deadline.ts';
import { isDatabaseAway } from '#server/platform/db/engine.ts';
import { describedRequest } from '#server/platform/monitoring/current-request.ts';
import { processLog } from '#server/platform/monitoring/log.ts';
import { wallClock } from '#server/school/calendar.ts';
import { schoolSettings } from '#server/school/settings.ts';
import { sharedServices } from '#server/services.ts';
import { away, type Outcome } from './outcome.server.ts';
import { fetchRemote, remote } from './remote.server.ts';

prepareRequests();

export { runs } from '#server/api.ts';
export { answerMetrics } from '#server/monitoring.ts';
export { originOf } from '#server/platform/calls/client-address.ts';
export { takesCoding } from '#server/platform/calls/content-coding.ts';
export { policyReportsPath } from '#server/platform/calls/policy-reports.ts';
export { withRequestDeadline } from '#server/platform/db/deadline.ts';
export { notePerson, noteRoute } from '#server/platform/monitoring/current-request.ts';
export { moveGauge } from '#server/platform/monitoring/metrics.ts';
export { drainingAnswer, sessionSecrets };

interface LocalService {
  api: ReturnType<typeof createApi>;
  services: Awaited<ReturnType<typeof sharedServices>>;
}
let local: LocalService | undefined;
/** Rejects while the services do not open: the database may be away, or be migrated for minutes. */
async function here(): Promise<LocalService> {
  if (!local) {
    const services = await inTime(sharedServices, { isAnswer: false });
    local ??= { services, api: createApi(services) };
    offerDirectly(local.api.direct);
  }
  return local;
}
// The database is opened, migrated and filled while the first visitor is still typing the address.
if (!remote) await sharedServices().catch(noteFault);

/** What failed and was nobody's to answer: a line of the log where a school is served, plain where it is developed. */
export function noteFault(error: unknown): void {
  if (setting('NODE_ENV') === 'production') processLog().error({ err: error, ...describedRequest() }, 'failed');
  else console.error(error);
}

/** The API of this process for one page; undefined where it runs elsewhere. */
export async function localApi(authorization: string, requestId: string): Promise<LocalApi | undefined> {
  if (remote) return undefined;
  return (await here()).api.local({ authorization, requestId });
}

/** Unix seconds by the clock that the API goes by; by this machine's where it runs elsewhere. */
export const schoolTime = (): number => local?.services.now() ?? wallClock();

/** Hands a Request to the API, wherever it runs. Rejects when it cannot be reached in time. */
export async function apiFetch(request: Request): Promise<Response> {
  return remote ? fetchRemote(remote, request) : (await here()).api.fetch(request);
}

/** The same for whoever asks from outside: a school that cannot be reached is an answer, too. */
export async function answerCall(request: Request): Promise<Response> {
  try {
    return await apiFetch(request);
  } catch {
    return Response.json({ code: 503, msg: callMessages.away, data: null }, { status: 503 });
  }
}

/**
 * The demo school's accounts for the sign-in page, where this process serves a demo school; or that nobody can sign in
 * now.
 */
export async function demoAccounts(): Promise<Outcome<{ username: string; password: string; note: string }[]>> {
  if (remote) return { ok: true, data: [], msg: '' };
  try {
    const { services } = await here();
    return { ok: true, data: await accountsOfDemo(services.database.db), msg: '' };
  } catch (error) {
    if (local && !isDatabaseAway(error)) throw error;
    return away;
  }
}

/**
 * Token that the learners' page (app/learn/) sends to the public calls: the configured one, else the one of the feature
 * switch. Undefined without such a page. Rejects while the services do not open.
 */
export async function learnersToken(): Promise<string | undefined> {
  const said = learnToken();
  if (said === 'off') return undefined;
  if (said !== undefined || remote) return said;
  const { services } = await here();
  return learnPageToken(services.database.db, { secret: sessionSecrets()[0], now: services.now() });
}

/** Tells whether the school has a learners' page. Rejects while the services do not open. */
export async function offersLearners(): Promise<boolean> {
  const said = learnToken();
  if (said !== undefined || remote) return said !== undefined && said !== 'off';
  const { services } = await here();
  return (await schoolSettings(services.database.db, services.now())).learn_page;
}

/** Accounts of a demo school for the sign-in page of the learners. */
export async function demoLearners(): Promise<{ nickname: string; number: string }[]> {
  if (remote) return [];
  try {
    const { services } = await here();
    return await learnersOfDemo(services.database.db);
  } catch (error) {
    if (local && !isDatabaseAway(error)) throw error;
    return [];
  }
}
