/**
 * Time clashes of imported periods and lessons, with stored ones (school/clashes.ts) and with each other. Computed
 * after the check and stored with the rows.
 */
import { classTypes } from '#server/classes/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { updateRows } from '#server/platform/db/rows.ts';
import { dayOf, momentOf, timeOf } from '#server/school/calendar.ts';
import { clashesOf, clashText } from '#server/school/clashes.ts';
import { type Fields, groupRows, groupValues, viewerOf } from '#server/school/importer.ts';
import { clashSentence, type RowOutcome } from './rules.ts';
import type { JobInput } from './stored-import.ts';

/** A period or lesson of an import. Planned times; stored times if it leaves or does not change. */
export interface PlannedEntry {
  row: number;
  kind: 'period' | 'lesson';
  verdict: RowOutcome;
  /** Id of the record; 0 if it is not created yet. */
  record: number;
  /** Id of the class; a negative number is the row number of a class that this import creates. */
  classId: number;
  courseId: number;
  lecturerId: number;
  roomId: number;
  title: string;
  start: number;
  end: number;
  effect: string;
}

/** With more rows than this, the import has no week view. */
const maxPlanned = 5000;

/** Returns the periods and lessons of an import in order of time; after applying it, as the records are stored now. */
export async function plannedEntries(db: Database, importId: number, timezone: string): Promise<PlannedEntry[]> {
  const rows = await db
    .selectFrom('import_row')
    .select(['id', 'kind', 'verdict', 'record', 'after', 'effect'])
    .where('import_id', '=', importId)
    .where('kind', 'in', ['period', 'lesson'])
    .where('verdict', 'in', ['new', 'changed', 'returns', 'leaves', 'conflict', 'unchanged'])
    .orderBy('id')
    .limit(maxPlanned)
    .execute();
  const idsOf = (kind: string) => rows.flatMap((row) => (row.kind === kind && row.record ? [Number(row.record)] : []));
  const [periods, lessons] = await Promise.all([
    db
      .selectFrom('period')
      .select(['id', 'course_id', 'lecturer_id', 'title', 'start_play', 'total_time'])
      .where('id', 'in', inIds(db, idsOf('period')))
      .execute(),
    db
      .selectFrom('class_session')
      .select(['id', 'class_id', 'course_id', 'lecturer_id', 'room_id', 'chapter_title', 'start_time', 'end_time'])
      .where('id', 'in', inIds(db, idsOf('lesson')))
      .execute(),
  ]);
  const stored = new Map<string, Fields>([
    ...periods.map(({ id, total_time, ...row }): [string, Fields] => [
      `period ${id}`,
      { ...row, minutes: Math.round(total_time / 60) },
    ]),
    ...lessons.map(({ id, start_time, end_time, ...row }): [string, Fields] => [
      `lesson ${id}`,
      {
        ...row,
        day: dayOf(start_time, timezone),
        start: timeOf(start_time, timezone),
        end: timeOf(end_time, timezone),
      },
    ]),
  ]);
  const planned = rows.flatMap(({ id, kind, verdict, record, after, effect }): PlannedEntry[] => {
    const before = stored.get(`${kind} ${record}`);
    const fields: Fields = { ...before, ...(JSON.parse(after) as Fields) };
    if (!before && verdict !== 'new' && verdict !== 'returns') return [];
    const isPeriod = kind === 'period';
    const start = isPeriod ? Number(fields.start_play) : momentOf(String(fields.day), String(fields.start), timezone);
    const end = isPeriod
      ? start + Number(fields.minutes) * 60
      : momentOf(String(fields.day), String(fields.end), timezone);
    if (!Number.isFinite(start) || !Number.isFinite(end)) return [];
    return [
      {
        row: id,
        kind: isPeriod ? 'period' : 'lesson',
        verdict: verdict as RowOutcome,
        record: Number(record) || 0,
        classId: isPeriod ? 0 : Number(fields.class_id),
        courseId: Number(fields.course_id),
        lecturerId: Number(fields.lecturer_id) || 0,
        roomId: Number(fields.room_id) || 0,
        title: String((isPeriod ? fields.title : fields.chapter_title) ?? ''),
        start,
        end,
        effect,
      },
    ];
  });
  return planned.sort((one, other) => one.start - other.start || one.row - other.row);
}

/** True if the import sets a new time, which may clash. */
const hasNewTimes = ({ verdict }: PlannedEntry): boolean =>
  verdict === 'new' || verdict === 'changed' || verdict === 'returns';

const prefix = '时间冲突：';
const separator = '；';

