/**
 * Answers that are saved while an exam is being taken. If several devices save the same answer, decides which one
 * counts, and keeps the other one beside it.
 */
import * as v from 'valibot';
import type { Database } from '#server/platform/db/engine.ts';
import { columnNames, jsonRows, selectJsonRows } from '#server/platform/db/json-rows.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';

export interface SentAnswer {
  ques_id: number;
  user_answer: string;
  is_sign: 0 | 1;
  /**
   * Number of the save by this device, growing, such as a time in milliseconds; 0 if the device does not number its
   * saves.
   */
  serial: number;
  /**
   * Version of the saved answer that the device had read; 0 if there was none; undefined if the device sends no
   * versions.
   */
  version?: number | undefined;
}

interface Content {
  user_answer: string;
  is_sign: 0 | 1;
  /** Unix seconds. */
  saved_at: number;
}

export interface SavedAnswer extends Content {
  attempt_id: number;
  question_id: number;
  serial: number;
  version: number;
  /** Id of the learner's sign-in that saved it; '' with a service token. */
  device: string;
  /** Superseded answers as JSON, latest first. */
  aside: string;
}

/** Maximum number of superseded answers kept per question. */
const maxAsideAnswers = 5;

const Aside = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ user_answer: v.string(), is_sign: v.picklist([0, 1]), saved_at: v.number() })),
);
export const parseSetAsideAnswers = (stored: string): Content[] => v.parse(Aside, stored);

/** Replaces a number that is in the future: a device with a fast clock would otherwise win over all others. */
const serialAt = (serial: number, now: number): number => (serial >= (now + 1) * 1_000 ? now * 1_000 : serial);

type FromDevice = SentAnswer & { device: string };

/** True if one device sent both saves and numbers its saves. */
const areOrdered = (stands: SavedAnswer, sent: FromDevice): boolean =>
  stands.device === sent.device && stands.serial > 0 && sent.serial > 0;

/** True if the device had not read the current answer, or has sent a later one in the meantime. */
function isOlder(stands: SavedAnswer, sent: FromDevice): boolean {
  if (sent.version !== undefined && sent.version >= stands.version) return false;
  return areOrdered(stands, sent) ? sent.serial < stands.serial : sent.version !== undefined;
}

/** True if the sender had read the answer that this save replaces. */
const replacesKnown = (stands: SavedAnswer, sent: FromDevice): boolean =>
  sent.version === stands.version || areOrdered(stands, sent) || (sent.device !== '' && sent.device === stands.device);

function appendAside(stored: string, { user_answer, is_sign, saved_at }: Content, stands: Content): string {
  const others = parseSetAsideAnswers(stored).filter(
    (one) => one.user_answer !== user_answer && one.user_answer !== '',
  );
  const added = user_answer === '' || user_answer === stands.user_answer ? [] : [{ user_answer, is_sign, saved_at }];
  return JSON.stringify([...added, ...others].slice(0, maxAsideAnswers));
}

/** Saved answers of locked attempts, including changes that `store` has not written yet. */
export class SavedAnswers {
  private readonly rows: Map<string, SavedAnswer>;
  private readonly touched = new Set<string>();

  constructor(stored: readonly SavedAnswer[]) {
    this.rows = new Map(stored.map((row) => [keyOf(row.attempt_id, row.question_id), row]));
  }

  /** Saves an answer. If the device had not read the current answer, the new one is only kept beside it. */
  save(
    attemptId: number,
    { ques_id, serial: claimed, ...answer }: SentAnswer,
    { now, device }: { now: number; device: string },
  ): { kept: boolean; stands: SavedAnswer } {
    const key = keyOf(attemptId, ques_id);
    const sent = { ...answer, ques_id, serial: serialAt(claimed, now), device };
    const { user_answer, is_sign, serial } = sent;
    const content = { user_answer, is_sign, saved_at: now };
    const before = this.rows.get(key);
    if (before && before.user_answer === user_answer && before.is_sign === is_sign) {
      if (before.device === device && serial > before.serial) this.put(key, { ...before, serial });
      return { kept: true, stands: before };
    }
    if (before && isOlder(before, sent)) {
      const stands = { ...before, aside: appendAside(before.aside, content, before) };
      this.put(key, stands);
      return { kept: false, stands };
    }
    const stands: SavedAnswer = {
      attempt_id: attemptId,
      question_id: ques_id,
      ...content,
      serial,
      version: (before?.version ?? 0) + 1,
      device,
      aside: before?.aside ?? '[]',
    };
    if (before && !replacesKnown(before, sent)) stands.aside = appendAside(before.aside, before, content);
    this.put(key, stands);
    return { kept: true, stands };
  }

  /** Writes the pending changes. */
  async store(db: Database): Promise<void> {
    const rows = [...this.touched].flatMap((key) => this.rows.get(key) ?? []);
    if (rows.length > 0) await storeRows(db, { rows: jsonRows(db, columns, rows) });
  }

  private put(key: string, row: SavedAnswer): void {
    this.rows.set(key, row);
    this.touched.add(key);
  }
}

const keyOf = (attemptId: number, questionId: number) => `${attemptId} ${questionId}`;

const columns = {
  attempt_id: 'integer',
  question_id: 'integer',
  user_answer: 'text',
  is_sign: 'integer',
  serial: 'integer',
  saved_at: 'integer',
  version: 'integer',
  device: 'text',
  aside: 'text',
} as const;

const storeRows = prepared((db, { rows }: Placeholders<{ rows: string }>) =>
  db
    .insertInto('exam_attempt_answer')
    .columns(columnNames(columns))
    .expression(selectJsonRows(db, columns, rows))
    .onConflict((saved) =>
      saved.columns(['attempt_id', 'question_id']).doUpdateSet((eb) => ({
        user_answer: eb.ref('excluded.user_answer'),
        is_sign: eb.ref('excluded.is_sign'),
        serial: eb.ref('excluded.serial'),
        saved_at: eb.ref('excluded.saved_at'),
        version: eb.ref('excluded.version'),
        device: eb.ref('excluded.device'),
        aside: eb.ref('excluded.aside'),
      })),
    ),
);

/**
 * Deliberately not a prepared statement: between exams this table is empty, and a plan cached then would scan all of it
 * later.
 */
export const savedAnswersOf = async (db: Database, attemptIds: readonly number[]): Promise<SavedAnswer[]> =>
  attemptIds.length === 0
    ? []
    : db
        .selectFrom('exam_attempt_answer')
        .selectAll()
        .where('attempt_id', 'in', attemptIds)
        .orderBy('attempt_id')
        .orderBy('question_id')
        .execute();
