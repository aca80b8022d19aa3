/** `{code, msg, data, extra?}`; the HTTP status equals `code` (decisions, section 1). */
import { type Refusal, refusalStatus } from './outcome.ts';

export interface Envelope {
  code: number;
  msg: string;
  data: unknown;
  extra?: unknown;
  errors?: Record<string, string[]>;
  /** Sentences in a row, where an import failed. */
  err?: string[];
}

export function envelopeResponse(envelope: Envelope, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(envelope), {
    status: envelope.code,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });
}

export function success(data: unknown, msg = '操作成功', extra?: unknown): Envelope {
  return { code: 200, msg, data, ...(extra === undefined ? {} : { extra }) };
}

export function refusalResponse(refusal: Refusal): Response {
  const headers: Record<string, string> = refusal.retryAfter ? { 'retry-after': String(refusal.retryAfter) } : {};
  const { msg, data, errors, err } = refusal;
  const code = refusalStatus[refusal.kind];
  return envelopeResponse({ code, msg, data, ...(errors ? { errors } : {}), ...(err ? { err } : {}) }, headers);
}
