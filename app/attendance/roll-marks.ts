/** Reads the roll call form. It has two fields per student: the status that was shown, and the chosen one. */
import { type PostedFields, textOf } from '../lib/form-data.ts';
import { idOf } from '../lib/search.ts';

const chosenField = (id: number) => `mark-${id}`;
const shownField = (id: number) => `from-${id}`;

export const rollFields = { chosen: chosenField, shown: shownField };

interface Choice {
  id: number;
  shown: string;
  chosen: string;
}

/** Reads the choices of the students for whom the form has both fields. */
export function rollChoicesIn(form: PostedFields): Choice[] {
  return [...form].flatMap(([name, value]) => {
    const id = name.startsWith('mark-') ? idOf(name.slice('mark-'.length)) : undefined;
    return id !== undefined ? [{ id, shown: textOf(form, shownField(id)), chosen: String(value) }] : [];
  });
}

/** Returns the students whose status was changed, in the form that the call takes. */
export function rollMarksIn<Status>(
  form: PostedFields,
  statusOf: (word: string) => Status | undefined,
): { id: number; from: Status; to: Status }[] {
  return rollChoicesIn(form).flatMap(({ id, shown, chosen }) => {
    const [from, to] = [statusOf(shown), statusOf(chosen)];
    return from === undefined || to === undefined || shown === chosen ? [] : [{ id, from, to }];
  });
}

/**
 * Handles the button 全部出勤. `unmarked` has a status by student id; the returned form has that status for each of these
 * students whose status was not changed by hand.
 */
export function markAllPresent(
  form: PostedFields,
  unmarked: ReadonlyMap<number, string>,
): [name: string, value: string][] {
  const choices = new Map(rollChoicesIn(form).map((choice) => [chosenField(choice.id), choice]));
  return [...form].flatMap(([name, value]): [string, string][] => {
    if (name === 'intent') return [];
    const choice = choices.get(name);
    const present = choice && choice.shown === choice.chosen ? unmarked.get(choice.id) : undefined;
    return [[name, present ?? String(value)]];
  });
}
