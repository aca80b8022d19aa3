/** All OneRoster endpoints and their scopes. Router and documentation are generated from this list. */
import { homeroomCode, noTerm } from '#server/import/formats/oneroster-format.ts';
import { gradebookCategories } from '#server/import/stored-gradebook.ts';
import type { Scope } from './access.ts';
import { classes, courses } from './classes.ts';
import { enrollments } from './enrollments.ts';
import { categories, lineItems, results, scoreScales } from './gradebook.ts';
import { orgs } from './orgs.ts';
import { type FoundRecord, recordOf } from './page.ts';
import type { ParentFilter, RequestContext, Resource } from './record-source.ts';
import { gradebookPath, rosteringPath } from './rules.ts';
import { academicSessions } from './sessions.ts';
import { demographics, users } from './users.ts';

/** Kind of record that a path names before the list, such as the class in `/classes/{class}/students`. */
type Parent = 'school' | 'class' | 'course' | 'term' | 'student' | 'teacher' | 'user' | 'lineItem';

export interface Endpoint {
  /** Ends in `:id` if it returns a single record. Any other `:name` names a parent. */
  path: string;
  title: string;
  resource: Resource;
  isOne: boolean;
  scopes: readonly Scope[];
  parents: readonly { name: string; kind: Parent }[];
  within: ParentFilter;
}

const rosterCore: readonly Scope[] = ['roster-core.readonly', 'roster.readonly'];
const rosterOnly: readonly Scope[] = ['roster.readonly'];
const gradebookCore: readonly Scope[] = ['gradebook-core.readonly', 'gradebook.readonly'];
const gradebookOnly: readonly Scope[] = ['gradebook.readonly'];

/** Creates two endpoints: a list, such as `/orgs`, and its single records, `/orgs/{id}`. */
function listAndRecordEndpoints(
  start: string,
  word: string,
  resource: Resource,
  { title, scopes, within = {} }: { title: string; scopes: readonly Scope[]; within?: ParentFilter },
): Endpoint[] {
  const common = { resource, scopes, parents: [], within };
  return [
    { ...common, path: `${start}/${word}`, title: `全部${title}`, isOne: false },
    { ...common, path: `${start}/${word}/:id`, title: `一条${title}`, isOne: true },
  ];
}

const parentWords: Readonly<Record<string, Parent>> = {
  schools: 'school',
  classes: 'class',
  courses: 'course',
  terms: 'term',
  students: 'student',
  teachers: 'teacher',
  users: 'user',
  lineItems: 'lineItem',
};

/**
 * Creates the endpoint of a list below parents: `schools/classes/students` becomes
 * `/schools/{school}/classes/{class}/students`.
 */
function nestedEndpoint(
  start: string,
  words: string,
  resource: Resource,
  title: string,
  within: ParentFilter = {},
): Endpoint {
  const all = words.split('/');
  const parents = all.slice(0, -1).map((word) => ({ word, kind: parentWords[word] ?? 'school' }));
  const path = parents.map(({ word, kind }) => `/${word}/:${kind}`).join('');
  return {
    path: `${start}${path}/${all.at(-1)}`,
    title,
    resource,
    isOne: false,
    scopes: start === rosteringPath ? rosterOnly : gradebookOnly,
    parents: parents.map(({ kind }) => ({ name: kind, kind })),
    within,
  };
}

const roster = (word: string, resource: Resource, title: string, within?: ParentFilter) =>
  listAndRecordEndpoints(rosteringPath, word, resource, { title, scopes: rosterCore, ...(within && { within }) });
const grades = (word: string, resource: Resource, title: string) =>
  listAndRecordEndpoints(gradebookPath, word, resource, { title, scopes: gradebookCore });
const rosteringEndpoint = (words: string, resource: Resource, title: string, within?: ParentFilter) =>
  nestedEndpoint(rosteringPath, words, resource, title, within);
const gradebookEndpoint = (words: string, resource: Resource, title: string) =>
  nestedEndpoint(gradebookPath, words, resource, title);

const [student, teacher] = [{ role: 'student' }, { role: 'teacher' }] as const;
const [term, gradingPeriod] = [{ session: 'term' }, { session: 'gradingPeriod' }] as const;

