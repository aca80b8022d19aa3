/** Limits and messages of schools. */

/** Maximum characters of a school's name; the header has no room for more. */
export const schoolNameLimit = 30;

export const missingSchool = '该学校不存在';

export const schoolMessages = {
  noName: '学校名称不能为空',
  nameLength: `学校名称不能超过${schoolNameLimit}个字`,
  /** Refuses a new record of an archived school. */
  archived: '该学校已停用',
} as const;

/** Refuses administrators of some schools: only administrators of all schools can add, archive or delete a school. */
export const everySchoolFault = (actor: { everySchool: boolean }): string | undefined =>
  actor.everySchool ? undefined : '只有管理全部学校的教务可以添加、停用和删除学校';

export const schoolArchiveFault = (school: { is_put_away: 0 | 1 }): string | undefined =>
  school.is_put_away === 1 ? '该学校已停用' : undefined;

export const schoolRestoreFault = (school: { is_put_away: 0 | 1 }): string | undefined =>
  school.is_put_away === 1 ? undefined : '该学校未停用';

/** Refuses to archive the last active school. */
export const lastSchoolFault = (others: number): string | undefined =>
  others === 0 ? '至少保留一所在用的学校' : undefined;

export const schoolInUseFault = (records: string): string | undefined =>
  records === '' ? undefined : `该学校还有记录，不能删除：${records}。可以停用`;

export const schoolNameTakenMessage = (other: { name: string; is_put_away: 0 | 1 }): string =>
  `已有学校“${other.name}”${other.is_put_away === 1 ? '（已停用，可以恢复）' : ''}`;
