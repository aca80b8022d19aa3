/** Year rollover: promotes or ends classes, moves students and copies courses, all in one import. */

import * as v from 'valibot';
import { CourseTitle } from '#server/courses/contract.ts';
import { SkippedDays } from '#server/courses/series.contract.ts';
import { CreatedImport } from '#server/import/actions.contract.ts';
import {
  FlagNumber,
  fieldsRule,
  IdAndName,
  OneLine,
  optionalDay,
  required,
  SearchFlag,
  SearchId,
  SearchText,
  searchWord,
  TypedDays,
  TypedText,
  WrittenDay,
} from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { classFates, rollOverMessages } from './rules.ts';

const needs = 'teaching';

/**
 * Action for all running classes of a grade that `classes` does not name; without `grade_id` for those without a grade.
 * `next_grade_id`: grade they are promoted to. The names of their classes follow.
 */
const WrittenGradeFate = v.object({ grade_id: SearchId, fate: searchWord(classFates), next_grade_id: SearchId });

/**
 * Action for a class; without `fate` the action for its grade applies, if there is one. `kept`: students who repeat the
 * year, by student number, mobile number or name; they join the class `kept_class_id`.
 */
const WrittenFate = v.object({
  class_id: SearchId,
  fate: searchWord(classFates),
  name: TypedText,
  grade_id: SearchId,
  kept: TypedText,
  kept_class_id: SearchId,
});

const WrittenCopy = v.object({ course_id: SearchId, title: TypedText });

export const WrittenRollOver = v.object({
  school_id: SearchId,
  grades: v.fallback(v.optional(v.array(WrittenGradeFate), []), []),
  classes: v.fallback(v.array(WrittenFate), []),
  /** 1: disables the accounts of graduating students. */
  disable: SearchFlag,
  courses: v.fallback(v.array(WrittenCopy), []),
  /** The new term. All classes that are named, or whose grade is, and do not graduate are assigned to it. */
  term_id: SearchId,
  /**
   * Earliest day of the first period of a copied course; each period keeps its weekday. Defaults to the first day of
   * the term.
   */
  first_day: WrittenDay,
  skip: TypedDays,
  /** 1: a class that takes a course and does not graduate also takes the copy of the course. */
  follow: SearchFlag,
});
export type WrittenRollOver = v.InferOutput<typeof WrittenRollOver>;

export const CompleteRollOver = v.pipe(
  v.object({
    school_id: required(rollOverMessages.noSchool),
    grades: v.array(
      v.pipe(
        v.object({
          grade_id: v.optional(v.number(), 0),
          fate: v.optional(v.picklist(classFates), 'stay'),
          next_grade_id: v.optional(v.number(), 0),
        }),
        fieldsRule(
          ['grade_id', 'fate'],
          ({ grade_id, fate }) => fate !== 'promote' || grade_id !== 0,
          rollOverMessages.noGradeToPromoteTo,
        ),
        fieldsRule(
          ['grade_id', 'fate', 'next_grade_id'],
          ({ grade_id, fate, next_grade_id }) => fate !== 'promote' || grade_id === 0 || next_grade_id !== 0,
          rollOverMessages.noGrade,
        ),
        fieldsRule(
          ['grade_id', 'fate', 'next_grade_id'],
          ({ grade_id, fate, next_grade_id }) => fate !== 'promote' || grade_id === 0 || next_grade_id !== grade_id,
          rollOverMessages.sameGrade,
        ),
      ),
    ),
    classes: v.array(
      v.pipe(
        v.object({
          class_id: v.optional(v.number(), 0),
          fate: v.optional(v.picklist(classFates)),
          name: OneLine,
          grade_id: v.optional(v.number(), 0),
          kept: v.pipe(
            v.string(),
            v.transform((text) => [...new Set(text.split(/[\s,，、;；]+/).filter(Boolean))]),
          ),
          kept_class_id: v.optional(v.number(), 0),
        }),
        fieldsRule(['fate', 'name'], ({ fate, name }) => fate !== 'promote' || name !== '', rollOverMessages.noName),
        fieldsRule(
          ['fate', 'grade_id'],
          ({ fate, grade_id }) => fate !== 'promote' || grade_id !== 0,
          rollOverMessages.noGrade,
        ),
        fieldsRule(
          ['kept', 'kept_class_id'],
          ({ kept, kept_class_id }) => kept.length === 0 || kept_class_id !== 0,
          rollOverMessages.noTarget,
        ),
        fieldsRule(
          ['kept', 'class_id', 'kept_class_id'],
          ({ kept, class_id, kept_class_id }) => kept.length === 0 || class_id !== kept_class_id,
          rollOverMessages.ownTarget,
        ),
      ),
    ),
    disable: v.optional(FlagNumber, 0),
    courses: v.array(v.object({ course_id: v.optional(v.number(), 0), title: CourseTitle })),
    term_id: v.optional(v.number()),
    first_day: optionalDay(rollOverMessages.noFirstDay),
    skip: SkippedDays,
    follow: v.optional(FlagNumber, 0),
  }),
  fieldsRule(
    ['courses', 'term_id', 'first_day'],
    ({ courses, first_day, term_id }) => courses.length === 0 || first_day !== undefined || term_id !== undefined,
    rollOverMessages.noFirstDay,
  ),
);
export type CompleteRollOver = v.InferOutput<typeof CompleteRollOver>;

