/**
 * Prometheus metrics (counters, histograms, gauges). Off, and the package not loaded, unless METRICS_PORT or
 * METRICS_TOKEN is set. Labels have few values (bounded cardinality): route patterns, never addresses, persons or
 * records.
 */
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { currentRequest } from './current-request.ts';

export type Labels = Readonly<Record<string, string>>;

/** Counters by their names in the code. */
export const counters = {
  requests: {
    name: 'lectern_http_requests_total',
    help: 'Requests by the pattern of their address, method and status; "aborted" were left before their answer',
    labelNames: ['route', 'method', 'status'],
  },
  signInFailures: {
    name: 'lectern_sign_in_failures_total',
    help: 'Sign-ins that were refused, by whose they would have been; "unknown" is nobody’s name',
    labelNames: ['identity'],
  },
  imports: {
    name: 'lectern_imports_total',
    help: 'Jobs of imports (check, apply, undo) by what came of them',
    labelNames: ['job', 'outcome'],
  },
  grades: {
    name: 'lectern_grades_saved_total',
    help: 'Answers whose mark or comment was saved',
    labelNames: ['kind'],
  },
  handIns: {
    name: 'lectern_hand_ins_total',
    help: 'Homework and exams that were handed in, by learners or by the server when their time was over',
    labelNames: ['kind'],
  },
  replicaReads: {
    name: 'lectern_replica_reads_total',
    help: 'Statements that may be read from the replica, by who was asked: the replica, or the primary in its place',
    labelNames: ['server'],
  },
  policyReports: {
    name: 'lectern_policy_reports_total',
    help: 'What browsers have kept from a page by the content security policy, by its directive',
    labelNames: ['directive'],
  },
} as const;
export type CounterName = keyof typeof counters;

/** Durations in seconds. */
const histograms = {
  requestTime: {
    name: 'lectern_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer; streams of events are left out',
    labelNames: ['route', 'method'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  statementTime: {
    name: 'lectern_database_statement_duration_seconds',
    help: 'Time of a statement of the database',
    labelNames: [],
    buckets: [0.0005, 0.002, 0.01, 0.05, 0.2, 1, 5],
  },
} as const;
type HistogramName = keyof typeof histograms;

/** Gauges, most of them measured when scraped. */
const gauges = {
  inFlight: { name: 'lectern_http_requests_in_flight', help: 'Requests that are being answered', labelNames: [] },
  eventStreams: { name: 'lectern_event_streams', help: 'Streams of events that are open', labelNames: [] },
  connections: {
    name: 'lectern_database_connections',
    help: 'Connections to PostgreSQL by pool (requests, jobs) and state (used, idle)',
    labelNames: ['pool', 'state'],
  },
  connectionsMost: {
    name: 'lectern_database_connections_limit',
    help: 'Connections that a pool may have',
    labelNames: ['pool'],
  },
  waiting: {
    name: 'lectern_database_waiting',
    help: 'Who waits for a connection, or for their turn with SQLite (pool="file")',
    labelNames: ['pool'],
  },
  replica: {
    name: 'lectern_replica_used',
    help: '0 where the replica does not answer and the primary is read instead; missing where there is none',
    labelNames: [],
  },
  queueDepth: { name: 'lectern_queue_depth', help: 'What waits in a queue', labelNames: ['queue'] },
  queueAge: {
    name: 'lectern_queue_oldest_seconds',
    help: 'How long the oldest of a queue has waited',
    labelNames: ['queue'],
  },
  queueFailing: {
    name: 'lectern_queue_failing',
    help: 'What of a queue was tried and failed, and will be tried again',
    labelNames: ['queue'],
  },
  backupAge: {
    name: 'lectern_backup_age_seconds',
    help: 'Time since the last backup that succeeded; missing where there is none',
    labelNames: [],
  },
  backupFailed: {
    name: 'lectern_backup_failed',
    help: '1 where the last backup failed',
    labelNames: [],
  },
  ready: {
    name: 'lectern_ready',
    help: '1 where what the process needs can be used: database, storage, migrations',
    labelNames: ['check'],
  },
  build: {
    name: 'lectern_build_info',
    help: 'Always 1: the version that runs, and the engine of its database',
    labelNames: ['version', 'engine'],
  },
} as const;
export type GaugeName = keyof typeof gauges;

/** Sets a gauge. At each scrape all previous values of the gauge are removed before it is measured again. */
export type SetGauge = (name: GaugeName, value: number, labels?: Labels) => void;
type Measure = (set: SetGauge) => void | Promise<void>;

interface Meter {
  registry: Registry;
  counters: Record<CounterName, Counter>;
  times: Record<HistogramName, Histogram>;
  gauges: Record<GaugeName, Gauge>;
}
let meter: Meter | undefined;
const measures = new Map<string, Measure>();

const makeEach = <Name extends string, Made>(names: Record<Name, object>, make: (name: Name) => Made) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, make(name as Name)])) as Record<Name, Made>;

