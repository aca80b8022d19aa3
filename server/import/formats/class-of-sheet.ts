/** Guesses from its title or sheet name which class a list is about. */
import { type PeopleTable, titlesOf } from './people-mapping.ts';

/** Matches class names such as 高一（1）班, 高一年级3班, 七（2）班, 2024级1班 or 初三实验班. */
const className =
  /(?:(?:高|初)[一二三](?:年级)?|[一二三四五六七八九]年级|[七八九]|\d{4}级)\s*(?:实验|重点|理科|文科|创新|强化|国际|艺术|体育|平行)?\s*(?:[（(]?\s*[\d一二三四五六七八九十]{0,3}\s*[)）]?)\s*班/;

/** Matches sheet names that say nothing about a class. */
const plainName =
  /^(?:sheet|工作表|表)?\s*\d*$|名单|名册|花名册|信息|汇总|总表|说明|封面|目录|学生|学员|男生|女生|教师|老师|教职工|人员|员工/i;

/**
 * Returns the class; '' if neither title nor name tells it. `isOneOfMany`: the file has a sheet for each class, so any
 * other sheet name counts as a class too.
 */
export function guessClass(list: PeopleTable, isOneOfMany: boolean): string {
  const titled = titlesOf(list).flatMap(({ text }) => className.exec(text)?.[0] ?? [])[0];
  if (titled !== undefined) return titled;
  const name = list.name.replace(/\.(?:csv|txt)$/i, '').trim();
  return className.exec(name)?.[0] ?? (isOneOfMany && !plainName.test(name) ? name : '');
}

/** Returns the grade that begins the name of a class: 高一 (of 高中一 too), 七年级; '' if none does. */
export function guessGrade(name: string): string {
  const [, level, number] = /^\s*(高|初)中?([一二三])/.exec(name) ?? [];
  if (level !== undefined && number !== undefined) return level + number;
  const [, year] = /^\s*([一二三四五六七八九])(?:年级|[（(\d])/.exec(name) ?? [];
  return year === undefined ? '' : `${year}年级`;
}