/** Creates the import of a rollover and returns its id. The import is checked at once, as every import is. */
export const rollOver = adminCall({
  method: 'POST',
  path: 'import/roll-over',
  title: '升级、留级、毕业和复制课程',
  description:
    '作为一次导入检查：升级的班级改名改年级，毕业的班级结束，留级的学员换班，课程连同课时按星期移到新的日期。',
  needs,
  body: WrittenRollOver,
  answer: CreatedImport,
  message: '已检查',
});

/** Choices of the form. `next_name`, `next_grade_id` and `next_title` are suggestions; '' or 0 if there is none. */
export const RollOverOptions = v.object({
  schools: v.array(IdAndName),
  school_id: v.number(),
  grades: v.array(IdAndName),
  terms: v.array(v.object({ id: v.number(), name: v.string(), first_day: v.string() })),
  /** Term to suggest: the next one to begin; 0 if none. */
  term_id: v.number(),
  /** 1: classes that take a course will probably take its copy, because they go on within the school year. */
  follow: FlagNumber,
  /** Last roll-over that promoted classes which are not promoted again for now; null if none. */
  earlier: v.nullable(v.object({ import_id: v.number(), day: v.string(), classes: v.number() })),
  /** Grades with running classes, and what usually becomes of them. `grade_id` 0: classes without a grade. */
  grade_plans: v.array(
    v.object({
      grade_id: v.number(),
      name: v.string(),
      classes: v.number(),
      students: v.number(),
      fate: v.picklist(classFates),
      next_grade_id: v.number(),
    }),
  ),
  /** Classes that students who repeat the year can join. */
  targets: v.array(IdAndName),
  /** Numbers of further classes and courses that are not listed; a search by grade and name finds them. */
  more_classes: v.number(),
  more_courses: v.number(),
  classes: v.array(
    v.object({
      id: v.number(),
      name: v.string(),
      grade_id: v.number(),
      grade_name: v.string(),
      students: v.number(),
      next_name: v.string(),
      next_grade_id: v.number(),
    }),
  ),
  courses: v.array(
    v.object({
      id: v.number(),
      title: v.string(),
      periods: v.number(),
      /** Days of the first and the last period of the course; '' if it has no periods. */
      first_day: v.string(),
      last_day: v.string(),
      next_title: v.string(),
      /** 1: usually copied, because it ended within the year and has no copy with the suggested title. */
      is_usual: FlagNumber,
    }),
  ),
});
export type RollOverOptions = v.InferOutput<typeof RollOverOptions>;

export const rollOverOptions = adminCall({
  method: 'GET',
  path: 'import/roll-over',
  title: '升级的可选内容',
  needs,
  query: v.object({ school_id: SearchId, grade_id: SearchId, name: SearchText }),
  answer: RollOverOptions,
});
