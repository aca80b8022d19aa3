/** Publishing homework: the choices that the form offers, and the calls that publish. */

import * as v from 'valibot';
import { normalizeNumber, scoreSettings } from '#server/grading/rules.ts';
import {
  FlagNumber,
  fieldsRule,
  hasTooManyValues,
  required,
  SearchFlag,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchOneOf,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { WrittenQuestion } from '#server/questions/contract.ts';
import { call } from '#server/school/call.ts';
import {
  arrangeTypes,
  deadlineRequiredMessage,
  homeworkNameLimit,
  homeworkRemarkLimit,
  homeworkTypes,
  publicationMessages,
  publishScopes,
  questionLimit,
  rightAnswersChoices,
} from './rules.ts';

const CourseChoice = v.object({
  id: v.number(),
  title: v.string(),
  parent_id: v.nullable(v.number()),
  parent_title: v.string(),
  /** Number of child courses that the caller may choose. */
  children_count: v.number(),
});
export type CourseChoice = v.InferOutput<typeof CourseChoice>;

/**
 * Lists courses in which the caller can publish, each followed by its child courses. With `parent_id` only the course's
 * children.
 */
export const chooseCourse = call({
  method: 'GET',
  path: { teacher: 'teacher/myCourse', assist: 'hw/courses/choose' },
  title: '可布置作业的课程',
  query: v.object({ title: SearchText, is_create_hw: SearchFlag, parent_id: SearchId }),
  answer: v.array(CourseChoice),
});

const PeriodChoice = v.object({
  id: v.number(),
  title: v.string(),
  course_id: v.number(),
  course_title: v.string(),
  start_play: Seconds,
  /** 1: the caller teaches the period. */
  is_mine: FlagNumber,
});
export type PeriodChoice = v.InferOutput<typeof PeriodChoice>;

/** Lists the periods of a course and of its child courses, the caller's own periods first. */
export const choosePeriod = call({
  method: 'GET',
  path: 'hw/choose/periods/:courseId',
  title: '课程的课时',
  answer: v.array(PeriodChoice),
});

const ScopeClass = v.object({ id: v.number(), name: v.string(), students_count: v.number() });
export type ScopeClass = v.InferOutput<typeof ScopeClass>;

/**
 * Students who are in several classes of the scope: the class ids of each of them. The form then counts such a student
 * once.
 */
export const ScopeExtra = v.object({ shared: v.array(v.array(v.number())) });

/**
 * Lists the classes that a publication with this scope reaches, with `ScopeExtra`. Empty while the scope is incomplete.
 */
export const publishClasses = call({
  method: 'GET',
  path: 'hw/publish/classes',
  title: '发布范围内的班级',
  needs: 'dispatch',
  query: v.object({
    course_basis_id: SearchId,
    publish_scope: searchOneOf(publishScopes),
    child_course_basis_ids: SearchIds,
    arrange_id: SearchId,
  }),
  answer: v.array(ScopeClass),
});

/** Points that the caller usually gives to a question type. Types that the caller never scored are left out. */
export const UsualScore = v.object({ ques_type: v.number(), ques_score: v.number() });
export type UsualScore = v.InferOutput<typeof UsualScore>;

export const usualScore = call({
  method: 'GET',
  path: 'hw/usualScore',
  title: '各题型的常用分数',
  needs: 'dispatch',
  answer: v.array(UsualScore),
});

// Lenient schema: an invalid value counts as missing, so that the rules can report each field with its own message.
const lenientField = <const S extends v.GenericSchema<unknown, unknown>>(schema: S) =>
  v.fallback(v.optional(schema), undefined) as unknown as v.GenericSchema<unknown, v.InferOutput<S> | undefined>;
const Text = v.fallback(v.optional(v.string(), ''), '');
/** Schema for one of a few numbers. Any other value becomes `wrongChoice`, so that it is refused instead of ignored. */
const choiceOf = <const N extends number>(numbers: readonly N[]) =>
  v.pipe(
    v.optional(v.unknown()),
    v.transform((sent): N | typeof wrongChoice | undefined => {
      if (sent === undefined || sent === null || sent === '') return undefined;
      return numbers.find((number) => String(number) === String(sent)) ?? wrongChoice;
    }),
  );
export const wrongChoice = -1;

const AnyList = v.custom<unknown[]>(Array.isArray);
const isShortJson = (text: string) => !hasTooManyValues(text);

/** Schema for a list that is sent as such or as JSON text, as are `ques_option` and `ques_item`. */
const listOf = <const S extends v.GenericSchema<unknown, unknown>>(item: S) =>
  v.fallback(
    v.pipe(
      v.optional(v.union([AnyList, v.pipe(v.string(), v.check(isShortJson), v.parseJson(), AnyList)]), []),
      // Keeps one question more than the limit, which is enough for the rules to refuse the list.
      v.transform((list) => list.slice(0, questionLimit + 1)),
      v.array(item),
    ),
    [],
  );

const { ques_item: _parts, ...writtenFields } = WrittenQuestion.entries;
const sentFields = {
  ...writtenFields,
  /** Points as a number or a text, which may have full-width digits of a Chinese keyboard. */
  ques_score: lenientField(
    v.union([
      v.number(),
      v.pipe(
        v.string(),
        v.transform((text) => normalizeNumber(text)),
        v.regex(/^\d{1,4}(\.\d{1,3})?$/),
        v.transform(Number),
      ),
    ]),
  ),
};
const SentPart = v.object(sentFields);
const SentQuestion = v.object({
  ...sentFields,
  /** Id of the bank question to publish. Its content comes from the bank, unless a stem is sent. */
  id: SearchId,
  /**
   * Id of the bank question that the content was copied from, or null; kept if the sender may use that question. If it
   * is sent with a stem (as `hw/copy` returns both), `id` is the id of a homework question and is ignored.
   */
  source_id: v.optional(v.union([v.null(), SearchId])),
  ques_item: listOf(v.fallback(SentPart, () => v.parse(SentPart, {}))),
});
export type SentQuestion = v.InferOutput<typeof SentQuestion>;

export const PublishBody = v.object({
  course_basis_id: SearchId,
  type: searchOneOf(homeworkTypes),
  course_periods_id: SearchId,
  name: Text,
  remark: Text,
  /** Unix seconds. */
  ending_time: lenientField(
    v.union([v.pipe(v.number(), v.integer()), v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number))]),
  ),
  is_set_score: searchOneOf(scoreSettings),
  /** When learners see the right answers. 1: after the deadline (default). 2: once their report is graded. */
  right_answers: searchOneOf(rightAnswersChoices),
  publish_scope: searchOneOf(publishScopes),
  child_course_basis_ids: SearchIds,
  question: listOf(v.fallback(SentQuestion, () => v.parse(SentQuestion, {}))),
  arrange_id: SearchId,
  arrange_type: choiceOf(arrangeTypes),
  source: choiceOf([1, 2]),
  /** Classes of the scope to publish to now; if missing, all classes of the scope. */
  class_ids: v.optional(SearchIds),
  /** 1: the sender accepts a deadline in the past. */
  confirm_past: SearchFlag,
  /** Key of the drafts that are deleted once the homework is published. */
  draft_key: SearchText,
});
export type PublishBody = v.InferOutput<typeof PublishBody>;

