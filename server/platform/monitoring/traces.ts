/**
 * OpenTelemetry traces, only if OTEL_EXPORTER_OTLP_ENDPOINT is set. Each request is a span; its SQL statements are
 * child spans without values. The OpenTelemetry packages are loaded only then, and read the other OTEL_ variables
 * themselves.
 */
import type { Context, Span, Tracer } from '@opentelemetry/api';
import { setting } from '#server/platform/configuration/setting.ts';
import { shapeOf } from './statement-shape.ts';

interface TraceApi {
  tracer: Tracer;
  /** Context for work inside a span. */
  within(span: Span): Context;
  /** Parent context from a request's `traceparent` header. */
  outside(traceparent: string | undefined): Context;
  kinds: { server: number; client: number };
  failed: number;
  stop(): Promise<void>;
}
let tracing: TraceApi | undefined;

export interface RequestSpan {
  span: Span;
  context: Context;
}

const parentForm = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Switches tracing on. */
export async function openTraces({ version }: { version: string }): Promise<void> {
  if (tracing) return;
  const [
    { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace },
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { defaultResource, resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const service = { 'service.name': setting('OTEL_SERVICE_NAME'), 'service.version': version };
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(service)),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  tracing = {
    tracer: provider.getTracer('lectern', version),
    within: (span) => trace.setSpan(ROOT_CONTEXT, span),
    outside(traceparent) {
      const [, traceId, spanId, flags] = parentForm.exec(traceparent ?? '') ?? [];
      if (!traceId || !spanId) return ROOT_CONTEXT;
      return trace.setSpanContext(ROOT_CONTEXT, {
        traceId,
        spanId,
        traceFlags: Number.parseInt(flags ?? '0', 16),
        isRemote: true,
      });
    },
    kinds: { server: SpanKind.SERVER, client: SpanKind.CLIENT },
    failed: SpanStatusCode.ERROR,
    stop: () => provider.shutdown(),
  };
}

/** Flushes unsent spans and switches tracing off. */
export async function closeTraces(): Promise<void> {
  const ending = tracing;
  tracing = undefined;
  await ending?.stop();
}

/** Starts a request's span; undefined if tracing is off. `traceparent`: the request's header. */
export function beginRequestSpan(method: string, traceparent: string | undefined): RequestSpan | undefined {
  if (!tracing) return undefined;
  const { tracer, outside, within, kinds } = tracing;
  const span = tracer.startSpan(method, { kind: kinds.server }, outside(traceparent));
  return { span, context: within(span) };
}

export function endRequestSpan(
  { span }: RequestSpan,
  { method, route, status, requestId }: { method: string; route: string; status: number; requestId: string },
): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'lectern.request_id': requestId,
  });
  if (status >= 500 && tracing) span.setStatus({ code: tracing.failed });
  span.end();
}

/** Adds a child span for a finished statement, without string literals; `began` by `performance.now()`. */
export function noteStatementSpan({ context }: RequestSpan, sql: string, began: number, isFailed: boolean): void {
  if (!tracing) return;
  const { tracer, kinds, failed } = tracing;
  const [word = 'query'] = /^\s*\w+/.exec(sql) ?? [];
  const span = tracer.startSpan(word.trim(), { kind: kinds.client, startTime: began }, context);
  span.setAttribute('db.query.text', shapeOf(sql, 2_000));
  if (isFailed) span.setStatus({ code: failed });
  span.end();
}

/** Returns the `traceparent` header for outgoing requests, so that they join the trace. */
export function traceparentOf({ span }: RequestSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
