/** Two people edit one record: what somebody else has changed since a form was opened is told, field by field. */
import { createHash } from 'node:crypto';
import { conflict, type Refusal } from './outcome.ts';

const markOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 8);

/** What a form shows of a record: a mark for each field, to be sent back with it. */
export const seenOf = (record: object): string =>
  Object.entries(record)
    .map(([field, value]) => `${field}:${markOf(value)}`)
    .join(' ');

/** An edit of what somebody else may have changed meanwhile. */
export interface Edit<Fields extends object> {
  now: Fields;
  written: Fields;
  /** What both have changed, and not to the same. */
  conflicts: (keyof Fields & string)[];
  /**
   * What makes the same form, sent again, one that knows of the conflicts. What the writer left alone is marked as it was
   * when the form was opened: sent again, it does not take back what somebody else has made of it.
   */
  seen: string;
}

/**
 * `written` over what is there `now`. What the writer left as it was `seen` stays as somebody else has made it meanwhile;
 * what both have changed, and not to the same, is a conflict. A field that was not seen is as it is written.
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
  const told = [...marks].map(([field, mark]) => `${field}:${mark}`).join(' ');
  return { merged, conflicts, both: { now, written: merged, conflicts, seen: told } };
}

/** The refusal of such an edit: both values of each conflict. */
export function editConflict<const Fields extends object>(
  { now, written, conflicts, seen }: Edit<Fields>,
  /** Who changed it last; the name of a field; and a value of it as it is read. */
  said: {
    by: string;
    nameOf: Record<keyof Fields & string, string>;
    shown: (field: keyof Fields & string, value: unknown) => string;
  },
): Refusal {
  const both = conflicts.map((field) => ({
    field,
    theirs: said.shown(field, now[field]),
    yours: said.shown(field, written[field]),
  }));
  const told = both.map(({ field, theirs, yours }) => `${said.nameOf[field]}现在是“${theirs}”，您填写的是“${yours}”`);
  return conflict(`${said.by}刚刚修改了该记录：${told.join('；')}。再次保存将以您填写的为准。`, {
    seen,
    conflicts: both,
  });
}

/**
 * What a change does to others is said before it is made: whoever makes it sends the sentence back. What is to be said
 * by now, where that is something else, is said anew.
 */
export const mustAcknowledge = (effect: string | undefined, acknowledged: string): Refusal | undefined =>
  effect === undefined || effect === acknowledged
    ? undefined
    : conflict(`${effect}。确认无误请再次提交。`, { acknowledged: effect });
