/** Choices of the rollover form, with suggested names. */

import { termChoices } from '#server/catalogue/terms.ts';
import { addDays } from '#server/courses/rules.ts';
import { schoolChoices } from '#server/school/admin-schools.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { groupRows } from '#server/school/importer.ts';
import type { RollOverOptions } from './contract.ts';
import { beginsSchoolYear, nextClassName, nextGrade, nextTitle, usualFate } from './rules.ts';
import { coursesOfSchool, membersOf, periodsOf, recentPromotions, runningClasses } from './stored-data.ts';

/** Maximum choices that are listed; a search by name finds the others. */
const classesOffered = 60;

const coursesOffered = 60;

const targetsOffered = 200;

const nothing = {
  term_id: 0,
  follow: 0,
  earlier: null,
  grade_plans: [],
  targets: [],
  more_classes: 0,
  more_courses: 0,
  classes: [],
  courses: [],
} satisfies Partial<RollOverOptions>;

export async function rollOverOptionsOf(
  { db, actor, now, settings }: RuleContext<'actor' | 'now' | 'settings'>,
  {
    school_id,
    grade_id,
    name,
  }: { school_id?: number | undefined; grade_id?: number | undefined; name?: string | undefined },
): Promise<RollOverOptions> {
  const schools = await schoolChoices(db, actor);
  const school = schools.find(({ id }) => id === school_id) ?? schools[0];
  if (!school) return { schools, school_id: 0, grades: [], terms: [], ...nothing };
  const [terms, grades, running, all, promoted] = await Promise.all([
    termChoices(db),
    db.selectFrom('grade').select(['id', 'name']).where('put_away_at', 'is', null).orderBy('id').execute(),
    runningClasses({ db, actor, now }, school.id),
    coursesOfSchool({ db, actor }, school.id),
    recentPromotions({ db, now }, school.id),
  ]);
  const matching = running.filter((theClass) => grade_id === undefined || theClass.grade_id === grade_id);
  const named = all.filter(({ title }) => name === undefined || title.includes(name));
  const [classes, courses] = [matching.slice(0, classesOffered), named.slice(0, coursesOffered)];
  const members = await membersOf(
    db,
    matching.map(({ id }) => id),
  );
  const periods = groupRows(
    await periodsOf(
      db,
      courses.map(({ id }) => id),
    ),
    ({ course_id }) => course_id,
  );
  const { timezone } = settings;
  const today = dayOf(now, timezone);
  // Terms are latest first, so the last of them is the next to begin.
  const term = terms.filter(({ first_day }) => first_day > today).at(-1);
  const start = term?.first_day ?? today;
  const isYearBegin = beginsSchoolYear(start);
  const titles = new Set(all.map(({ title }) => title));
  const again = running.flatMap(({ id }) => promoted.get(id) ?? []);
  const last = again.sort((one, other) => other.appliedAt - one.appliedAt)[0];
  const byGrade = groupRows(matching, (theClass) => theClass.grade_id ?? 0);
  return {
    schools,
    school_id: school.id,
    grades,
    terms: terms.map(({ id, name: called, first_day }) => ({ id, name: called, first_day })),
    term_id: term?.id ?? 0,
    follow: term && !isYearBegin ? 1 : 0,
    earlier: last
      ? {
          import_id: last.importId,
          day: dayOf(last.appliedAt, timezone),
          classes: again.filter(({ importId }) => importId === last.importId).length,
        }
      : null,
    grade_plans: [...byGrade].map(([id, those]) => {
      const called = those[0]?.grade_name ?? '';
      const isDone = those.every((theClass) => promoted.has(theClass.id));
      return {
        grade_id: id,
        name: called,
        classes: those.length,
        students: those.reduce((sum, theClass) => sum + (members.get(theClass.id)?.length ?? 0), 0),
        fate: isYearBegin && !isDone ? usualFate(called, grades) : 'stay',
        next_grade_id: nextGrade(called, grades)?.id ?? 0,
      };
    }),
    targets: (running.length > targetsOffered ? matching : running)
      .slice(0, targetsOffered)
      .map((theClass) => ({ id: theClass.id, name: theClass.name })),
    more_classes: matching.length - classes.length,
    more_courses: named.length - courses.length,
    classes: classes.map(({ id, grade_name, ...theClass }) => {
      const next = nextGrade(grade_name ?? '', grades);
      return {
        id,
        name: theClass.name,
        grade_id: theClass.grade_id ?? 0,
        grade_name: grade_name ?? '',
        students: members.get(id)?.length ?? 0,
        next_name: next ? nextClassName(theClass.name, grade_name ?? '', next.name) : '',
        next_grade_id: next?.id ?? 0,
      };
    }),
    courses: courses.map(({ id, title }) => {
      const days = (periods.get(id) ?? []).map(({ start_play }) => dayOf(start_play, timezone)).sort();
      return {
        id,
        title,
        periods: days.length,
        first_day: days[0] ?? '',
        last_day: days.at(-1) ?? '',
        next_title: nextTitle(title, start),
        is_usual: term && isOver(days, start) && !titles.has(nextTitle(title, start)) ? 1 : 0,
      };
    }),
  };
}

/** True if the last of the days (sorted, yyyy-mm-dd) is in the year before `start`. */
function isOver(days: readonly string[], start: string): boolean {
  const last = days.at(-1);
  return last !== undefined && last < start && last >= addDays(start, -366);
}
