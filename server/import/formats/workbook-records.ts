import { ownCourseTitle, weekdayName } from '#server/courses/rules.ts';
import { isHeldOn, termDays, type WeekRule } from '#server/courses/term-days.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { momentOf } from '#server/school/calendar.ts';
import { holidaysMissingText, yearsWithoutHolidays } from '#server/settings/rules.ts';
import { noLecturerMessage, timetableWeeks } from '../rules.ts';
import {
  type Place,
  type RecordKind,
  type Reference,
  recordKinds,
  type SourceRecord,
  type Value,
} from '../source-record.ts';
import type { Remarks } from './diagnostics.ts';
import { copyText } from './rows.ts';
import { toHalfWidth } from './values.ts';
import { type ReadSheet, splitList } from './workbook.ts';
import {
  type Context,
  catalogueKind,
  catalogueKindOf,
  describeRow,
  type Index,
  idOf,
  indexOf,
  joinKeys,
  kindOf,
  type NamedSheet,
  placeOfRecord,
  resolveReference,
  schoolOf,
  sheetRecords,
} from './workbook-index.ts';
import type { SheetRecord } from './workbook-types.ts';
import { clearWord, parityWords, weekdayWords } from './workbook-words.ts';

/**
 * Returns the kinds that the workbook covers. A sheet without rows, or without the column that matters, does not cover
 * its kind.
 */
export function workbookKinds(sheets: readonly ReadSheet[]): RecordKind[] {
  const spoken = new Set<RecordKind>();
  for (const { format, rows, heads } of sheets) {
    if (rows.length === 0) continue;
    if (format.name === '年级与分类') {
      const place = format.columns.findIndex(({ head }) => head === '类别');
      for (const { cells } of rows) spoken.add(catalogueKindOf(cells[place] ?? ''));
    } else if (format.name === '班级' || format.name === '团课') {
      spoken.add(format.name === '班级' ? 'class' : 'group_class');
      if (heads.has('课程')) spoken.add('class_course');
      if (heads.has('班主任') && heads.has('助教')) spoken.add('class_staff');
    } else if (format.name === '课表') {
      const [team, ofClass] = ['团课', '班级'].map((name) => format.columns.findIndex(({ head }) => head === name));
      for (const row of rows) {
        spoken.add(row.cell(team ?? -1) === '' ? 'period' : 'lesson');
        if (row.cell(ofClass ?? -1) !== '') spoken.add('course');
      }
    } else for (const kind of format.kinds) spoken.add(kind);
  }
  return recordKinds.filter((kind) => spoken.has(kind));
}

/**
 * Returns a generator of records, each after those it refers to. Every run of the generator reports its messages again.
 */
export function workbookRecords(context: Context): (remarks: Remarks) => Generator<SourceRecord> {
  const index = indexOf(context);
  return (remarks) => intendedOf({ ...context, remarks }, index);
}

// ---- names and ids ----------------------------------------------------------------------------------

// ---- records ----------------------------------------------------------------------------------------

function* intendedOf(context: Context, index: Index): Generator<SourceRecord> {
  const made = createMaker(context, index);
  yield* made.all('学校');
  yield* entries(context, made);
  for (const sheet of ['教室', '人员', '学员'] as const) yield* made.all(sheet);
  // Parent courses come before their children; there are only these two levels.
  const isUnder = (record: SheetRecord) => !['', clearWord].includes(record.get('上级课程'));
  yield* made.all('课程', (record) => !isUnder(record));
  yield* made.all('课程', isUnder);
  for (const sheet of ['课时', '班级', '团课'] as const) yield* made.all(sheet);
  yield* classLinkRecords(context, made);
  yield* memberships(context, made);
  yield* groups(context, made);
  const seen = new Map<string, Place>();
  for (const record of sheetRecords(context, '课次')) {
    const theClass = made.one(record, '团课', ['group_class']);
    if (!theClass) continue;
    const id = record.get('编号') || joinKeys(theClass.sourceId, `${record.get('日期')} ${record.get('开始时间')}`);
    if (record.get('结束时间') <= record.get('开始时间')) {
      context.remarks.reject(record.place, '结束时间', '结束时间须晚于开始时间');
    }
    if (made.isFirst(seen, id, record)) yield* made.plain('lesson', id, record);
  }
  yield* timetable(context, made);
}

interface Maker {
  /** Yields the records of a sheet, optionally only those for which `which` is true. */
  all(sheet: NamedSheet, which?: (record: SheetRecord) => boolean): Generator<SourceRecord>;
  id(sheet: NamedSheet, record: SheetRecord): string;
  /** Yields the record of a row; nothing if a cell is refused. */
  plain(kind: RecordKind, sourceId: string, record: SheetRecord, more?: Record<string, Value>): Generator<SourceRecord>;
  one(record: SheetRecord, head: string, kinds: readonly RecordKind[], text?: string): Reference | undefined;
  many(record: SheetRecord, head: string, kind: RecordKind): Reference[];
  /** True if no earlier row has this id; otherwise refuses the row. */
  isFirst(seen: Map<string, Place>, id: string, record: SheetRecord): boolean;
}

