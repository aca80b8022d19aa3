/** Records each request after its answer: line of the access log, metrics, trace span. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setting } from '#server/platform/configuration/setting.ts';
import type { CurrentRequest } from './current-request.ts';
import { processLog } from './log.ts';
import { count, moveGauge, observeDuration } from './metrics.ts';
import { beginRequestSpan, endRequestSpan } from './traces.ts';

/** Label for requests without a route: static files and early refusals. */
const noRoute = 'static';
/** Paths of health checks and scrapes, which come every few seconds and are only logged if they fail. */
const probes = ['/healthz', '/readyz', '/metrics'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Unknown methods share one label, to bound the number of series. */
const methodLabel = (method: string) => (methods.includes(method) ? method : 'other');

/**
 * From this size in bytes a transfer counts as a file. Its duration depends on the client's line, so metrics leave it
 * out.
 */
const large = 1024 * 1024;

/** Call this when a request arrives. `current` collects facts about the request until it ends. */
export function followRequest(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): void {
  const began = performance.now();
  const { socket } = request;
  const [written, read] = [socket.bytesWritten, socket.bytesRead];
  moveGauge('inFlight', 1);
  const span = beginRequestSpan(current.method, String(request.headers.traceparent ?? ''));
  if (span) current.span = span;
  response.once('close', () => {
    const took = performance.now() - began;
    moveGauge('inFlight', -1);
    noteRequest(current, {
      took,
      // Undefined if the client disconnected before it had the whole answer.
      status: response.writableFinished ? response.statusCode : undefined,
      bytes: socket.bytesWritten - written,
      received: socket.bytesRead - read,
      isStream: isEventStream(response),
    });
  });
}

const isEventStream = (response: ServerResponse) =>
  String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');

interface RequestResult {
  /** Milliseconds. */
  took: number;
  status: number | undefined;
  bytes: number;
  received: number;
  isStream: boolean;
}

function noteRequest(current: CurrentRequest, { took, status, bytes, received, isStream }: RequestResult): void {
  const { requestId, statements, databaseTime, person, identity, span } = current;
  const [route, method] = [current.route ?? noRoute, methodLabel(current.method)];
  const labels = { route, method };
  count('requests', { ...labels, status: String(status ?? 'aborted') });
  if (!isStream) observeDuration('requestTime', took, labels);
  if (status !== undefined && status < 400) {
    for (const { name, labels: of, by } of current.counts ?? []) count(name, of, by);
  }
  if (span) endRequestSpan(span, { method, route, status: status ?? 499, requestId });
  const log = processLog();
  const isQuiet = (route === noRoute || probes.includes(route)) && (status ?? 0) < 400;
  const slow = setting('SLOW_REQUEST');
  const isSlow = slow > 0 && took >= slow && !isStream && bytes < large && received < large;
  const level = isSlow ? 'warn' : isQuiet ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId,
      ...(person !== undefined && { person }),
      ...(identity && { identity }),
      method,
      route,
      status: status ?? 'aborted',
      ms: Math.round(took * 10) / 10,
      bytes,
      statements,
      databaseMs: Math.round(databaseTime * 10) / 10,
    },
    isSlow ? 'slow request' : 'request',
  );
}
