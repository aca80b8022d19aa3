export const classFates = ['stay', 'promote', 'graduate'] as const;

export type ClassFate = (typeof classFates)[number];

export const fateNames: Readonly<Record<ClassFate, string>> = { stay: '不变', promote: '升级', graduate: '毕业' };

export const rollOverMessages = {
  noSchool: '请选择学校',
  noName: '请填写升级后的班级名称',
  noGrade: '请选择升级后的年级',
  sameGrade: '升级后的年级与现在相同',
  noTarget: '请选择留级到哪个班级',
  ownTarget: '留级不能留在原来的班级',
  endedTarget: '留级到的班级不能是毕业的班级',
  noFirstDay: '复制课程请填写新课程的开始日期',
  noTerm: '该学期不存在或已停用',
  noTitle: '请填写新课程的名称',
  sameTitle: '新课程的名称与其他课程相同',
  nothing: '没有要升级、毕业、留级的班级，没有要进入的学期，也没有要复制的课程',
} as const;

/** Messages for a student who is named to repeat the year: not in the class, or one of several with this name. */
export const notInClassMessage = (name: string): string => `“${name}”不在该班级`;

export const ambiguousNameMessage = (name: string): string => `该班级有多名“${name}”，请写学号`;

/** Warns that the copied periods have no lecturer, because the lecturer of the original course is disabled. */
export const disabledLecturerWarning = (course: string, lecturer: string, periods: number): string =>
  `“${course}”有${periods}个课时原由${lecturer}讲授，该讲师已停用，新课时没有讲师`;
