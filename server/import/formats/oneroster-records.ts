import { dayStart } from '#server/school/calendar.ts';
import type { RecordKind, SourceRecord, Value } from '../source-record.ts';
import type { Remarks } from './diagnostics.ts';
import { dayBefore } from './oneroster-days.ts';
import { type FileName, gradeNames, homeroomCode, noTerm, ownColumns } from './oneroster-format.ts';
import { type RosterPackage, type RosterRecord, type RosterTable, recordsOf } from './oneroster-package.ts';
import {
  type Context,
  type KindOfPerson,
  peopleOf,
  rowPlace,
  type SchoolOf,
  stateOf,
  toReference,
} from './oneroster-people.ts';
import { copyText } from './rows.ts';

/**
 * Returns the mode and kinds that the package covers. Grades and subjects occur in it only as words, so they are never
 * covered.
 */
export function rosterKinds({ tables }: RosterPackage): { mode: 'bulk' | 'delta'; kinds: RecordKind[] } {
  const kindsOf = (isSpoken: (file: FileName) => boolean): RecordKind[] =>
    kindsOfFiles.flatMap(([file, kinds]) => (isSpoken(file) ? kinds : []));
  const whole = kindsOf((file) => tables.get(file)?.mode === 'bulk');
  return whole.length > 0
    ? { mode: 'bulk', kinds: whole }
    : { mode: 'delta', kinds: kindsOf((file) => tables.has(file)) };
}

const kindsOfFiles: readonly (readonly [FileName, readonly RecordKind[]])[] = [
  ['orgs', ['school']],
  ['academicSessions', ['term']],
  ['users', ['staff', 'student']],
  ['courses', ['course']],
  ['classes', ['class', 'class_course']],
  ['enrollments', ['class_staff', 'membership']],
];

/**
 * Returns a generator of records, each after those it refers to. Every run of the generator reports its messages again.
 */
export function rosterRecords(context: Context): (remarks: Remarks) => Generator<SourceRecord> {
  const schools = schoolsOf(context);
  const people = peopleOf(context);
  const homerooms = homeroomsOf(context, people.kindOf);
  return function* (remarks) {
    const recordContext = { ...context, remarks };
    yield* schools.intended(remarks);
    yield* terms(recordContext);
    yield* words(recordContext);
    yield* people.intended(remarks, schools.of);
    yield* courses(recordContext, schools.of);
    const classes = classesOf(recordContext, homerooms);
    yield* classes.intended(schools.of);
    yield* enrollments(recordContext, { people: people.kindOf, classes });
  };
}

/** Organisations of type school or district become schools. Any other organisation belongs to the school above it. */
function schoolsOf({ roster, remarks: all }: Context): {
  of: SchoolOf;
  intended: (remarks: Remarks) => Generator<SourceRecord>;
} {
  const table = roster.tables.get('orgs');
  const orgs = new Map<string, { type: string; parent: string }>();
  const parents = new Set<string>();
  for (const record of recordsOf(table, all)) {
    const parent = copyText(record.get('parentSourcedId'));
    orgs.set(copyText(record.id), { type: record.get('type'), parent });
    if (parent !== '') parents.add(parent);
  }
  const isSchool = (id: string): boolean => ['school', 'district'].includes(orgs.get(id)?.type ?? 'school');
  const of: SchoolOf = (id) => {
    let at = id;
    for (let steps = 0; steps < 20 && !isSchool(at); steps += 1) {
      const above = orgs.get(at)?.parent ?? '';
      if (above === '' || !orgs.has(above)) return id;
      at = above;
    }
    return at;
  };
  function* intended(remarks: Remarks): Generator<SourceRecord> {
    if (!table) return;
    for (const record of recordsOf(table, remarks)) {
      const { id } = record;
      const isAccepted = isSchool(id) || (of(id) === id && !parents.has(id));
      if (!isAccepted) continue;
      const fields = { name: record.get('name') };
      yield { kind: 'school', sourceId: id, fields, state: stateOf(record), place: rowPlace(table, record) };
    }
  }
  return { of, intended };
}