function createMaker(context: Context, index: Index): Maker {
  const { remarks, isWhole } = context;
  const made: Maker = {
    id: (sheet, record) => idOf(sheet, record, { index, context }),
    *all(sheet, which = () => true) {
      for (const record of sheetRecords(context, sheet))
        if (which(record)) yield* made.plain(kindOf(sheet, record), made.id(sheet, record), record);
    },
    *plain(kind, sourceId, record, more = {}) {
      const fields: Record<string, Value> = {};
      const row = { ...record, many: (head: string, of: RecordKind) => made.many(record, head, of) };
      const read = record.format.columns.flatMap((column) => {
        const text = record.get(column.head);
        return text !== '' && column.read ? [column.read(text, row)] : [];
      });
      for (const { head, field, type } of record.format.columns) {
        const text = record.get(head);
        if (field === '' || (text === '' && field !== 'school_id')) continue;
        if (text === clearWord) fields[field] = null;
        else if (type.is === 'one') {
          const written = text === '' ? schoolOf(record, index) : text;
          if (written === '') continue;
          const reference = made.one(record, head, type.of, written);
          if (reference) fields[field] = reference;
        } else if (type.is === 'many') fields[field] = made.many(record, head, type.of[0] ?? 'staff');
        else if (type.is === 'word') fields[field] = type.words[text] ?? text;
        else if (type.is === 'words') fields[field] = splitList(text).map((word) => type.words[word] ?? word);
        else if (type.is === 'number') fields[field] = Number(text);
        else fields[field] = text;
      }
      if (remarks.isRefused(record.place)) return;
      yield { kind, sourceId, fields: Object.assign(fields, more, ...read), state: 'active', place: record.place };
    },
    one(record, head, kinds, text = record.get(head)) {
      const found = resolveReference(index, kinds, text, isWhole);
      if ('fault' in found) {
        remarks.reject(record.place, head, found.fault);
        return undefined;
      }
      const { kind, sourceId, isNamed } = found;
      const named = index.get(kind);
      const place = named && placeOfRecord(named, sourceId);
      if (place && remarks.isRefused(place)) {
        const message = `“${text}”在“${place.file}”第${place.row}行，那一行有错误，请先改正`;
        remarks.reject(record.place, head, message);
        return undefined;
      }
      return isNamed ? { kind, sourceId, name: text } : { kind, sourceId };
    },
    many(record, head, kind) {
      const text = record.get(head);
      if (text === '' || text === clearWord) return [];
      return [...new Set(splitList(text))].flatMap((part) => made.one(record, head, [kind], part) ?? []);
    },
    isFirst(seen, id, record) {
      const earlier = seen.get(id);
      const { place } = record;
      if (earlier === undefined) seen.set(copyText(id), place);
      else {
        const field = record.get('编号') === '' ? '' : '编号';
        remarks.reject(place, field, `与${describeRow(place, earlier)}重复`);
        if (!remarks.isRefused(earlier)) remarks.reject(earlier, field, `与${describeRow(earlier, place)}重复`);
      }
      return earlier === undefined;
    },
  };
  return made;
}

function* entries(context: Context, made: Maker): Generator<SourceRecord> {
  // Yields parents before their children.
  let waiting = [...sheetRecords(context, '年级与分类')];
  const done = new Set<string>();
  const parentOf = (record: SheetRecord) => {
    const text = record.get('上级');
    return text === '' || text === clearWord ? undefined : made.one(record, '上级', [catalogueKind(record)]);
  };
  const waits = (record: SheetRecord): boolean => {
    const parent = parentOf(record);
    return parent !== undefined && parent.name === undefined && !done.has(`${parent.kind} ${parent.sourceId}`);
  };
  const hasLevels = (record: SheetRecord) => ['category', 'term'].includes(catalogueKind(record));
  while (waiting.length > 0) {
    const ready = waiting.filter((record) => !hasLevels(record) || record.get('上级') === '' || !waits(record));
    for (const record of ready) {
      const kind = catalogueKind(record);
      if (hasLevels(record)) done.add(`${kind} ${made.id('年级与分类', record)}`);
      else if (record.get('上级') !== '') {
        context.remarks.reject(record.place, '上级', '只有分类和学期可以有上级');
        continue;
      }
      if (kind !== 'term' && `${record.get('开始日期')}${record.get('结束日期')}` !== '') {
        context.remarks.reject(record.place, '开始日期', '只有学年和学期有开始和结束日期');
        continue;
      }
      const parent = parentOf(record);
      yield* made.plain(kind, made.id('年级与分类', record), record, parent && { parent_id: parent });
    }
    const rest = waiting.filter((record) => !ready.includes(record));
    if (rest.length === waiting.length) {
      for (const record of rest) {
        if (!context.remarks.isRefused(record.place)) context.remarks.reject(record.place, '上级', '上级互相包含');
      }
      return;
    }
    waiting = rest;
  }
}

