import { leavingSentence } from '#server/enrolment/rules.ts';

/**
 * Text that distinguishes students of the same name: the student number, else the last four digits of the mobile number
 * (`尾号0001`).
 */
export const studentIdentifier = ({ number, mobile }: { number: string; mobile: string }): string =>
  number !== '' ? number : mobile === '' ? '' : `尾号${mobile.slice(-4)}`;

// ---- erased students ------------------------------------------------------------------------------------

/** Name that replaces the one of an erased student. */
export const erasedName = '已注销学员';

/** Why a student cannot be changed: the student was erased. */
export const erasedFault = (student: { is_erased: 0 | 1 }): string | undefined =>
  student.is_erased === 1 ? '该学员的个人信息已注销，不能再修改' : undefined;

// ---- form fields --------------------------------------------------------------------------------------

/** Maximum characters of a name and of a student number. */
export const studentNameLimit = 50;
export const studentNumberLimit = 30;

/** Describes an existing student who has the name or mobile number of an imported student. */
export const similarStudentMessage = (
  other: { id: number; nickname: string; number: string; mobile: string },
  isMobile: boolean,
): string => {
  const identifier = other.number !== '' ? `学号${other.number}` : `编号${other.id}`;
  const mobile = other.mobile === '' || isMobile ? '' : `，手机尾号${other.mobile.slice(-4)}`;
  return `已有${isMobile ? '手机号相同的' : '同名的'}学员：${other.nickname}（${identifier}${mobile}），请核对`;
};

/** Names an earlier student of the same import. */
export function duplicateInImportMessage(
  other: { nickname: string; number: string; mobile: string },
  isMobile: boolean,
): string {
  const facts = [
    other.number !== '' && `学号${other.number}`,
    other.mobile !== '' && !isMobile && `手机尾号${other.mobile.slice(-4)}`,
  ].filter((one) => one !== false);
  const who = facts.length > 0 ? `${other.nickname}（${facts.join('，')}）` : other.nickname;
  return `与本次导入的${who}${isMobile ? '手机号相同' : '同名'}，请核对`;
}

export const similarNumberMessage = (number: string): string => `与学号“${number}”只有大小写不同，请核对`;

export const studentMessages = {
  noName: '姓名不能为空',
  nameLength: `姓名不能超过${studentNameLimit}个字`,
  number: `学号不能有空格，最多${studentNumberLimit}个字符`,
  numberTaken: '该学校已有学员使用此学号',
  numberOfErased: '此学号属于已注销的学员，不能再使用',
  mobile: '请输入11位手机号',
  noSchool: '请选择学校',
} as const;

export const faultIfDisabled = (student: { is_disabled: 0 | 1 }): string | undefined =>
  student.is_disabled === 1 ? '该学员已停用' : undefined;
export const faultIfEnabled = (student: { is_disabled: 0 | 1 }): string | undefined =>
  student.is_disabled === 0 ? '该学员未停用' : undefined;

export const fieldNames = {
  nickname: '姓名',
  number: '学号',
  mobile: '手机号',
  guardian_mobile: '家长手机号',
  school_id: '学校',
} as const;

/** Numbers of records. The keys are the Chinese nouns that the message uses. */
export type RecordCounts = Readonly<Record<string, number>>;

/** Why a student cannot be deleted; undefined if the student has no records. */
export function recordsSentence(counts: RecordCounts): string | undefined {
  const recordTexts = Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count}${what}`] : []));
  return recordTexts.length > 0 ? `该学员有记录，不能删除，只能停用：${recordTexts.join('，')}` : undefined;
}

/** Effect to confirm: a student who is in classes moves to another school. */
export const transferSentence = (classes: number): string | undefined =>
  classes > 0 ? `该学员在${classes}个班级中，修改学校后仍在这些班级` : undefined;

/** Effect to confirm: a student who is in classes is disabled. */
export const disablingSentence = (
  classes: number,
  unfinished: { homework: number; leave: number },
): string | undefined => {
  const who = `将离开${classes}个班级`;
  return classes > 0 ? (leavingSentence(who, unfinished) ?? who) : undefined;
};
