/**
 * The API in this process. Only this file and `client.server.ts` may import more of server/ than contracts and rules.
 */
import { createApi } from '#server/api.ts';
import { accountsOfDemo, learnersOfDemo } from '#server/demo/accounts.ts';
import { hasLearnPage as hasLearnPageOf, learnPageToken } from '#server/learners/learn-page.ts';
import { learnToken } from '#server/platform/auth/learn-token.ts';
import { sessionSecrets } from '#server/platform/auth/session-secret.ts';
import { registerFastPath } from '#server/platform/calls/direct.ts';
import { drainingAnswer } from '#server/platform/calls/draining.ts';
import type { LocalApi } from '#server/platform/calls/local.ts';
import { prepareRequests } from '#server/platform/calls/request-setup.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { withinDeadline } from '#server/platform/db/deadline.ts';
import { isDatabaseAway } from '#server/platform/db/engine.ts';
import { describeRequest } from '#server/platform/monitoring/current-request.ts';
import { processLog } from '#server/platform/monitoring/log.ts';
import { wallClock } from '#server/school/calendar.ts';
import { sharedServices } from '#server/services.ts';
import { type Outcome, unreachableOutcome } from './outcome.server.ts';
import { fetchRemote, remoteUrl } from './remote.server.ts';

prepareRequests();

export { answerHealthz } from '#server/api.ts';
export { answerMetrics } from '#server/monitoring.ts';
export { originOf } from '#server/platform/calls/client-address.ts';
export { takesCoding } from '#server/platform/calls/content-coding.ts';
export { policyReportsPath } from '#server/platform/calls/policy-reports.ts';
export { withRequestDeadline } from '#server/platform/db/deadline.ts';
export { recordPerson, recordRoute } from '#server/platform/monitoring/current-request.ts';
export { moveGauge } from '#server/platform/monitoring/metrics.ts';
export { drainingAnswer, sessionSecrets };

type Services = Awaited<ReturnType<typeof sharedServices>>;
interface LocalService {
  api: ReturnType<typeof createApi>;
  services: Services;
}
let local: LocalService | undefined;
/**
 * Returns the API in this process. Rejects until its services have started: the database may be down, or migrate for
 * minutes.
 */
async function localService(): Promise<LocalService> {
  if (!local) {
    const services = await withinDeadline(sharedServices, { isAnswer: false });
    local ??= { services, api: createApi(services) };
    registerFastPath(local.api.direct);
  }
  return local;
}
// Opens, migrates and fills the database before the first request.
if (!remoteUrl) await sharedServices().catch(logError);

/** Logs an error that no response reports: as JSON in production, as readable text in development. */
export function logError(error: unknown): void {
  if (setting('NODE_ENV') === 'production') processLog().error({ err: error, ...describeRequest() }, 'failed');
  else console.error(error);
}

/** Returns the local API for one page. Undefined if the API runs elsewhere. */
export async function localApi(authorization: string, requestId: string): Promise<LocalApi | undefined> {
  if (remoteUrl) return undefined;
  return (await localService()).api.local({ authorization, requestId });
}

/** Unix seconds by the API's clock, or by this machine's clock if the API runs elsewhere. */
export const schoolTime = (): number => local?.services.now() ?? wallClock();

/** Sends a Request to the API, local or remote. Rejects if the API cannot be reached in time. */
export async function apiFetch(request: Request): Promise<Response> {
  return remoteUrl ? fetchRemote(remoteUrl, request) : (await localService()).api.fetch(request);
}

/** Answers an API request that came over the network. Like apiFetch, but an unreachable API gives a 503 response. */
export async function answerCall(request: Request): Promise<Response> {
  try {
    return await apiFetch(request);
  } catch {
    return Response.json({ code: 503, msg: callMessages.away, data: null }, { status: 503 });
  }
}

/**
 * Demo accounts for the sign-in page, empty unless the database holds a demo school. A refusal says why nobody can sign
 * in at the moment.
 */
export async function demoAccounts(): Promise<Outcome<{ username: string; password: string; note: string }[]>> {
  const data = remoteUrl ? [] : await unlessAway(undefined, ({ database }) => accountsOfDemo(database.db));
  return data ? { ok: true, data, msg: '' } : unreachableOutcome;
}

/**
 * Returns the token with which the learners' page (app/learn/) sends public calls: the configured token, else the one
 * of the feature switch. Undefined if the school has no such page. Rejects until the services have started.
 */
export async function learnPageTokenOf(): Promise<string | undefined> {
  if (remoteUrl) return configuredToken();
  const { services } = await localService();
  return learnPageToken(services.database.db, { secret: sessionSecrets()[0], now: services.now() });
}

/** True if the school has a learners' page; false while the database is away, which the page's calls then say. */
export async function hasLearnPage(): Promise<boolean> {
  if (remoteUrl) return configuredToken() !== undefined;
  return unlessAway(false, ({ database, now }) => hasLearnPageOf(database.db, now()));
}

const configuredToken = (): string | undefined => {
  const token = learnToken();
  return token === 'off' ? undefined : token;
};

export async function demoLearners(): Promise<{ nickname: string; number: string }[]> {
  return remoteUrl ? [] : unlessAway([], ({ database }) => learnersOfDemo(database.db));
}

/** Reads from this process's database. Answers `away` while the services have not started or the database is away. */
async function unlessAway<Answer, Away>(
  away: Away,
  read: (services: Services) => Promise<Answer>,
): Promise<Answer | Away> {
  try {
    const { services } = await localService();
    return await read(services);
  } catch (error) {
    if (local && !isDatabaseAway(error)) throw error;
    return away;
  }
}