/** Switches metrics on. */
export async function openMetrics(): Promise<void> {
  if (meter) return;
  const { default: prometheus } = await import('prom-client');
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  const registers = [registry];
  meter = {
    registry,
    counters: makeEach(counters, (name) => new prometheus.Counter({ ...counters[name], registers })),
    times: makeEach(
      histograms,
      (name) => new prometheus.Histogram({ ...histograms[name], buckets: [...histograms[name].buckets], registers }),
    ),
    gauges: makeEach(gauges, (name) => new prometheus.Gauge({ ...gauges[name], registers })),
  };
}

/** Switches metrics off, for tests. */
export function closeMetrics(): void {
  meter?.registry.clear();
  meter = undefined;
}

export const isMeasured = (): boolean => meter !== undefined;

export const count = (name: CounterName, labels: Labels = {}, by = 1): void => meter?.counters[name].inc(labels, by);

/** Counts once the current request is answered; not if the request is refused and rolled back. */
export function countWhenAnswered(name: CounterName, labels: Labels, by = 1): void {
  if (!meter) return;
  const request = currentRequest();
  if (!request) {
    count(name, labels, by);
    return;
  }
  request.counts ??= [];
  request.counts.push({ name, labels, by });
}

/** Observes a duration in milliseconds. */
export const observeDuration = (name: HistogramName, milliseconds: number, labels: Labels = {}): void =>
  meter?.times[name].observe(labels, milliseconds / 1000);

/** Adds to a gauge that is not reset between scrapes. */
export const moveGauge = (name: 'inFlight' | 'eventStreams', by: number): void => meter?.gauges[name].inc(by);

/**
 * Registers a measurement that runs at each scrape and replaces an earlier one of the same name. Returns a function
 * that removes the measurement.
 */
export function registerMeasurement(name: string, measure: Measure): () => void {
  measures.set(name, measure);
  return () => {
    if (measures.get(name) === measure) measures.delete(name);
  };
}

/** Gauges that are not reset between scrapes. */
const keptGauges: readonly GaugeName[] = ['inFlight', 'eventStreams'];

/**
 * Returns all metrics in Prometheus text format. A measurement that fails is left out, for example while the database
 * is away.
 */
export async function metricsText(): Promise<{ type: string; text: string }> {
  if (!meter) throw new Error('nothing is measured');
  const { registry, gauges: all } = meter;
  for (const name of Object.keys(all) as GaugeName[]) {
    if (keptGauges.includes(name)) continue;
    all[name].reset();
    // Removes the previous value; otherwise a gauge without labels would report 0.
    if (gauges[name].labelNames.length === 0) all[name].remove();
  }
  const set: SetGauge = (name, value, labels = {}) => all[name].set(labels, value);
  await Promise.allSettled([...measures.values()].map(async (measure) => measure(set)));
  return { type: registry.contentType, text: await registry.metrics() };
}
