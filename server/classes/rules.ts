/** `class_type`. A state-school class takes courses; one-to-one and group classes have lessons of their own. */
export const classTypes = { stateSchool: 0, oneToOne: 1, group: 3 } as const;

/** `valid_type`: 1 long-term, 2 until `valid_time`. */
export const validTypes = [1, 2] as const;

/** True if the class is long-term or still valid at `now` (unix seconds). */
export const isRunning = (theClass: { valid_type: number; valid_time: number }, now: number): boolean =>
  theClass.valid_type !== 2 || theClass.valid_time > now;

/** Value of `group_hidden` if the class's circle is hidden. */
export const hiddenCircleFlag = 2;

export const isCircleShown = (
  theClass: { group_hidden: number },
  settings: { community_module: boolean; class_circle: boolean },
): boolean => theClass.group_hidden !== hiddenCircleFlag && settings.community_module && settings.class_circle;

export const classMessages = {
  noSchedule: '请选择课表图片',
  notAPicture: '课表只能是 jpg、png、gif 或 webp 格式的图片',
} as const;

/** `valid_status` of a membership: 1 present, 2 left. */
export const memberStatuses = [1, 2] as const;

export const inClassStatus = 1;

/** Maximum number of students who join or leave in one request. */
export const maxMembersAtOnce = 500;
/** Maximum characters of the reason for leaving. */
export const leftReasonLimit = 100;

export const memberMessages = {
  nobody: '请选择学员',
  tooMany: `一次最多选择${maxMembersAtOnce}名学员`,
  allIn: '所选学员都已在班级中',
  noneIn: '所选学员都已不在班级中',
  laterThanToday: '离开日期不能晚于今天',
  joinedLater: '加入日期不能晚于今天',
  noSuchDay: '日期请写成 2026-05-01 的形式',
  noContract: '只有团课和一对一的学员有合同',
  reasonLength: `离开原因不能超过${leftReasonLimit}个字`,
} as const;

/**
 * Why a class takes no more students: it has ended, or it is one-to-one and has one. `present`: students after joining.
 */
export function joinFault(theClass: { class_type: number; is_running: 0 | 1 }, present: number): string | undefined {
  if (theClass.is_running === 0) return '班级已结束，不能添加学员';
  return theClass.class_type === classTypes.oneToOne && present > 1 ? '一对一班级只能有一名学员' : undefined;
}

/** A student who comes back cannot join before their previous enrolment ended. `leftAt`: its end. */
export const joinedBeforeFault = (joinedAt: number, leftAt: number, name: string): string | undefined =>
  joinedAt < leftAt ? `${name}在该日期之后才离开班级` : undefined;

/** A student cannot leave before they joined. `joinedAt`: latest joining time of the students who leave. */
export const leftBeforeFault = (leftAt: number, joinedAt: number, name: string): string | undefined =>
  leftAt < joinedAt ? `${name}在该日期之后才加入班级` : undefined;

// ---- courses ------------------------------------------------------------------------------------------

/** `course_type` of face-to-face and of text courses. A type that is neither of these nor live is a video course. */
export const offlineCourse = 7;
export const textCourse = 10;
export const liveCourses: readonly number[] = [1, 2, 3, 4, 15, 16];
/** `course_type` of live courses that have a room for each group or for the assistants. */
export const groupCourses: readonly number[] = [2, 3, 15];
/** `course_type` of courses that take attendance. */
export const attendanceCourseTypes: readonly number[] = [...groupCourses, offlineCourse];

export function courseTypeName(type: number): string {
  if (type === offlineCourse) return '线下课';
  if (type === textCourse) return '图文课';
  if (groupCourses.includes(type)) return '小组直播课';
  return liveCourses.includes(type) ? '直播课' : '视频课';
}

/** Maximum number of lecturers named on a course card. */
export const maxTeachersShown = 5;

export const missingClass = '班级不存在';
export const missingLargeClass = '大班不存在';
export const missingCourse = '课程不存在';
export const missingPeriod = '课时不存在';
export const missingStudent = '学员不存在';
export const missingClassCircle = '该班级没有开放班级圈子';

// ---- administration -----------------------------------------------------------------------------------

export const classTypeNames: Record<ClassType, string> = { 0: '班级', 3: '团课班级', 1: '一对一' };
export const allClassTypes = [classTypes.stateSchool, classTypes.group, classTypes.oneToOne] as const;
export type ClassType = (typeof allClassTypes)[number];

/** `coming`: the class's first lesson is in the future. */
export const classStates = ['coming', 'running', 'ended'] as const;
export type ClassState = (typeof classStates)[number];

/** Maximum characters of names. */
export const classNameLimit = 100;
export const groupNameLimit = 50;

/** Maximum staff per duty, courses per class, and students moved into groups in one request. */
export const classStaffLimit = 50;
export const classCoursesLimit = 100;
export const placementLimit = 500;

export const missingGroup = '分组不存在';
export const missingLecturer = '讲师不存在';
export const missingAssistant = '助教不存在';

/** Says who assigns classes, for users who have none. */
export const unassignedMessages = {
  teacher: '您还没有班级。教务把您设为班主任，或在课时、课次中安排您授课之后，这里才有班级；请联系本校教务。',
  assist: '您还没有班级。教务在班级资料中把您设为助教之后，这里才有班级；请联系本校教务。',
} as const;