function* terms({ roster, remarks }: Context): Generator<SourceRecord> {
  const table = roster.tables.get('academicSessions');
  if (!table) return;
  for (const record of parentsFirst(table, 'parentSourcedId', remarks)) {
    if (record.id === noTerm) continue;
    const [start, end, parent] = [record.get('startDate'), record.get('endDate'), record.get('parentSourcedId')];
    // An end before the beginning is allowed by the standard, but it raises a doubt and counts as no end.
    const last = end === '' ? '' : dayBefore(end);
    const fields: Record<string, Value> = {
      name: record.get('title'),
      type: record.get('type'),
      first_day: start || null,
      last_day: last === '' || last < start ? null : last,
      parent_id: parent === '' ? null : toReference('term', parent),
    };
    yield { kind: 'term', sourceId: record.id, fields, state: stateOf(record), place: rowPlace(table, record) };
  }
}

/** Sorts parents before children. Only for small tables. Rows that refer to each other in a circle come last. */
function* parentsFirst(table: RosterTable, field: string, remarks: Remarks): Generator<RosterRecord> {
  let waiting = [...recordsOf(table, remarks)];
  const all = new Set(waiting.map(({ id }) => id));
  const done = new Set<string>();
  for (;;) {
    const ready = waiting.filter((record) => {
      const parent = record.get(field);
      return parent === '' || !all.has(parent) || done.has(parent);
    });
    if (ready.length === 0) break;
    for (const record of ready) done.add(record.id);
    yield* ready;
    waiting = waiting.filter(({ id }) => !done.has(id));
  }
  for (const record of waiting) remarks.reject(rowPlace(table, record), field, '上级互相包含');
}

/** If a field lists several grades or subjects, none is used. */
const singleValue = (list: string): string => (list === '' || list.includes(',') ? '' : list);

/** Yields the grades and subjects, which occur in the standard only as words in courses and classes. */
function* words({ roster, remarks }: Context): Generator<SourceRecord> {
  const seen = new Set<string>();
  for (const file of ['courses', 'classes'] as const) {
    const table = roster.tables.get(file);
    if (!table) continue;
    for (const record of recordsOf(table, remarks)) {
      if (record.isGone) continue;
      const found = [
        ['grade', singleValue(record.get('grades'))],
        ['subject', singleValue(record.get('subjects'))],
      ] as const;
      for (const [kind, word] of found) {
        if (word === '' || seen.has(`${kind} ${word}`)) continue;
        seen.add(`${kind} ${word}`);
        const name = kind === 'grade' ? (gradeNames[word] ?? word) : word;
        yield { kind, sourceId: word, fields: { name }, state: 'active', place: rowPlace(table, record) };
      }
    }
  }
}

/** Returns the only grade and the only subject of a record; null if there is none or several. */
function wordsOf(record: RosterRecord): { grade_id: Value; subject_id: Value } {
  const [grade, subject] = [singleValue(record.get('grades')), singleValue(record.get('subjects'))];
  return {
    grade_id: grade === '' ? null : toReference('grade', grade),
    subject_id: subject === '' ? null : toReference('subject', subject),
  };
}

// ---- people -----------------------------------------------------------------------------------------

// ---- courses and classes ----------------------------------------------------------------------------

const isHomeroomCourse = (record: RosterRecord): boolean => record.get('courseCode') === homeroomCode;

function* courses({ roster, remarks }: Context, schoolOf: SchoolOf): Generator<SourceRecord> {
  const table = roster.tables.get('courses');
  if (!table) return;
  for (const record of recordsOf(table, remarks)) {
    if (isHomeroomCourse(record)) continue;
    const fields: Record<string, Value> = {
      title: record.get('title'),
      school_id: toReference('school', schoolOf(record.get('orgSourcedId'))),
      ...wordsOf(record),
    };
    yield { kind: 'course', sourceId: record.id, fields, state: stateOf(record), place: rowPlace(table, record) };
  }
}

interface Classes {
  /** Returns the homeroom to which a scheduled class belongs. */
  homeroomOf: (id: string) => string | undefined;
  intended: (schoolOf: SchoolOf) => Generator<SourceRecord>;
}

/** A scheduled class counts as a course of a homeroom if at least this share of their students is the same. */
const alikeEnough = 0.8;

