import { courseTypeName } from '#server/classes/rules.ts';
import { courseKindOf, courseKinds, type courseStates, weekdayName, weekdayNames } from '#server/courses/rules.ts';
import { localValue } from '../lib/dates.ts';

export const kindChoices = courseKinds.map((kind) => [kind, courseTypeName(kind)] as const);

/** The choices of `kindChoices`, plus the course's current type if new courses cannot have it. */
export const kindChoicesWith = (type: number): readonly (readonly [number, string])[] =>
  courseKinds.some((kind) => kind === type)
    ? kindChoices
    : [...kindChoices, [type, `${courseTypeName(courseKindOf(type))}（类型${type}）`] as const];

const stateNames: Record<(typeof courseStates)[number], string> = { active: '在用', away: '已停用' };
export const stateChoices = [
  ['active', stateNames.active],
  ['away', stateNames.away],
] as const;
export const stateOf = ({ put_away_at }: { put_away_at: number | null }): string =>
  stateNames[put_away_at === null ? 'active' : 'away'];

export const weekdayChoices = weekdayNames.map((name, at) => [at + 1, name] as const);

export function formatSpan({ start_play, minutes }: { start_play: number; minutes: number }, timezone: string): string {
  const [day = '', start = ''] = localValue(start_play, timezone).split('T');
  const end = localValue(start_play + minutes * 60, timezone).slice(11);
  return `${day} ${weekdayName(day)} ${start}至${end}`;
}