export const classWritingMessages = {
  noName: '名称不能为空',
  nameLength: `名称不能超过${classNameLimit}个字`,
  noSchool: '请选择学校',
  grade: '请选择年级',
  classify: '请选择分类',
  largeClass: '请选择本校的大班',
  term: '所选学期中有的不存在或已停用',
  noValidDay: '请选择有效期的最后一天',
  tooManyStaff: `最多选择${classStaffLimit}人`,
  tooManyCourses: `最多选择${classCoursesLimit}门课程`,
  noGroupName: '分组名称不能为空',
  groupNameLength: `分组名称不能超过${groupNameLimit}个字`,
  groupCourse: '请选择该班级的课程',
  groupStaff: '请选择该班级的助教',
  groupTaken: '该课程已有同名的分组',
  nobody: '请选择学员',
  tooManyPlaced: `一次最多选择${placementLimit}名学员`,
  notMembers: '所选学员中有人不在该班级',
} as const;

export const importedClassMessages = {
  school: '所属学校不能修改',
  otherType: '该班级是团课或一对一班级，不能由“班级”导入修改',
  duty: '班主任须是讲师，助教须是助教',
  groupPlace: '分组的班级和课程不能修改',
  notMember: '该学员不在该班级',
  placedTwice: '该学员在这门课程中已有分组',
  type: '班级类型不能修改',
} as const;

/** A disabled person cannot be assigned. */
export const disabledStaffFault = (member: { real_name: string; disabled_at: number | null }): string | undefined =>
  member.disabled_at === null ? undefined : `${member.real_name}已停用，不能选择`;

/** A class cannot take a parent course (no periods of its own) or an archived one. */
export function takenCourseFault(course: {
  title: string;
  is_parent: boolean;
  put_away_at: number | null;
}): string | undefined {
  if (course.is_parent) return `《${course.title}》是课程组，请选择其中的课程`;
  return course.put_away_at === null ? undefined : `《${course.title}》已停用，不能选择`;
}

/** Why a class cannot be ended here. Group and one-to-one classes are ended on a screen of their own. */
export const endFault = (theClass: { class_type: number; state: ClassState }): string | undefined => {
  if (theClass.state === 'ended') return '该班级已结束';
  return theClass.class_type === classTypes.stateSchool ? undefined : `请在${classTypeNames[3]}中结束`;
};

export const reopenFault = (theClass: { class_type: number; state: ClassState }): string | undefined => {
  if (theClass.state !== 'ended') return '该班级没有结束';
  return theClass.class_type === classTypes.stateSchool ? undefined : `请在${classTypeNames[3]}中恢复`;
};

/** Counts of the records that are affected if a class is ended, or loses students or courses. */
export interface ClassTraces {
  students: number;
  /** Number of homework whose deadline is in the future. */
  homework: number;
  /** Future periods of the class's courses, and future lessons of the class itself. */
  periods: number;
  lessons: number;
}

/** Lists the counts, such as `36名学员，2个未截止的作业`; undefined if all are 0. */
export function tracesSentence({ students, homework, periods, lessons }: ClassTraces): string | undefined {
  const texts = [
    students > 0 && `${students}名学员`,
    homework > 0 && `${homework}个未截止的作业`,
    periods > 0 && `${periods}个未上的课时`,
    lessons > 0 && `${lessons}节未上的课`,
  ].filter((one) => one !== false);
  return texts.length > 0 ? texts.join('，') : undefined;
}

/** Why a class cannot be deleted; undefined if it has no records. `records`: counts by Chinese noun. */
export function removalFault(records: Readonly<Record<string, number>>): string | undefined {
  const texts = Object.entries(records).flatMap(([what, count]) => (count > 0 ? [`${count}${what}`] : []));
  return texts.length > 0 ? `该班级有${texts.join('、')}，不能删除，可以结束` : undefined;
}

/** Why a course cannot be removed from a class: the class still has groups for it. */
export const groupsExistFault = ({ titles, groups }: { titles: string; groups: number }): string | undefined =>
  groups > 0 ? `${titles}在该班级有${groups}个分组，请先删除分组` : undefined;

export const groupRemovalFault = (group: { students_count: number }): string | undefined =>
  group.students_count > 0 ? `该分组有${group.students_count}名学员，请先移到其他分组` : undefined;

const byNumberedName = new Intl.Collator('zh-CN', { numeric: true });

const digitOf = (numeral: string): number => '零一二三四五六七八九'.indexOf(numeral || '零');

/** Chinese numerals become digits, so that 高二 comes before 高三, 十班 after 九班, and 乙班 before 丙班. */
const sortableName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/([一二三四五六七八九]?)十([一二三四五六七八九]?)/g, (_, tens: string, ones: string) =>
      String((digitOf(tens) || 1) * 10 + digitOf(ones)),
    )
    .replace(/[一二三四五六七八九]/g, (numeral) => String(digitOf(numeral)))
    .replace(/[甲乙丙丁戊己庚辛壬癸](?=班)/g, (stem) => String('甲乙丙丁戊己庚辛壬癸'.indexOf(stem) + 1));

/**
 * Sorts classes to choose from: by grade, then by name with numbers compared as numbers, 高一(2)班 before 高一(10)班.
 * `grade_place`: position of the grade (`gradePlace` in visible.ts); classes without a grade come last.
 */
export function inClassOrder<Row extends { id: number; name: string; grade_place?: number | null }>(
  rows: readonly Row[],
): Omit<Row, 'grade_place'>[] {
  const keyed = rows.map((row) => ({
    row,
    name: sortableName(row.name),
    place: row.grade_place ?? Number.MAX_SAFE_INTEGER,
  }));
  keyed.sort(
    (one, other) =>
      one.place - other.place || byNumberedName.compare(one.name, other.name) || one.row.id - other.row.id,
  );
  return keyed.map(({ row: { grade_place: _, ...row } }) => row);
}
