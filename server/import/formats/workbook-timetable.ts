/** Records of the sheet 课表: its rules become periods of courses and lessons of group classes. */
import { ownCourseTitle, weekdayName } from '#server/courses/rules.ts';
import { isHeldOn, termDays, type WeekRule } from '#server/courses/term-days.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { momentOf } from '#server/school/calendar.ts';
import { holidayGaps, holidayGapsText } from '#server/settings/rules.ts';
import { noLecturerMessage, timetableWeeks } from '../rules.ts';
import type { Reference, SourceRecord, Value } from '../source-record.ts';
import { toHalfWidth } from './values.ts';
import { splitList } from './workbook.ts';
import { type Context, joinKeys, sheetRecords } from './workbook-index.ts';
import type { Maker } from './workbook-maker.ts';
import type { SheetRecord } from './workbook-types.ts';
import { clearWord, parityWords, weekdayWords } from './workbook-words.ts';

/** Parses weeks such as `1-8、10-16`; undefined if the text has another form. */
function weeksIn(text: string): { first_week: number; last_week: number }[] | undefined {
  const ranges = splitList(toHalfWidth(text).replace(/[第周次\s]/g, '')).map((part) => {
    const [, first, last = first] = /^(\d{1,2})(?:[-~～—至到]+(\d{1,2}))?$/.exec(part) ?? [];
    return { first_week: Number(first), last_week: Number(last) };
  });
  const fits = ({ first_week, last_week }: { first_week: number; last_week: number }) =>
    first_week >= 1 && last_week >= first_week && last_week <= timetableWeeks;
  return ranges.length > 0 && ranges.every(fits) ? ranges : undefined;
}

/** Minutes before the start when students may enter the live room. */
const advance = 10;

/** Expands the rules of a timetable to one period or lesson per day. */
export function* timetableRecords(context: Context, made: Maker): Generator<SourceRecord> {
  const { remarks, timeZone, holidays } = context;
  const closed = new Set(holidays.closed);
  const planned = new Map<string, Set<string>>();
  const taken = new Map<string, number>();
  const own = new OwnCourses(context, made);
  const isFilled = (text: string) => text !== '' && text !== clearWord;
  for (const record of sheetRecords(context, '课表')) {
    const { place } = record;
    const isLesson = isFilled(record.get('团课'));
    const isOfClass = isFilled(record.get('班级'));
    if (isLesson && isOfClass) remarks.reject(place, '班级', '团课和班级只能填一个');
    const [start, end] = [record.get('开始时间'), record.get('结束时间')];
    const weeks = weeksIn(record.get('周次'));
    if (!weeks)
      remarks.reject(place, '周次', `“${record.get('周次')}”应写成 1-16，或 1-8、10-16，最多${timetableWeeks}周`);
    if (end <= start) remarks.reject(place, '结束时间', '结束时间须晚于开始时间');
    if (isLesson && !isOfClass && record.get('讲师') === '') remarks.reject(place, '讲师', noLecturerMessage);
    const [fields] = [...made.plain('lesson', '', record)].map((one) => one.fields);
    if (!weeks || !fields) continue;
    const { start: _start, end: _end, ...rest } = fields;
    const theClass = fields.class_id as Reference | undefined;
    const course = isOfClass ? yield* own.course(record) : (fields.course_id as Reference);
    if (!course) continue;
    const rules = weeks.map(
      (range): WeekRule => ({
        ...range,
        weekday: weekdayWords[record.get('星期')] ?? 0,
        parity: parityWords[record.get('单双周')] ?? 'all',
      }),
    );
    const { worked } = holidays;
    const last = Math.max(...weeks.map(({ last_week }) => last_week));
    const days = termDays({ first_day: record.get('第一周'), weeks: last, closed, worked });
    const target = joinKeys('课表', theClass?.sourceId ?? course.sourceId);
    for (const { day, week, weekday, isWorkedInstead } of days) {
      if (!rules.some((rule) => isHeldOn(rule, { day, week, weekday, isWorkedInstead }))) continue;
      planned.set(place.file, (planned.get(place.file) ?? new Set()).add(day));
      const sourceId = joinKeys(target, `${day} ${start}`);
      const earlier = taken.get(sourceId);
      if (earlier !== undefined) {
        remarks.reject(place, '开始时间', `${day} ${start} 与第${earlier}行的时间相同`);
        break;
      }
      taken.set(sourceId, place.row);
      if (isLesson) {
        yield { kind: 'lesson', sourceId, fields: { ...rest, day, start, end }, state: 'active', place };
        continue;
      }
      const begins = momentOf(day, start, timeZone);
      const period: Record<string, Value> = {
        course_id: course,
        title: `第${week}周 ${weekdayName(day)} ${start}${isWorkedInstead ? '（调休）' : ''}`,
        ...(fields.lecturer_id !== undefined && { lecturer_id: fields.lecturer_id }),
        minutes: (momentOf(day, end, timeZone) - begins) / 60,
        advance_time: advance,
        start_play: begins,
      };
      yield { kind: 'period', sourceId, fields: period, state: 'active', place };
    }
  }
  for (const [file, days] of planned) {
    const unskipped = holidayGapsText(holidayGaps([...days], { ...holidays, closed: [...closed] }));
    if (unskipped !== '') remarks.doubt({ file, row: 0 }, '节假日', unskipped);
  }
}