function classesOf({ roster, remarks, known }: Context, homerooms: Homerooms): Classes {
  const table = roster.tables.get('classes');
  const coursesOfHomerooms = new Set<string>();
  for (const record of recordsOf(roster.tables.get('courses'), remarks)) {
    if (isHomeroomCourse(record)) coursesOfHomerooms.add(copyText(record.id));
  }
  const homeroomOf = (id: string): string | undefined => homerooms.get(id)?.homeroom;
  const isFolded = (id: string): boolean => homerooms.has(id) || (table?.mode === 'delta' && known('class_course', id));

  function* intended(schoolOf: SchoolOf): Generator<SourceRecord> {
    if (!table) return;
    for (const record of recordsOf(table, remarks)) {
      if (isFolded(record.id)) continue;
      const terms = record.get('termSourcedIds') === noTerm ? '' : record.get('termSourcedIds');
      const fields: Record<string, Value> = {
        name: record.get('title'),
        school_id: toReference('school', schoolOf(record.get('schoolSourcedId'))),
        grade_id: wordsOf(record).grade_id,
        ...(terms === '' ? {} : { term_ids: terms.split(',').map((id) => toReference('term', id)) }),
      };
      yield { kind: 'class', sourceId: record.id, fields, state: stateOf(record), place: rowPlace(table, record) };
    }
    const hasCourses = roster.tables.has('courses') || table.mode === 'delta';
    for (const record of recordsOf(table, remarks)) {
      const course = record.get('courseSourcedId');
      if (!hasCourses || coursesOfHomerooms.has(course)) continue;
      const folded = homerooms.get(record.id);
      if (isFolded(record.id) && !folded && !record.isGone) continue;
      if (folded?.differing) {
        const message = `“${record.get('title')}”与行政班的学员有${folded.differing}人不同，已作为该行政班的课程导入`;
        remarks.doubt(rowPlace(table, record), 'classType', message);
      }
      const fields: Record<string, Value> = {
        class_id: toReference('class', folded?.homeroom ?? record.id),
        course_id: toReference('course', course),
      };
      const sourceId = isFolded(record.id) ? record.id : `${record.id}/${course}`;
      yield { kind: 'class_course', sourceId, fields, state: stateOf(record), place: rowPlace(table, record) };
    }
  }
  return { homeroomOf, intended };
}

/** Homeroom of each scheduled class id, found by the students they have in common. */
type Homerooms = ReadonlyMap<string, { homeroom: string; differing: number }>;

function homeroomsOf({ roster, remarks }: Context, kindOf: KindOfPerson): Homerooms {
  const found = new Map<string, { homeroom: string; differing: number }>();
  const [table, enrolled, users] = [
    roster.tables.get('classes'),
    roster.tables.get('enrollments'),
    roster.tables.get('users'),
  ];
  const isWhole = table?.mode === 'bulk' && enrolled?.mode === 'bulk' && roster.tables.has('courses');
  if (!table || !isWhole || !users) return found;
  for (const record of recordsOf(table, remarks)) {
    const homeroom = record.get(ownColumns.classes[0]);
    if (table.ids.has(homeroom)) found.set(copyText(record.id), { homeroom: copyText(homeroom), differing: 0 });
  }
  const types = new Map<string, { isHomeroom: boolean; school: string }>();
  for (const record of recordsOf(table, remarks)) {
    const isHomeroom = record.get('classType') === 'homeroom';
    types.set(copyText(record.id), { isHomeroom, school: copyText(record.get('schoolSourcedId')) });
  }
  if (![...types.values()].some(({ isHomeroom }) => isHomeroom)) return found;
  const students = new Map<string, Set<number>>();
  const homes = new Map<number, string>();
  for (const record of recordsOf(enrolled, remarks)) {
    const [user, theClass] = [record.get('userSourcedId'), record.get('classSourcedId')];
    const student = users.ids.get(user);
    if (record.get('role') !== 'student' || student === undefined || kindOf(user) !== 'student') continue;
    const of = students.get(theClass) ?? new Set<number>();
    of.add(student);
    if (of.size === 1) students.set(copyText(theClass), of);
    if (types.get(theClass)?.isHomeroom && !homes.has(student)) homes.set(student, copyText(theClass));
  }
  for (const [id, { isHomeroom, school }] of types) {
    const own = students.get(id);
    if (isHomeroom || !own || found.has(id)) continue;
    const counts = new Map<string, number>();
    for (const student of own) {
      const home = homes.get(student);
      if (home !== undefined) counts.set(home, (counts.get(home) ?? 0) + 1);
    }
    const [homeroom, shared] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0]);
    const all = own.size + (students.get(homeroom)?.size ?? 0) - shared;
    if (shared === 0 || shared / all < alikeEnough || types.get(homeroom)?.school !== school) continue;
    found.set(id, { homeroom, differing: all - shared });
  }
  return found;
}

