/** What the form of a roll call says of its students: the state that was shown, and the one that was chosen. */
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

/** Of the students of whom the form says both. */
export function rollChoicesIn(form: PostedFields): Choice[] {
  return [...form].flatMap(([name, value]) => {
    const id = name.startsWith('mark-') ? idOf(name.slice('mark-'.length)) : undefined;
    return id !== undefined ? [{ id, shown: textOf(form, shownField(id)), chosen: String(value) }] : [];
  });
}

/** The students of whom something else was chosen than was shown, in the words of the call. */
export function rollMarksIn<Status>(
  form: PostedFields,
  statusOf: (word: string) => Status | undefined,
): { id: number; from: Status; to: Status }[] {
  return rollChoicesIn(form).flatMap(({ id, shown, chosen }) => {
    const [from, to] = [statusOf(shown), statusOf(chosen)];
    return from === undefined || to === undefined || shown === chosen ? [] : [{ id, from, to }];
  });
}

/** 全部出勤: the form again, with this chosen for those in `unmarked` of whom nothing else was. */
export function allPresent(form: PostedFields, unmarked: ReadonlyMap<number, string>): [name: string, value: string][] {
  const choices = new Map(rollChoicesIn(form).map((choice) => [chosenField(choice.id), choice]));
  return [...form].flatMap(([name, value]): [string, string][] => {
    if (name === 'intent') return [];
    const choice = choices.get(name);
    const present = choice && choice.shown === choice.chosen ? unmarked.get(choice.id) : undefined;
    return [[name, present ?? String(value)]];
  });
}