/**
 * Required fields of a publication. The form checks them before it posts, and the API enforces them. Rules that need
 * the clock or the question bank run separately.
 */
export const CompletePublication = v.pipe(
  v.object({
    course_basis_id: required(publicationMessages.course),
    publish_scope: v.pipe(required(publicationMessages.scope), v.picklist(publishScopes, publicationMessages.scope)),
    type: v.pipe(required(publicationMessages.type), v.picklist(homeworkTypes, publicationMessages.type)),
    is_set_score: v.pipe(
      required(publicationMessages.scoreSetting),
      v.picklist(scoreSettings, publicationMessages.scoreSetting),
    ),
    course_periods_id: v.optional(v.number()),
    name: v.pipe(
      v.string(),
      v.transform((name) => name.replace(/\p{Cc}+/gu, ' ').trim()),
      v.nonEmpty(publicationMessages.name),
      v.check((name) => lengthOf(name) <= homeworkNameLimit, publicationMessages.nameLength),
    ),
    remark: v.pipe(
      v.string(),
      v.transform((remark) =>
        remark
          .replaceAll('\r\n', '\n')
          .replace(/[^\P{Cc}\n]+/gu, ' ')
          .trim(),
      ),
      v.check((remark) => lengthOf(remark) <= homeworkRemarkLimit, publicationMessages.remarkLength),
    ),
    ending_time: required(deadlineRequiredMessage),
    class_ids: v.optional(v.pipe(v.array(v.number()), v.minLength(1, publicationMessages.classes))),
  }),
  fieldsRule(
    ['type', 'course_periods_id'],
    ({ type, course_periods_id }) => type !== 2 || course_periods_id !== undefined,
    publicationMessages.period,
  ),
);

/**
 * Maximum bytes: about ten times a hundred long questions, whose pictures are separate files. Parsing and checking more
 * would block other requests.
 */
export const publishBodyLimit = 2 * 1024 * 1024;

const Published = v.object({ id: v.number() });

export const publishHomework = call({
  method: 'POST',
  path: 'hw/publish',
  title: '布置作业',
  needs: 'dispatch',
  body: PublishBody,
  bodyLimit: publishBodyLimit,
  answer: Published,
  message: '作业发布成功',
});

export const publishSessionHomework = call({
  method: 'POST',
  path: 'arrangeHomework/homework/publish',
  title: '从课次布置作业',
  needs: 'dispatch',
  body: PublishBody,
  bodyLimit: publishBodyLimit,
  answer: Published,
  message: '发布成功',
});
