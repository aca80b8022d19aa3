import { type Place, type RecordKind, type Reference, recordKinds, type SourceRecord } from '../source-record.ts';
import type { Remarks } from './diagnostics.ts';
import type { ReadSheet } from './workbook.ts';
import {
  type Context,
  catalogueKind,
  catalogueKindOf,
  type Index,
  indexOf,
  joinKeys,
  kindOf,
  sheetRecords,
} from './workbook-index.ts';
import { createMaker, type Maker } from './workbook-maker.ts';
import { timetableRecords } from './workbook-timetable.ts';
import type { SheetRecord } from './workbook-types.ts';
import { clearWord } from './workbook-words.ts';

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
  yield* timetableRecords(context, made);
  const exams = new Map<string, Place>();
  for (const record of sheetRecords(context, '考试')) {
    const heads = ['考试名称', '学校', '年级', '班级', '开始日期'];
    const id = record.get('编号') || joinKeys(...heads.map((head) => record.get(head)));
    if (made.isFirst(exams, id, record)) yield* made.plain('exam', id, record);
  }
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
