/**
 * The tables of the machinery, as its queries see them. Those of the subjects are added to them where the product
 * declares its own (server/school/tables.ts). Times are unix seconds, flags 0 or 1.
 */
import type { Generated } from 'kysely';
import type { Identity, Permission } from '#server/platform/auth/rules.ts';

export interface Tables {
  staff: StaffTable;
  staff_school: { staff_id: number; school_id: number };
  sign_in: SignInTable;
  service_token: {
    id: Generated<number>;
    name: string;
    token_hash: string;
    created_at: number;
    used_at: number | null;
    revoked_at: number | null;
    /** Of all schools, also of those to come; else of those in `service_token_school`. */
    every_school: Generated<Flag>;
  };
  service_token_school: { token_id: number; school_id: number };
  accepted_request: {
    staff_id: number;
    idempotency_key: string;
    request: string;
    content_hash: string | null;
    answer: string;
    accepted_at: number;
  };
  history: {
    id: Generated<number>;
    at: number;
    staff_id: number | null;
    record: string;
    record_id: number;
    action: string;
    before: string | null;
    after: string | null;
    /** Of the record when this was done, written by the database; null: of no school, or of all. */
    school_id: Generated<number | null>;
  };
  erased_history: { history_id: number; student_id: number; staff_id: number | null; at: number };
  export_file: ExportFileTable;
  sms_outbox: SmsOutboxTable;
  attempt: AttemptTable;
  serving_process: ServingProcessTable;
  policy_report: PolicyReportTable;
  background_job: BackgroundJobTable;
}

export type Flag = 0 | 1;

interface StaffTable extends Record<`can_${Permission}`, Generated<Flag>> {
  id: Generated<number>;
  identity: Identity;
  username: string;
  password_hash: string;
  real_name: string;
  mobile: Generated<string>;
  avatar: Generated<string>;
  introduction: Generated<string>;
  school_id: number;
  /** Of an administrator: of all schools, also of those to come. */
  every_school: Generated<Flag>;
  /** Signed in with a password that was given to them, they have to choose their own first. */
  must_change_password: Generated<Flag>;
  /** Of their second factor, in base32; empty: they have none. */
  totp_secret: Generated<string>;
  /** The time step of the last code that was taken. */
  totp_step: Generated<number>;
  totp_at: Generated<number | null>;
  /** A JSON list of hashes. */
  recovery_codes: Generated<string>;
  disabled_at: number | null;
  created_at: number;
}

interface SignInTable {
  id: Generated<number>;
  token_hash: string;
  staff_id: number;
  device: Generated<string>;
  address: Generated<string>;
  /** The password was right, the code of the second factor was not given yet. */
  awaits_code: Generated<Flag>;
  /** A provider's word was enough: no code of our own is asked beside it. */
  without_code: Generated<Flag>;
  /** The kind of provider by which it was; empty: a password. */
  provider: Generated<string>;
  created_at: number;
  used_at: number;
  revoked_at: number | null;
}

interface ExportFileTable {
  id: Generated<number>;
  token: string;
  staff_id: number;
  name: string;
  content_type: string;
  state: number;
  done: Generated<number>;
  total: Generated<number>;
  storage_key: string | null;
  created_at: number;
  updated_at: number;
}

/** A product adds what its messages are about. */
export interface SmsOutboxTable {
  id: Generated<number>;
  message_id: string;
  mobile: string;
  content: string;
  created_at: number;
  next_try_at: number;
  tries: Generated<number>;
  last_error: Generated<string>;
  delivered_at: number | null;
  /** Of what is no text message but told to an application. */
  webhook_id: Generated<number | null>;
  /** What has the same is sent one after the other; empty: in no order. */
  lane: Generated<string>;
}

/** How often something that could be guessed was tried within its window. */
interface AttemptTable {
  id: string;
  tries: number;
  ends_at: number;
}

interface ServingProcessTable {
  id: string;
  host: string;
  pid: number;
  number: number | null;
  version: string;
  memory: number;
  storage: string;
  started_at: number;
  seen_at: number;
}

interface PolicyReportTable {
  directive: string;
  blocked: string;
  page: string;
  source: string;
  count: number;
  first_at: number;
  last_at: number;
}

interface BackgroundJobTable {
  kind: string;
  due_at: number;
  /** Empty: nobody does it now. */
  holder: Generated<string>;
  held_until: Generated<number>;
  started_at: number | null;
  done_at: number | null;
  tries: Generated<number>;
  last_error: Generated<string>;
}
