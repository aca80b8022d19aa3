/**
 * Optimistic locking by field. If two people edit one record, the second is told what the first has changed since the
 * form was opened, so that no change is lost.
 */
import { createHash } from 'node:crypto';
import { conflict, type Refusal } from './outcome.ts';

const markOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 8);

/** Returns the version of a record for a hidden form field: a checksum per field. */
export const versionTokenOf = (record: object): string =>
  Object.entries(record)
    .map(([field, value]) => `${field}:${markOf(value)}`)
    .join(' ');

/** The fields of an edit, merged with changes that somebody else made meanwhile. */
export interface Edit<Fields extends object> {
  now: Fields;
  written: Fields;
  /** Fields that both users changed, to different values. */
  conflicts: (keyof Fields & string)[];
  /**
   * Version for the next submit, which then overwrites the conflicting fields. Fields that this user did not edit keep
   * their previous version, so that the submit does not revert the other user's change.
   */
  seen: string;
}

/**
 * Merges the submitted fields (`written`) into the current record (`now`). `seen` is the version that the form was
 * opened with. A field that the user did not change keeps its current value. A field that both users changed to
 * different values is a conflict. A field without a version in `seen` is overwritten.
 */
export function mergeEdit<const Fields extends object>(
  seen: string,
  now: Fields,
  written: Fields,
): { merged: Fields; conflicts: (keyof Fields & string)[]; both: Edit<Fields> } {
  const marks = new Map(seen.split(' ').map((part) => part.split(':') as [string, string]));
  const fields = Object.keys(now) as (keyof Fields & string)[];
  const merged = { ...written };
  const conflicts: (keyof Fields & string)[] = [];
  for (const field of fields) {
    const before = marks.get(field);
    const [there, typed] = [markOf(now[field]), markOf(written[field])];
    if (before === undefined || before === there || there === typed) continue;
    if (before === typed) merged[field] = now[field];
    else conflicts.push(field);
  }
  for (const field of conflicts) marks.set(field, markOf(now[field]));
  const text = [...marks].map(([field, mark]) => `${field}:${mark}`).join(' ');
  return { merged, conflicts, both: { now, written: merged, conflicts, seen: text } };
}

/** Builds the 409 refusal, with both values of each conflict. */
export function editConflict<const Fields extends object>(
  { now, written, conflicts, seen }: Edit<Fields>,
  /** Data for the message: name of the other user, labels of the fields, and values as text. */
  said: {
    by: string;
    nameOf: Record<keyof Fields & string, string>;
    shown: (field: keyof Fields & string, value: unknown) => string;
  },
): Refusal {
  const shownConflicts = conflicts.map((field) => ({
    field,
    theirs: said.shown(field, now[field]),
    yours: said.shown(field, written[field]),
  }));
  const lines = shownConflicts.map(
    ({ field, theirs, yours }) => `${said.nameOf[field]}现在是“${theirs}”，您填写的是“${yours}”`,
  );
  return conflict(`${said.by}刚刚修改了该记录：${lines.join('；')}。再次保存将以您填写的为准。`, {
    seen,
    conflicts: shownConflicts,
  });
}

/**
 * Refuses with a sentence about the effect on others, until the caller sends back exactly that sentence. If the effect
 * has changed meanwhile, the new sentence must be confirmed.
 */
export const requireConfirmation = (effect: string | undefined, acknowledged: string): Refusal | undefined =>
  effect === undefined || effect === acknowledged
    ? undefined
    : conflict(`${effect}。确认无误请再次提交。`, { acknowledged: effect });
