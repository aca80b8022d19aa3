/** What a call came to, read from the envelope that the API answers. */
import { data } from 'react-router';
import * as v from 'valibot';
import { type Envelope, refusalEnvelope } from '#server/platform/calls/envelope.ts';
import { keyIsTaken } from '#server/platform/calls/idempotency.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import { callMessages } from '#server/platform/calls/rules.ts';

/** What a call came to. A refusal carries the sentence to show and the messages by field. */
export type Outcome<Answer> = AnsweredOutcome<Answer> | RefusedOutcome;

interface AnsweredOutcome<Answer> {
  ok: true;
  data: Answer;
  msg: string;
  extra?: unknown;
}

export interface RefusedOutcome {
  ok: false;
  status: number;
  msg: string;
  errors?: Record<string, string[]>;
  err?: string[];
  data?: unknown;
}

export const awayMessage = callMessages.away;
/** To the person it is all the same whether the API is unreachable, too slow, cut off, or does not answer as it should. */
export const away = { ok: false, status: 503, msg: awayMessage } as const;

/** Of an answer that came as a Response; never rejects. */
export async function outcomeOfResponse<Answer>(answering: Promise<Response>): Promise<Outcome<Answer>> {
  let response: Response;
  let envelope: { code?: unknown; msg?: unknown; data?: unknown; extra?: unknown; errors?: unknown; err?: unknown };
  try {
    response = await answering;
    envelope = (await response.json()) as typeof envelope;
  } catch {
    return away;
  }
  if (envelope === null || typeof envelope !== 'object' || typeof envelope.code !== 'number') {
    return away;
  }
  const msg = typeof envelope.msg === 'string' && envelope.msg !== '' ? envelope.msg : awayMessage;
  if (response.ok && envelope.code === 200)
    return { ok: true, data: envelope.data as Answer, msg, extra: envelope.extra };
  const errors = v.safeParse(v.record(v.string(), v.array(v.string())), envelope.errors);
  const err = v.safeParse(v.array(v.string()), envelope.err);
  const status = response.ok ? 503 : response.status;
  return {
    ok: false,
    status,
    msg,
    data: envelope.data,
    ...(errors.success ? { errors: errors.output } : {}),
    ...(err.success ? { err: err.output } : {}),
  };
}

/** The same of an answer that did not travel. */
export function outcomeOf<Answer>(answered: Envelope | Refusal): Outcome<Answer> {
  const envelope = isRefusal(answered) ? refusalEnvelope(answered) : answered;
  const { code, msg, data, extra, errors, err } = envelope;
  if (code === 200) return { ok: true, data: data as Answer, msg, extra };
  return { ok: false, status: code, msg, data, ...(errors ? { errors } : {}), ...(err ? { err } : {}) };
}

/** What was answered; a refusal becomes the error page. */
export function orErrorPage<Answer>(outcome: Outcome<Answer>): AnsweredOutcome<Answer> {
  if (!outcome.ok) throw data({ msg: outcome.msg }, { status: outcome.status });
  return outcome;
}

/** The key for the form that comes back: a new one where this one has been used for something else. */
export function keyAfter(outcome: RefusedOutcome, key: string | undefined) {
  const told = outcome.data as Partial<typeof keyIsTaken> | null | undefined;
  return told?.idempotency_key === keyIsTaken.idempotency_key ? crypto.randomUUID() : key;
}

/** Refuses a HEAD or prefetch of a page that would change something. */
export const onlyLook = () => data({ msg: callMessages.notAllowed }, { status: 405 });