/** Parses the clashes that are stored with a row. */
export const storedClashes = ({ verdict, effect }: PlannedEntry): string[] =>
  verdict !== 'leaves' && effect.startsWith(prefix) ? effect.slice(prefix.length).split(separator) : [];

/** Computes the clashes and stores them with the rows; returns a sentence that sums them up. */
export async function storeClashes(db: Database, work: JobInput): Promise<string | undefined> {
  const all = await plannedEntries(db, work.importId, work.timezone);
  const coming = all.filter((one) => hasNewTimes(one) && one.end > work.now);
  if (coming.length === 0) return undefined;
  const found = new Map<number, string[]>(coming.map(({ row }) => [row, []]));
  const attending = await attendingOf(db, work.importId, coming);
  await clashesWithStored(db, work, { all, coming, attending, found });
  await clashesWithinImport(db, work.timezone, { all, coming, attending, found });
  const said = [...found].filter(([, clashes]) => clashes.length > 0);
  await updateRows(
    db,
    'import_row',
    { id: 'integer', effect: 'text' },
    said.map(([id, clashes]) => ({ id, effect: `${prefix}${clashes.join(separator)}` })),
  );
  return clashSentence(said.length);
}

interface ClashSearch {
  all: readonly PlannedEntry[];
  coming: readonly PlannedEntry[];
  /** By row, the classes that attend it. */
  attending: ReadonlyMap<number, number[]>;
  found: Map<number, string[]>;
}

/**
 * Finds clashes with stored periods and lessons, per class or course. Records that the import moves or removes do not
 * count.
 */
async function clashesWithStored(
  db: Database,
  { importer, timezone }: JobInput,
  { all, coming, attending, found }: ClashSearch,
) {
  const moved = (kind: PlannedEntry['kind']) =>
    all.filter((one) => one.kind === kind && one.record > 0 && (hasNewTimes(one) || one.verdict === 'leaves'));
  const except = {
    periodIds: moved('period').map(({ record }) => record),
    sessionIds: moved('lesson').map(({ record }) => record),
  };
  const sets = groupRows(coming, ({ kind, classId, courseId }) => (kind === 'lesson' ? `${classId}` : `c${courseId}`));
  for (const its of sets.values()) {
    const [first] = its;
    if (!first) continue;
    const clashes = await clashesOf(db, viewerOf(importer), {
      slots: its.map(({ start, end, lecturerId, roomId }) => ({
        start,
        end,
        lecturerId: lecturerId > 0 ? lecturerId : null,
        roomId: roomId > 0 ? roomId : null,
      })),
      ...(first.kind === 'period' && first.courseId > 0
        ? { courseId: first.courseId }
        : { classIds: (attending.get(first.row) ?? []).filter((id) => id > 0) }),
      except,
    });
    for (const { row, start, end } of its) {
      const inTheWay = clashes.filter((clash) => clash.start < end && clash.end > start);
      found.get(row)?.push(...inTheWay.map((clash) => clashText(clash, timezone)));
    }
  }
}

/** Finds pairs within the import that need the same lecturer, room, class or student at the same time. */
async function clashesWithinImport(
  db: Database,
  timezone: string,
  { all, coming, attending, found }: ClashSearch,
): Promise<void> {
  const pairs: [PlannedEntry, PlannedEntry][] = [];
  for (const [at, one] of coming.entries())
    for (const other of coming.slice(at + 1)) {
      if (other.start >= one.end) break;
      pairs.push([one, other]);
    }
  if (pairs.length === 0) return;
  const names = await loadPlanNames(db, all);
  const students = await studentsIn(db, [...new Set([...attending.values()].flat())]);
  for (const [one, other] of pairs) {
    const classes = (attending.get(one.row) ?? []).filter((id) => attending.get(other.row)?.includes(id));
    const among_ = (of: PlannedEntry) => new Map((attending.get(of.row) ?? []).flatMap((id) => students.get(id) ?? []));
    const [ours, theirs] = [among_(one), among_(other)];
    const shared = classes.length > 0 ? [] : [...ours].filter(([id]) => theirs.has(id)).map(([, name]) => name);
    const who = [
      one.lecturerId !== 0 && one.lecturerId === other.lecturerId && `讲师${names.staff(one.lecturerId)}`,
      one.roomId !== 0 && one.roomId === other.roomId && `教室${names.room(one.roomId)}`,
      one.classId !== 0 && one.classId === other.classId && `班级${names.class(one.classId)}`,
      one.kind === 'period' && other.kind === 'period' && one.courseId === other.courseId && '本课程',
      one.kind !== other.kind || one.kind === 'period'
        ? classes.length > 0 && one.courseId !== other.courseId && `班级${classes.map(names.class).join('、')}`
        : false,
      shared.length > 0 && (shared.length > 1 ? `学员${shared[0]}等${shared.length}人` : `学员${shared[0]}`),
    ].filter((part): part is string => typeof part === 'string');
    if (who.length === 0) continue;
    const said = (of: PlannedEntry) =>
      `${who.join('、')} ${dayOf(of.start, timezone)} ${timeOf(of.start, timezone)}至${timeOf(of.end, timezone)} ${names.of(of)}`;
    found.get(one.row)?.push(said(other));
    found.get(other.row)?.push(said(one));
  }
}

