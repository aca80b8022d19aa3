/** `{code, msg, data, extra?}`; the HTTP status equals `code`. */
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

export function refusalEnvelope({ kind, msg, data, errors, err }: Refusal): Envelope {
  return { code: refusalStatus[kind], msg, data, ...(errors ? { errors } : {}), ...(err ? { err } : {}) };
}

export function refusalResponse(refusal: Refusal): Response {
  const headers: Record<string, string> = refusal.retryAfter ? { 'retry-after': String(refusal.retryAfter) } : {};
  return envelopeResponse(refusalEnvelope(refusal), headers);
}
