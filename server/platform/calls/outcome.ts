/** Refusals: values that say why a call is not carried out. An Error that is thrown is a bug. */

import type { FieldErrors } from './rules.ts';

/** Reason of a refusal; each kind has one HTTP status. */
export type RefusalKind =
  | 'malformed'
  | 'signed-out'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'gone'
  | 'too-large'
  | 'wrong-type'
  | 'invalid'
  | 'too-many'
  | 'away';

export const refusalStatus: Record<RefusalKind, number> = {
  malformed: 400,
  'signed-out': 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'wrong-type': 415,
  invalid: 422,
  'too-many': 429,
  away: 503,
};

export class Refusal {
  readonly kind: RefusalKind;
  /** Chinese message for the screen. */
  readonly msg: string;
  /** Messages by field, if a form is invalid. */
  readonly errors: FieldErrors | undefined;
  /** Facts for the caller, such as the score that somebody else gave meanwhile. */
  readonly data: unknown;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;
  /** Messages of a failed import, in order. */
  readonly err: string[] | undefined;

  constructor(
    kind: RefusalKind,
    msg: string,
    more: { errors?: FieldErrors; data?: unknown; retryAfter?: number; err?: string[] } = {},
  ) {
    this.kind = kind;
    this.msg = msg;
    this.errors = more.errors;
    this.data = more.data ?? null;
    this.retryAfter = more.retryAfter;
    this.err = more.err;
  }
}

export const missing = (msg = '记录不存在') => new Refusal('missing', msg);
export const forbidden = (msg: string) => new Refusal('forbidden', msg);
export const conflict = (msg: string, data?: unknown) => new Refusal('conflict', msg, { data });

/** Converts the sentence that a rule returns to a refusal of this kind; undefined if the rule has no objection. */
export const refuseFor = (kind: 'forbidden' | 'conflict', fault: string | undefined): Refusal | undefined =>
  fault === undefined ? undefined : new Refusal(kind, fault);

/** Converts the sentence that a rule returns to a 422 at a field; undefined if the rule has no objection. */
export const refuseField = (field: string, fault: string | undefined): Refusal | undefined =>
  fault === undefined ? undefined : invalid({ [field]: [fault] });

/** 422 with messages by field. By default the main message is the message of the first field. */
export function invalid(errors: FieldErrors, msg?: string): Refusal {
  return new Refusal('invalid', msg ?? Object.values(errors)[0]?.[0] ?? '请完善信息', { errors });
}

const fileRefusalKinds = {
  400: 'malformed',
  413: 'too-large',
  415: 'wrong-type',
  422: 'invalid',
  503: 'away',
} as const;

/** Why a file is refused. Plain data, so that worker threads can send it. */
export interface FileRefusal {
  refused: keyof typeof fileRefusalKinds;
  message: string;
}

/** Refuses an uploaded file; `field` is its form field. */
export function refuseFile({ refused, message }: FileRefusal, field = 'file'): Refusal {
  return new Refusal(fileRefusalKinds[refused], message, { errors: { [field]: [message] } });
}

/** Converts a refusal to data, for screens that show it beforehand; null if there is none. */
export const refusalPreview = (refusal: Refusal | null | undefined): { code: number; msg: string } | null =>
  refusal ? { code: refusalStatus[refusal.kind], msg: refusal.msg } : null;

export const isRefusal = (outcome: unknown): outcome is Refusal => outcome instanceof Refusal;
