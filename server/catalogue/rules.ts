/** Rules of the catalogues: grades, categories, subjects, rooms, terms. */

/** Kinds of catalogues, as path segments of the calls. */
export const catalogueKinds = [
  'grades',
  'categories',
  'subjects',
  'rooms',
  'terms',
  'ware-categories',
  'exam-categories',
] as const;
export type CatalogueKind = (typeof catalogueKinds)[number];

export const catalogueNames: Record<CatalogueKind, string> = {
  grades: '年级',
  categories: '分类',
  subjects: '科目',
  rooms: '教室',
  terms: '学期',
  'ware-categories': '课件分类',
  'exam-categories': '考试分类',
};

/** True for catalogues whose entries form a tree. */
export const hasLevels = (kind: CatalogueKind): boolean =>
  kind === 'categories' || kind === 'exam-categories' || kind === 'terms';

/** True for catalogues whose entries belong to one school and have seats. All schools share the other catalogues. */
export const isOfSchool = (kind: CatalogueKind): boolean => kind === 'rooms';

/** True for catalogues whose entries have a type, a first and a last day. */
export const hasDays = (kind: CatalogueKind): boolean => kind === 'terms';

export const termTypes = ['schoolYear', 'semester', 'term', 'gradingPeriod'] as const;
export const termTypeNames = {
  schoolYear: '学年',
  semester: '半学年',
  term: '学期',
  gradingPeriod: '评分周期',
} as const;
export type TermType = (typeof termTypes)[number];

/** Formats the first and last day of a term; '' if both are unknown. */
export const formatDays = ({ first_day, last_day }: { first_day: string; last_day: string }): string =>
  first_day === '' && last_day === '' ? '' : `${first_day || '未定'}至${last_day || '未定'}`;

/** Maximum characters of an entry's name. */
export const entryNameLimit = 50;

export const seatsLimit = 9999;

export const missingEntry = (kind: CatalogueKind): string => `该${catalogueNames[kind]}不存在`;

export const catalogueMessages = {
  noName: '名称不能为空',
  nameLength: `名称不能超过${entryNameLimit}个字`,
  seats: `座位数为0到${seatsLimit}的整数`,
  noSchool: '请选择学校',
  noParent: '该上级不存在',
  ownParent: '不能移到自己或自己的下级之下',
  noPlace: '所排位置之前的一项已不在同一级，请重新选择',
  schoolInUse: '该教室已被使用，不能换到其他学校',
} as const;

export const termMessages = {
  type: '请选择学年或学期',
  day: '日期请写成 2026-09-01 的形式',
  order: '结束日期不能早于开始日期',
  noParent: '该上级学期不存在',
  ownParent: '上级互相包含',
} as const;

/** Refuses administrators of some schools: only administrators of all schools change shared catalogues. */
export const everySchoolFault = (actor: { everySchool: boolean }): string | undefined =>
  actor.everySchool ? undefined : '各校共用，只有管理全部学校的教务可以修改';

export const archiveFault = (entry: { is_put_away: 0 | 1 }): string | undefined =>
  entry.is_put_away === 1 ? '已停用' : undefined;

export const restoreFault = (entry: { is_put_away: 0 | 1 }): string | undefined =>
  entry.is_put_away === 1 ? undefined : '未停用';

/** Why an entry cannot be deleted. `uses`: its uses in words, such as `12个班级、3门课程`. */
export const inUseFault = (uses: string): string | undefined =>
  uses === '' ? undefined : `正在使用，不能删除：${uses}。可以停用，停用后不再提供选择`;

/** Refuses a name that another entry of the same level has. */
export const nameTakenMessage = (kind: CatalogueKind, other: { name: string; is_put_away: 0 | 1 }): string =>
  `已有${catalogueNames[kind]}“${other.name}”${other.is_put_away === 1 ? '（已停用，可以恢复）' : ''}`;

/** Refuses to move an entry further up or down. */
export const alreadyAtEnd = (direction: 'up' | 'down'): string => (direction === 'up' ? '已是第一个' : '已是最后一个');

export const mergeMessages = {
  none: '请选择要合并到的一项',
  itself: '不能合并到自己或自己的下级',
  away: '要合并到的一项已停用，请先恢复',
  schools: '两间教室不属于同一所学校，不能合并',
} as const;

export const sameChildMessage = (name: string): string => `两者之下都有“${name}”，请先合并它们`;

/** Sentence with the effect of a merge, which the user must confirm. `uses`: uses of the entry that disappears. */
export const mergeEffect = ({ name, uses }: { name: string; uses: string }, into: string): string =>
  uses === '' ? `“${name}”将不再存在` : `“${name}”的${uses}将改用“${into}”，“${name}”不再存在`;
