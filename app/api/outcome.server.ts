/** Outcomes of calls, parsed from the JSON that the API returns. */
import { data } from 'react-router';
import * as v from 'valibot';
import { type Envelope, refusalEnvelope } from '#server/platform/calls/envelope.ts';
import { keyInUse } from '#server/platform/calls/idempotency.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import { callMessages } from '#server/platform/calls/rules.ts';

/** Result of a call. A refusal has the message to show, and the errors by field. */
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

export const unreachableMessage = callMessages.away;
/** One message if the API is unreachable, slow, cut off or returns nonsense: to the user it is all the same. */
export const unreachableOutcome = { ok: false, status: 503, msg: unreachableMessage } as const;

/** Parses a Response of the API. Never rejects. */
export async function outcomeOfResponse<Answer>(answering: Promise<Response>): Promise<Outcome<Answer>> {
  let response: Response;
  let envelope: { code?: unknown; msg?: unknown; data?: unknown; extra?: unknown; errors?: unknown; err?: unknown };
  try {
    response = await answering;
    envelope = (await response.json()) as typeof envelope;
  } catch {
    return unreachableOutcome;
  }
  if (envelope === null || typeof envelope !== 'object' || typeof envelope.code !== 'number') {
    return unreachableOutcome;
  }
  const msg = typeof envelope.msg === 'string' && envelope.msg !== '' ? envelope.msg : unreachableMessage;
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

/** Converts the result of a call that was answered in this process. */
export function outcomeOf<Answer>(answered: Envelope | Refusal): Outcome<Answer> {
  const envelope = isRefusal(answered) ? refusalEnvelope(answered) : answered;
  const { code, msg, data, extra, errors, err } = envelope;
  if (code === 200) return { ok: true, data: data as Answer, msg, extra };
  return { ok: false, status: code, msg, data, ...(errors ? { errors } : {}), ...(err ? { err } : {}) };
}

/** Returns the answer of a call. A refusal becomes the error page. */
export function answerOrErrorPage<Answer>(outcome: Outcome<Answer>): AnsweredOutcome<Answer> {
  if (!outcome.ok) throw data({ msg: outcome.msg }, { status: outcome.status });
  return outcome;
}

/** Idempotency key for a form that is shown again: a new one if another request has used the old one. */
export function idempotencyKeyAfter(outcome: RefusedOutcome, key: string | undefined) {
  const details = outcome.data as Partial<typeof keyInUse> | null | undefined;
  return details?.idempotency_key === keyInUse.idempotency_key ? crypto.randomUUID() : key;
}

/** Refusal (405) of a HEAD or prefetch of a page that would change something. */
export const methodNotAllowed = () => data({ msg: callMessages.notAllowed }, { status: 405 });
