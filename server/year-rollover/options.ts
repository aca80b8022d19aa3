/** Choices of the rollover form, with suggested names. */

import { termChoices } from '#server/catalogue/terms.ts';
import { schoolChoices } from '#server/school/admin-schools.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { groupRows } from '#server/school/importer.ts';
import type { RollOverOptions } from './contract.ts';
import { coursesOfSchool, membersOf, periodsOf, runningClasses } from './stored-data.ts';

/** Maximum choices that are listed; a search by name finds the others. */
const classesOffered = 60;

const coursesOffered = 60;

const targetsOffered = 200;

const nothing = { targets: [], more_classes: 0, more_courses: 0, classes: [], courses: [] };

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
  const [terms, grades, running, all] = await Promise.all([
    termChoices(db),
    db.selectFrom('grade').select(['id', 'name']).where('put_away_at', 'is', null).orderBy('id').execute(),
    runningClasses({ db, actor, now }, school.id),
    coursesOfSchool({ db, actor }, school.id),
  ]);
  const matching = running.filter((theClass) => grade_id === undefined || theClass.grade_id === grade_id);
  const named = all.filter(({ title }) => name === undefined || title.includes(name));
  const [classes, courses] = [matching.slice(0, classesOffered), named.slice(0, coursesOffered)];
  const members = await membersOf(
    db,
    classes.map(({ id }) => id),
  );
  const periods = groupRows(
    await periodsOf(
      db,
      courses.map(({ id }) => id),
    ),
    ({ course_id }) => course_id,
  );
  const { timezone } = settings;
  return {
    schools,
    school_id: school.id,
    grades,
    terms: terms.map(({ id, name: called, first_day }) => ({ id, name: called, first_day })),
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
        next_name:
          next && grade_name && theClass.name.includes(grade_name) ? theClass.name.replace(grade_name, next.name) : '',
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
        next_title: nextTitle(title),
      };
    }),
  };
}

const digits = '一二三四五六七八九';

/** Finds the grade whose name has the next number: 高一 → 高二, 七年级 → 八年级. */
export function nextGrade<Grade extends { name: string }>(name: string, grades: readonly Grade[]): Grade | undefined {
  const at = [...name].findIndex((sign) => digits.includes(sign) || /\d/.test(sign));
  if (at < 0) return undefined;
  const sign = [...name][at] ?? '';
  const next = /\d/.test(sign) ? String(Number(sign) + 1) : digits[digits.indexOf(sign) + 1];
  if (next === undefined || next.length > 1) return undefined;
  const called = [...name].map((one, place) => (place === at ? next : one)).join('');
  return grades.find((grade) => grade.name === called);
}

/**
 * Suggests the title of a copied course: the next year, or the second term instead of the first. Otherwise the title is
 * marked as new.
 */
export function nextTitle(title: string): string {
  if (/20\d\d/.test(title)) return title.replace(/20\d\d/g, (year) => String(Number(year) + 1));
  return title.includes('上学期') ? title.replace('上学期', '下学期') : `${title}（新）`;
}
