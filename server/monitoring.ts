/** Starts metrics for Prometheus and traces for OpenTelemetry, if a setting asks for them. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { refusalResponse } from '#server/platform/calls/envelope.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { withDeadline } from '#server/platform/db/deadline.ts';
import { recordRoute } from '#server/platform/monitoring/current-request.ts';
import {
  isMeasured,
  metricsText,
  openMetrics,
  registerMeasurement,
  type SetGauge,
} from '#server/platform/monitoring/metrics.ts';
import { openTraces } from '#server/platform/monitoring/traces.ts';
import { productVersion } from '#server/platform/monitoring/version.ts';
import { processNumber } from '#server/platform/processes/siblings.ts';
import type { Services } from '#server/school/context.ts';
import { lastBackup } from '#server/system/last-backup.ts';
import { type QueueName, queueStates } from '#server/system/queues.ts';
import { checkReadiness } from '#server/system/readiness.ts';
import { isReadinessGood, type ReadinessName } from '#server/system/rules.ts';

/** Starts metrics and traces. Call it before the server listens. */
export async function startMonitoring(): Promise<void> {
  // Each of several processes has its own port: 9100, 9101, …
  const first = setting('METRICS_PORT');
  const port = first > 0 ? first + (processNumber ?? 1) - 1 : 0;
  if (port > 0 || setting('METRICS_TOKEN')) await openMetrics();
  if (port > 0) await listen(port);
  if (setting('OTEL_EXPORTER_OTLP_ENDPOINT')) await openTraces({ version: productVersion() });
}

/** Listens on the metrics port. If it is taken, the start ends, as with `PORT`. */
function listen(port: number): Promise<void> {
  const server = createServer((request, response) => {
    const isMetricsPath = request.url?.split('?', 1)[0] === '/metrics';
    if (isMetricsPath) recordRoute('/metrics');
    void answer(isMetricsPath, request.headers.authorization).then(async (answered) => {
      response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text());
    });
  });
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      console.error(`METRICS_PORT ${port} cannot be listened on (${error.code}).`);
      process.exit(1);
    });
    server.listen({ port, host: setting('HOST') || undefined, exclusive: true }, resolve);
  });
}

const answer = (isMetricsPath: boolean, authorization: string | undefined): Promise<Response> =>
  isMetricsPath ? metricsResponse(authorization) : Promise.resolve(notFound());

const notFound = () => refusalResponse(missing('接口不存在'));

/** Answers `/metrics` on the server's own port. 404: METRICS_TOKEN is not set. 401: the request lacks the token. */
export async function answerMetrics(request: Request): Promise<Response> {
  if (!setting('METRICS_TOKEN') || !isMeasured()) return notFound();
  return metricsResponse(request.headers.get('authorization') ?? undefined);
}

async function metricsResponse(authorization: string | undefined): Promise<Response> {
  const token = setting('METRICS_TOKEN');
  if (token && !isSame(authorization ?? '', `Bearer ${token}`)) {
    return new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  }
  const { type, text } = await metricsText();
  return new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
}

/** Compares in constant time. */
const isSame = (one: string, other: string) => timingSafeEqual(hashOf(one), hashOf(other));
const hashOf = (text: string) => createHash('sha256').update(text).digest();

/** Milliseconds: timeout of the database, and age of cached values. */
const countTimeout = 2_000;
const holds = 5_000;

/** Measures the school's own work; returns a function that stops it. */
export function measureSchool(services: Services): () => void {
  const { db, engine } = services.database;
  let read: { at: number; set: Promise<(set: SetGauge) => void> } | undefined;
  const measured = (set: SetGauge) => {
    set('build', 1, { version: productVersion(), engine });
    if (!read || performance.now() - read.at > holds) read = { at: performance.now(), set: readSchool(services) };
    return read.set.then((tell) => tell(set));
  };
  const unready = registerMeasurement('readiness', async (set) => {
    const ready = await checkReadiness(services);
    for (const name of Object.keys(ready) as ReadinessName[])
      set('ready', isReadinessGood(ready[name]) ? 1 : 0, { check: name });
  });
  const unmeasured = registerMeasurement('school', measured);
  return () => {
    unready();
    unmeasured();
  };

  async function readSchool({ now }: Services): Promise<(set: SetGauge) => void> {
    const at = now();
    const [states, backup] = await withDeadline(countTimeout, () => Promise.all([queueStates(db, at), lastBackup(db)]));
    return (set) => {
      for (const queue of Object.keys(states) as QueueName[]) {
        const { waiting, oldestAt, failing } = states[queue];
        set('queueDepth', waiting, { queue });
        set('queueAge', oldestAt === null ? 0 : Math.max(0, at - oldestAt), { queue });
        set('queueFailing', failing, { queue });
      }
      if (!backup) return;
      if (backup.succeededAt !== null) set('backupAge', Math.max(0, at - backup.succeededAt));
      set('backupFailed', backup.failure === '' ? 0 : 1);
    };
  }
}