/**
 * Returns for each row the classes whose students attend: the class of a lesson, or the classes that take the course of
 * a period, or will take it by the same import.
 */
async function attendingOf(
  db: Database,
  importId: number,
  planned: readonly PlannedEntry[],
): Promise<Map<number, number[]>> {
  const courseIds = planned.flatMap(({ kind, courseId }) => (kind === 'period' ? [courseId] : []));
  const taken = await db
    .selectFrom('class_course')
    .innerJoin('class', 'class.id', 'class_course.class_id')
    .select(['class_course.class_id', 'class_course.course_id'])
    .where('class.class_type', '=', classTypes.stateSchool)
    .where('class_course.course_id', 'in', inIds(db, [...new Set(courseIds)]))
    .execute();
  const coming = await db
    .selectFrom('import_row')
    .select('after')
    .where('import_id', '=', importId)
    .where('kind', '=', 'class_course')
    .where('verdict', 'in', ['new', 'returns'])
    .execute();
  const willTake = coming.map(({ after }) => JSON.parse(after) as { class_id: number; course_id: number });
  const taking = groupRows([...taken, ...willTake], ({ course_id }) => course_id);
  return new Map(
    planned.map(({ row, kind, classId, courseId }) => [
      row,
      kind === 'lesson' ? [classId] : (taking.get(courseId) ?? []).map(({ class_id }) => class_id),
    ]),
  );
}

async function studentsIn(db: Database, classIds: readonly number[]): Promise<Map<number, [number, string][]>> {
  const rows = await db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .select(['class_student.class_id', 'student.id', 'student.nickname'])
    .where('class_student.class_id', 'in', inIds(db, classIds))
    .where('class_student.left_at', 'is', null)
    .orderBy('student.nickname')
    .orderBy('student.id')
    .execute();
  return groupValues(
    rows,
    ({ class_id }) => class_id,
    ({ id, nickname }) => [id, nickname],
  );
}

/**
 * Loads the names of classes, courses, lecturers and rooms. For records that the import creates, the names are those in
 * its rows.
 */
export async function loadPlanNames(db: Database, planned: readonly PlannedEntry[]) {
  const ids = (...of: (keyof Pick<PlannedEntry, 'classId' | 'courseId' | 'lecturerId' | 'roomId'>)[]) => [
    ...new Set(planned.flatMap((one) => of.map((field) => one[field]))),
  ];
  const classIds = inIds(db, ids('classId'));
  const courseIds = inIds(db, ids('courseId'));
  const staffIds = inIds(db, ids('lecturerId'));
  const roomIds = inIds(db, ids('roomId'));
  const fresh = ids('classId', 'courseId', 'lecturerId', 'roomId').flatMap((id) => (id < 0 ? [-id] : []));
  const [classes, courses, staff, rooms, labels] = await Promise.all([
    db.selectFrom('class').select(['id', 'name']).where('id', 'in', classIds).execute(),
    db.selectFrom('course').select(['id', 'title as name']).where('id', 'in', courseIds).execute(),
    db.selectFrom('staff').select(['id', 'real_name as name']).where('id', 'in', staffIds).execute(),
    db.selectFrom('room').select(['id', 'name']).where('id', 'in', roomIds).execute(),
    db.selectFrom('import_row').select(['id', 'label as name']).where('id', 'in', inIds(db, fresh)).execute(),
  ]);
  const made = labels.map(({ id, name }) => ({ id: -id, name }));
  const named = (rows: readonly { id: number; name: string }[]) => {
    const names = new Map([...rows, ...made].map(({ id, name }) => [id, name]));
    return (id: number): string => names.get(id) ?? '';
  };
  const [className, courseName] = [named(classes), named(courses)];
  return {
    class: className,
    course: courseName,
    staff: named(staff),
    room: named(rooms),
    /** Names a period or lesson in a clash message. */
    of: ({ classId, courseId, title }: PlannedEntry): string =>
      [className(classId), courseName(courseId), title].filter(Boolean).join(' '),
  };
}