// ---- enrolments -------------------------------------------------------------------------------------

function* enrollments(
  { roster, remarks, timeZone, known }: Context,
  { people, classes }: { people: KindOfPerson; classes: Classes },
): Generator<SourceRecord> {
  const table = roster.tables.get('enrollments');
  if (!table) return;
  const led = new Set<string>();
  for (const record of recordsOf(table, remarks)) {
    if (!record.isGone && isTeaching(record, people) && record.get('primary') === 'true') {
      led.add(copyText(record.get('classSourcedId')));
    }
  }
  const isFolded = (id: string): boolean =>
    classes.homeroomOf(id) !== undefined || (table.mode === 'delta' && known('class_course', id));

  /** False if the row of the class or of the person was refused. */
  const isAccepted = (theClass: string, user: string, at: { file: string; row: number }): boolean => {
    const [refused] = [
      { of: roster.tables.get('classes'), id: theClass, field: 'classSourcedId' },
      { of: roster.tables.get('users'), id: user, field: 'userSourcedId' },
    ].filter(({ of, id }) => of && remarks.isRefused({ file: of.shown, row: of.ids.get(id) ?? -1 }));
    if (refused) {
      const { of, id, field } = refused;
      remarks.reject(at, field, `“${id}”在 ${of?.shown} 第${of?.ids.get(id)}行，那一行有错误，请先改正`);
    }
    return !refused;
  };

  for (const record of recordsOf(table, remarks)) {
    const [theClass, user, role] = [record.get('classSourcedId'), record.get('userSourcedId'), record.get('role')];
    if (role === 'student') continue;
    const at = rowPlace(table, record);
    const kind = people(user);
    if (kind === 'student') {
      remarks.reject(at, 'role', `“${user}”的身份是学员，不能以“${role}”进班`);
      continue;
    }
    if (kind === undefined && !(table.mode === 'delta' && record.isGone)) continue;
    if (!isAccepted(theClass, user, at)) continue;
    if (isFolded(theClass)) {
      remarks.doubt(at, 'role', '课程班的讲师在排课时指定，没有导入');
      continue;
    }
    const isToo = record.get(ownColumns.enrollments[0]) === 'head';
    const isHead = kind !== 'assist' && (record.get('primary') === 'true' || isToo || !led.has(theClass));
    if (!isHead && kind !== 'assist' && !(kind === 'staff' && record.isGone)) {
      remarks.doubt(at, 'primary', '不是主要讲师，班主任已有他人，没有导入');
      continue;
    }
    const fields: Record<string, Value> = {
      class_id: toReference('class', theClass),
      staff_id: toReference('staff', user),
      duty: isHead ? 'head' : 'assistant',
    };
    yield { kind: 'class_staff', sourceId: record.id, fields, state: stateOf(record), place: at };
  }

  const seen = new Map<string, number>();
  for (const record of recordsOf(table, remarks)) {
    const [theClass, user] = [record.get('classSourcedId'), record.get('userSourcedId')];
    if (record.get('role') !== 'student' || isFolded(theClass)) continue;
    const at = rowPlace(table, record);
    const kind = people(user);
    if (kind !== undefined && kind !== 'student') {
      remarks.reject(at, 'role', `“${user}”的身份不是学员`);
      continue;
    }
    if ((kind === undefined && table.mode === 'bulk') || !isAccepted(theClass, user, at)) continue;
    const key = `${theClass} ${user}`;
    const earlier = seen.get(key);
    if (earlier !== undefined && !record.isGone) {
      remarks.doubt(at, 'userSourcedId', `“${user}”已在这个班级中（第${earlier}行），这一行没有导入`);
      continue;
    }
    if (!record.isGone) seen.set(copyText(key), record.row);
    const [begin, end] = [record.get('beginDate'), record.get('endDate')];
    const fields: Record<string, Value> = {
      class_id: toReference('class', theClass),
      student_id: toReference('student', user),
      ...(begin === '' ? {} : { joined_at: dayStart(begin, timeZone) }),
      ...(end === '' ? {} : { left_at: dayStart(end, timeZone) }),
    };
    yield { kind: 'membership', sourceId: record.id, fields, state: stateOf(record), place: at };
  }
}

const isTeaching = (record: RosterRecord, people: KindOfPerson): boolean =>
  record.get('role') !== 'student' && ['teacher', 'staff'].includes(people(record.get('userSourcedId')) ?? '');
