/** JSON envelope of every answer: `{code, msg, data, extra?}`. The HTTP status equals `code`. */
import { type Refusal, refusalStatus } from './outcome.ts';

export interface Envelope {
  code: number;
  msg: string;
  data: unknown;
  extra?: unknown;
  errors?: Record<string, string[]>;
  /** Messages of a failed import, in order. */
  err?: string[];
}

/** An answer as status, headers and text. `text` is undefined if the status has no body. */
export interface SerializedAnswer {
  status: number;
  headers: Record<string, string>;
  text: string | null;
}

export const responseOf = ({ text, ...init }: SerializedAnswer): Response => new Response(text, init);

export function serializeEnvelope(envelope: Envelope, headers: Record<string, string> = {}): SerializedAnswer {
  return {
    status: envelope.code,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    text: JSON.stringify(envelope),
  };
}

export const envelopeResponse = (envelope: Envelope, headers: Record<string, string> = {}): Response =>
  responseOf(serializeEnvelope(envelope, headers));

export function success(data: unknown, msg = '操作成功', extra?: unknown): Envelope {
  return { code: 200, msg, data, ...(extra === undefined ? {} : { extra }) };
}

export function refusalEnvelope({ kind, msg, data, errors, err }: Refusal): Envelope {
  return { code: refusalStatus[kind], msg, data, ...(errors ? { errors } : {}), ...(err ? { err } : {}) };
}

export function serializeRefusal(refusal: Refusal): SerializedAnswer {
  const headers: Record<string, string> = refusal.retryAfter ? { 'retry-after': String(refusal.retryAfter) } : {};
  return serializeEnvelope(refusalEnvelope(refusal), headers);
}

export const refusalResponse = (refusal: Refusal): Response => responseOf(serializeRefusal(refusal));