export const endpoints: readonly Endpoint[] = [
  ...roster('orgs', orgs, '机构'),
  ...roster('schools', orgs, '学校'),
  ...roster('academicSessions', academicSessions, '学期'),
  ...roster('terms', academicSessions, '学期（term）', term),
  ...roster('gradingPeriods', academicSessions, '评分期', gradingPeriod),
  ...roster('courses', courses, '课程'),
  ...roster('classes', classes, '班级'),
  ...roster('enrollments', enrollments, '进班记录'),
  ...roster('users', users, '人员'),
  ...roster('students', users, '学员', student),
  ...roster('teachers', users, '讲师', teacher),
  ...listAndRecordEndpoints(rosteringPath, 'demographics', demographics, {
    title: '人口信息',
    scopes: ['roster-demographics.readonly'],
  }),
  rosteringEndpoint('schools/classes', classes, '学校的班级'),
  rosteringEndpoint('schools/courses', courses, '学校的课程'),
  rosteringEndpoint('schools/enrollments', enrollments, '学校的进班记录'),
  rosteringEndpoint('schools/students', users, '学校的学员', student),
  rosteringEndpoint('schools/teachers', users, '学校的讲师', teacher),
  rosteringEndpoint('schools/terms', academicSessions, '学校的学期', term),
  rosteringEndpoint('schools/classes/enrollments', enrollments, '班级的进班记录'),
  rosteringEndpoint('schools/classes/students', users, '班级的学员', student),
  rosteringEndpoint('schools/classes/teachers', users, '班级的老师', teacher),
  rosteringEndpoint('classes/students', users, '班级的学员', student),
  rosteringEndpoint('classes/teachers', users, '班级的老师', teacher),
  rosteringEndpoint('courses/classes', classes, '课程的班级'),
  rosteringEndpoint('terms/classes', classes, '学期的班级'),
  rosteringEndpoint('terms/gradingPeriods', academicSessions, '学期的评分期', gradingPeriod),
  rosteringEndpoint('students/classes', classes, '学员的班级'),
  rosteringEndpoint('teachers/classes', classes, '讲师的班级'),
  rosteringEndpoint('users/classes', classes, '人员的班级'),
  ...grades('categories', categories, '成绩类别'),
  ...grades('lineItems', lineItems, '成绩项（作业与考试）'),
  ...grades('results', results, '得分'),
  ...grades('scoreScales', scoreScales, '等级'),
  gradebookEndpoint('classes/categories', categories, '班级的成绩类别'),
  gradebookEndpoint('classes/lineItems', lineItems, '班级的成绩项'),
  gradebookEndpoint('classes/results', results, '班级的得分'),
  gradebookEndpoint('classes/scoreScales', scoreScales, '班级的等级'),
  gradebookEndpoint('classes/lineItems/results', results, '成绩项的得分'),
  gradebookEndpoint('classes/students/results', results, '学员在班级的得分'),
  gradebookEndpoint('schools/scoreScales', scoreScales, '学校的等级'),
];

/** Converts the parents in a path to a condition; undefined if one of them does not exist. */
export async function resolveParents(
  asked: RequestContext,
  { parents, within }: Pick<Endpoint, 'parents' | 'within'>,
  idOf: (name: string) => string,
): Promise<ParentFilter | undefined> {
  let narrowed: ParentFilter = {};
  for (const { name, kind } of parents) {
    const [resource, where] = parentCondition(kind, narrowed);
    const found = await recordOf(asked, resource, where, idOf(name));
    if (!found) return undefined;
    narrowed = { ...narrowed, ...filterByParent(kind, found) };
  }
  return { ...narrowed, ...within };
}

/** Returns the resource and condition by which a parent of this kind is found. */
function parentCondition(kind: Parent, within: ParentFilter): [Resource, ParentFilter] {
  switch (kind) {
    case 'school':
      return [orgs, {}];
    case 'class':
      return [classes, within];
    case 'course':
      return [courses, {}];
    case 'term':
      return [academicSessions, { session: 'term' }];
    case 'lineItem':
      return [lineItems, within];
    default:
      return [users, kind === 'user' ? {} : { role: kind }];
  }
}

function filterByParent(kind: Parent, { row, keys: [first = 0, second = 0] }: FoundRecord): ParentFilter {
  switch (kind) {
    case 'school':
      return { schoolId: first };
    case 'class':
      // Members of a class may belong to another school, so the school is no condition.
      return {
        schoolId: undefined,
        theClass: row.classType === 'homeroom' ? { id: first } : { id: first, courseId: second },
      };
    case 'course':
      return { course: row.courseCode === homeroomCode ? { homeroomsOf: first } : { id: first } };
    case 'term':
      return { term: row.sourcedId === noTerm ? noTerm : first };
    case 'lineItem':
      return {
        item:
          row['category.sourcedId'] === gradebookCategories[0].sourceId
            ? { homeworkId: second, classId: first }
            : { examId: second, classId: first },
      };
    default:
      return { user: row['roles.role'] === 'student' ? { studentId: first } : { staffId: first } };
  }
}
