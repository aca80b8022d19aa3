export const classFates = ['stay', 'promote', 'graduate'] as const;

export type ClassFate = (typeof classFates)[number];

export const fateNames: Readonly<Record<ClassFate, string>> = { stay: '不变', promote: '升级', graduate: '毕业' };

export const rollOverMessages = {
  noSchool: '请选择学校',
  noName: '请填写升级后的班级名称',
  noGrade: '请选择升级后的年级',
  sameGrade: '升级后的年级与现在相同',
  noTarget: '请选择留级到哪个班级',
  ownTarget: '留级不能留在原来的班级',
  endedTarget: '留级到的班级不能是毕业的班级',
  noFirstDay: '复制课程请填写新课程的开始日期',
  noTerm: '该学期不存在或已停用',
  noTitle: '请填写新课程的名称',
  sameTitle: '新课程的名称与其他课程相同',
  noGradeToPromoteTo: '没有年级的班级不能一起升级，请逐班选择',
  nothing: '没有要升级、毕业、留级的班级，没有要进入的学期，也没有要复制的课程',
} as const;

/** Seconds after a promotion in which a roll-over does not promote the class again. */
export const promotionPause = 180 * 24 * 60 * 60;

/** Classes that are named in a message. */
const namedClasses = 5;

/** Says which classes stay as they are, because an earlier roll-over promoted them. */
export function promotedBeforeMessage(classes: readonly { name: string; day: string }[]): string {
  const days = [...new Set(classes.map(({ day }) => day))].sort().join('、');
  const names = classes.slice(0, namedClasses).map(({ name }) => `“${name}”`);
  const more = classes.length > namedClasses ? `等${classes.length}个班级` : '';
  return `${names.join('、')}${more}在${days}的学期更替中已经升级，这次不再升级或毕业`;
}

// ---- suggestions ------------------------------------------------------------------------------------

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

/** Usual fate of a grade's classes at the end of a school year: the last of consecutive grades graduates. */
export function usualFate(name: string, grades: readonly { name: string }[]): ClassFate {
  if (nextGrade(name, grades)) return 'promote';
  return grades.some((grade) => nextGrade(grade.name, grades)?.name === name) ? 'graduate' : 'stay';
}

/** Part of a grade's name that class and course names contain: 高一 for 高一年级. */
const stemOf = (grade: string): string => grade.replace(/(?:年级|级)$/, '');

/** Name of a class that is promoted: its grade is replaced; a name without the grade stays. */
export function nextClassName(name: string, grade: string, next: string): string {
  if (grade !== '' && name.includes(grade)) return name.replace(grade, next);
  const stem = stemOf(grade);
  const rest = name.slice(stem.length);
  // A single character may belong to another word, unless the class's number follows.
  const isOfGrade = stem.length > 1 || (stem !== '' && /^[（(\d]/.test(rest));
  return isOfGrade && name.startsWith(stem) ? stemOf(next) + rest : name;
}

/** True if a school year begins around this day (yyyy-mm-dd): the first of a term, or the day of the roll-over. */
export function beginsSchoolYear(day: string): boolean {
  const month = Number(day.slice(5, 7));
  return month >= 5 && month <= 10;
}

/**
 * Suggests the title of a copied course for a term that begins around `day`: with the next school year, or with the
 * second term of the present one.
 */
export function nextTitle(title: string, day: string): string {
  if (!beginsSchoolYear(day) && title.includes('上学期')) return title.replace('上学期', '下学期');
  const hasYear = /20\d\d/.test(title);
  if (hasYear && beginsSchoolYear(day)) return title.replace(/20\d\d/g, (year) => String(Number(year) + 1));
  if (hasYear) return `${title}（下学期）`;
  const first = Number(day.slice(0, 4)) - (day.slice(5, 7) < '05' ? 1 : 0);
  return `${title}（${first}-${first + 1}学年${beginsSchoolYear(day) ? '' : '下学期'}）`;
}

/**
 * Finds the grade of a copied course: another one if the new title names it instead of the original's grade. Undefined:
 * the original's.
 */
export function gradeOfCopy<Grade extends { name: string }>(
  { title, gradeName, newTitle }: { title: string; gradeName: string; newTitle: string },
  grades: readonly Grade[],
): Grade | undefined {
  const stem = stemOf(gradeName);
  if (stem === '' || !title.includes(stem) || newTitle.includes(stem)) return undefined;
  return grades
    .filter(({ name }) => stemOf(name).length > 1 && newTitle.includes(stemOf(name)))
    .sort((one, other) => other.name.length - one.name.length)[0];
}

/** Messages for a student who is named to repeat the year: not in the class, or one of several with this name. */
export const notInClassMessage = (name: string): string => `“${name}”不在该班级`;

export const ambiguousNameMessage = (name: string): string => `该班级有多名“${name}”，请写学号`;

/** Warns that the copied periods have no lecturer, because the lecturer of the original course is disabled. */
export const disabledLecturerWarning = (course: string, lecturer: string, periods: number): string =>
  `“${course}”有${periods}个课时原由${lecturer}讲授，该讲师已停用，新课时没有讲师`;
