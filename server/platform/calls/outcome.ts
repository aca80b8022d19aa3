/** What a rule answers when it does not do what was asked. Refusals are values; a thrown Error is a bug. */

import type { FieldErrors } from './rules.ts';

/** Why: each kind has one HTTP status, given at the edge. */
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
  /** The Chinese sentence that the screen shows. */
  readonly msg: string;
  /** Messages by field, of an invalid form. */
  readonly errors: FieldErrors | undefined;
  /** Facts for the caller, such as the mark that someone else gave meanwhile. */
  readonly data: unknown;
  /** Seconds until another try makes sense. */
  readonly retryAfter: number | undefined;
  /** Sentences in a row, where an import failed. */
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

/** What a rule found to be wrong, as a refusal of this kind; undefined where it found nothing. */
export const refuseFor = (kind: 'forbidden' | 'conflict', fault: string | undefined): Refusal | undefined =>
  fault === undefined ? undefined : new Refusal(kind, fault);

/** The same of a field. */
export const refuseField = (field: string, fault: string | undefined): Refusal | undefined =>
  fault === undefined ? undefined : invalid({ [field]: [fault] });

/** Invalid fields; the sentence is the first field's unless another is given. */
export function invalid(errors: FieldErrors, msg?: string): Refusal {
  return new Refusal('invalid', msg ?? Object.values(errors)[0]?.[0] ?? '请完善信息', { errors });
}

const fileRefusalKinds = { 400: 'malformed', 413: 'too-large', 415: 'wrong-type', 422: 'invalid' } as const;

/** Why a file is not taken. Plain data: it also comes from the threads that look into files. */
export interface FileRefusal {
  refused: keyof typeof fileRefusalKinds;
  message: string;
}

/** A file that was not taken. `field` is the form's field that it came in. */
export function fileRefused({ refused, message }: FileRefusal, field = 'file'): Refusal {
  return new Refusal(fileRefusalKinds[refused], message, { errors: { [field]: [message] } });
}

/** A refusal as it is told beforehand; null where there is none. */
export const refusedBefore = (refusal: Refusal | null | undefined): { code: number; msg: string } | null =>
  refusal ? { code: refusalStatus[refusal.kind], msg: refusal.msg } : null;

export const isRefusal = (outcome: unknown): outcome is Refusal => outcome instanceof Refusal;
