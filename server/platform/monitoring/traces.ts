/**
 * Traces by OpenTelemetry, where OTEL_EXPORTER_OTLP_ENDPOINT says where to: a span for each request, the statements of the
 * database as its children, without values. Its packages are loaded then and not otherwise; what else is set by
 * variables of OpenTelemetry they read themselves.
 */
import type { Context, Span, Tracer } from '@opentelemetry/api';
import { setting } from '#server/platform/configuration/setting.ts';
import { shapeOf } from './statement-shape.ts';

interface Tracing {
  tracer: Tracer;
  /** The context of what goes on within a span. */
  within(span: Span): Context;
  /** That of a request, which may be part of a trace already. */
  outside(traceparent: string | undefined): Context;
  kinds: { server: number; client: number };
  failed: number;
  stop(): Promise<void>;
}
let tracing: Tracing | undefined;

export interface RequestSpan {
  span: Span;
  context: Context;
}

const parentForm = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** From now on requests are traced. */
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

/** Sends what has not been sent yet. */
export async function closeTraces(): Promise<void> {
  const ending = tracing;
  tracing = undefined;
  await ending?.stop();
}

/** Undefined where nothing is traced. `traceparent` as the request brings it. */
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

/** Began so many milliseconds after the process did, and ends now. Texts in the statement are no part of what is told. */
export function noteStatementSpan({ context }: RequestSpan, sql: string, began: number, isFailed: boolean): void {
  if (!tracing) return;
  const { tracer, kinds, failed } = tracing;
  const [word = 'query'] = /^\s*\w+/.exec(sql) ?? [];
  const span = tracer.startSpan(word.trim(), { kind: kinds.client, startTime: began }, context);
  span.setAttribute('db.query.text', shapeOf(sql, 2_000));
  if (isFailed) span.setStatus({ code: failed });
  span.end();
}

/** What another machine is told, so that its part belongs to the same trace. */
export function traceparentOf({ span }: RequestSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