/** Columns of a class's row that become records of their own: courses first, then staff. */
const linksOfClasses = [
  [{ head: '课程', kind: 'class_course', to: 'course' }],
  [
    { head: '班主任', kind: 'class_staff', to: 'staff', duty: 'head' },
    { head: '助教', kind: 'class_staff', to: 'staff', duty: 'assistant' },
  ],
] as const satisfies { head: string; kind: RecordKind; to: RecordKind; duty?: string }[][];

function* classLinkRecords(context: Context, made: Maker): Generator<SourceRecord> {
  for (const links of linksOfClasses) {
    for (const sheet of ['班级', '团课'] as const) {
      for (const record of sheetRecords(context, sheet)) {
        const class_id: Reference = { kind: kindOf(sheet, record), sourceId: made.id(sheet, record) };
        for (const { head, kind, to, ...more } of links) {
          for (const linked of made.many(record, head, to)) {
            const sourceId = joinKeys(class_id.sourceId, linked.sourceId, ...Object.values(more));
            const fields = { class_id, [`${to}_id`]: linked, ...more };
            yield { kind, sourceId, fields, state: 'active', place: record.place };
          }
        }
      }
    }
  }
}

function* memberships(context: Context, made: Maker): Generator<SourceRecord> {
  const { remarks } = context;
  const seen = new Map<string, Place>();
  const pairs = new Map<string, Place>();
  for (const record of sheetRecords(context, '进班')) {
    const theClass = made.one(record, '班级', ['class', 'group_class']);
    const student = made.one(record, '学员', ['student']);
    if (!theClass || !student) continue;
    const pair = joinKeys(theClass.sourceId, student.sourceId);
    const [joinedDay, leftDay] = [record.get('加入日期'), record.get('离开日期')];
    if (joinedDay !== '' && leftDay !== '' && leftDay !== clearWord && leftDay < joinedDay) {
      remarks.reject(record.place, '离开日期', `离开日期 ${leftDay} 早于加入日期 ${joinedDay}`);
    }
    const id = record.get('编号') || pair;
    if (made.isFirst(pairs, pair, record) && made.isFirst(seen, id, record))
      yield* made.plain('membership', id, record);
  }
}

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
function* timetable(context: Context, made: Maker): Generator<SourceRecord> {
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
    const years = yearsWithoutHolidays([...days], { closed: [...closed] });
    if (years.length > 0) remarks.doubt({ file, row: 0 }, '节假日', holidaysMissingText(years));
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
      for (const one of made.plain('course', sourceId, like, { title })) yield { ...one, place };
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

/** A group takes one row, or one row per student. */
function* groups(context: Context, made: Maker): Generator<SourceRecord> {
  interface Group {
    record: SheetRecord;
    /** Key made of class and course. */
    within: string;
    staff: string;
    members: Map<string, { student: Reference; record: SheetRecord }>;
  }
  const found = new Map<string, Group>();
  for (const record of sheetRecords(context, '分组')) {
    const theClass = made.one(record, '班级', ['class']);
    const course = made.one(record, '课程', ['course']);
    if (!theClass || !course) continue;
    const id = record.get('编号') || joinKeys(theClass.sourceId, course.sourceId, record.get('分组名称'));
    const staff = record.get('助教');
    const group = found.get(id) ?? {
      record,
      within: joinKeys(theClass.sourceId, course.sourceId),
      staff,
      members: new Map(),
    };
    found.set(id, group);
    if (group.staff === '' && staff !== '') Object.assign(group, { record, staff });
    else if (staff !== '' && staff !== group.staff) {
      context.remarks.reject(record.place, '助教', `与第${group.record.place.row}行同一分组的助教“${group.staff}”不同`);
      continue;
    }
    for (const student of made.many(record, '学员', 'student')) {
      const earlier = group.members.get(student.sourceId);
      if (earlier) {
        context.remarks.reject(record.place, '学员', `“${student.sourceId}”与第${earlier.record.place.row}行重复`);
      } else group.members.set(student.sourceId, { student, record });
    }
  }
  for (const [id, { record }] of found) yield* made.plain('group', id, record);
  for (const [id, { within, members }] of found) {
    for (const { student, record } of members.values()) {
      if (context.remarks.isRefused(record.place)) continue;
      const fields = { group_id: { kind: 'group', sourceId: id } as const, student_id: student };
      // A student is in one group per course, so the id stays the same when they change groups.
      const sourceId = joinKeys(within, student.sourceId);
      yield { kind: 'group_member', sourceId, fields, state: 'active', place: record.place };
    }
  }
}