/**
 * Courses that state-school classes have on their own, because the timetable has rows for the class. Such a course is
 * named “课程（班级）”, as in the sheet 课程, and is otherwise like the course of the row.
 */
class OwnCourses {
  private readonly context: Context;
  private readonly made: Maker;
  /** Ids of courses, and of links between classes and courses, that have records. */
  private readonly named = new Set<string>();
  private readonly courses = new Map<string, SheetRecord>();
  private readonly classes = new Map<string, SheetRecord>();
  /** Ids of the courses of the sheet 课程, by title. */
  private readonly titles = new Map<string, string>();
  /** Class of each own course, by title. */
  private readonly holders = new Map<string, string>();

  constructor(context: Context, made: Maker) {
    this.context = context;
    this.made = made;
    for (const record of sheetRecords(context, '课程')) {
      const id = made.id('课程', record);
      this.courses.set(id, record);
      this.titles.set(record.get('课程名称'), id);
      this.named.add(id);
    }
    for (const record of sheetRecords(context, '班级')) {
      const id = made.id('班级', record);
      this.classes.set(id, record);
      for (const { sourceId } of made.many(record, '课程', 'course')) this.named.add(joinKeys(id, sourceId));
    }
  }

  /** Yields the class's own course and that the class takes it, unless they are known, and returns the course. */
  *course(record: SheetRecord): Generator<SourceRecord, Reference | undefined> {
    const { context, made, named } = this;
    const { place } = record;
    const [original, theClass] = [made.one(record, '课程', ['course']), made.one(record, '班级', ['class'])];
    if (!original || !theClass) return undefined;
    const like = this.courses.get(original.sourceId);
    if (!like) {
      context.remarks.reject(
        place,
        '课程',
        `班级自己的课表要照这门课程排，请在工作表“课程”中写上“${record.get('课程')}”`,
      );
      return undefined;
    }
    const className = this.classes.get(theClass.sourceId)?.get('班级名称') ?? record.get('班级');
    const title = ownCourseTitle(like.get('课程名称'), className);
    const holder = getOrAdd(this.holders, title, () => theClass.sourceId);
    if (holder !== theClass.sourceId) {
      context.remarks.reject(place, '班级', `另一个班级“${holder}”的课程也叫“${title}”，请改班级名称`);
      return undefined;
    }
    const sourceId = this.titles.get(title) ?? title;
    const course: Reference = { kind: 'course', sourceId };
    if (!named.has(sourceId)) {
      named.add(sourceId);
      // A class of the sheet 班级 is added after courses, so only other classes can be looked up.
      const owner: Record<string, Value> = this.classes.has(theClass.sourceId) ? {} : { own_class_id: theClass };
      for (const one of made.plain('course', sourceId, like, { title, ...owner })) yield { ...one, place };
    }
    const link = joinKeys(theClass.sourceId, sourceId);
    if (!named.has(link)) {
      named.add(link);
      const fields = { class_id: theClass, course_id: course };
      yield { kind: 'class_course', sourceId: link, fields, state: 'active', place };
    }
    return course;
  }
}
