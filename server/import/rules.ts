/** Rules and messages of imports, and when an import is held. */

export const kindNames: Readonly<Record<string, string>> = {
  school: '学校',
  term: '学期',
  category: '分类',
  grade: '年级',
  subject: '科目',
  room: '教室',
  staff: '人员',
  student: '学员',
  course: '课程',
  period: '课时',
  class: '班级',
  class_course: '班级的课程',
  class_staff: '班主任和助教',
  membership: '进班',
  group: '分组',
  group_member: '分组学员',
  group_class: '团课班级',
  lesson: '课次',
  exam: '考试',
};

/** A user with one of these permissions can import, because each allows creating some kind of record by hand. */
export const importPermissions = ['people', 'teaching', 'exams', 'settings'] as const;

/** Kinds that a list can consist of. */
export const listKinds = ['student', 'staff'] as const;

/** Identities that all people of a list can get. Administrators cannot be imported. */
export const listIdentities = ['讲师', '助教'] as const;
export type ListIdentity = (typeof listIdentities)[number];

/** How user names are made: from the mobile number, or from the name in pinyin and the number's last four digits. */
export const listUsernames = ['mobile', 'pinyin'] as const;
export type ListUsername = (typeof listUsernames)[number];

export const listNames = { student: '学员名单', staff: '人员名单' } as const;

/** Kinds of the sheet 年级与分类. */
const catalogueKinds: ReadonlySet<string> = new Set(['term', 'grade', 'category', 'subject']);

export const kindName = (kind: string): string => kindNames[kind] ?? kind;

/**
 * Outcomes of a check for a row. `match`: the row probably means an existing record, and a person has to confirm that.
 */
export const rowOutcomes = [
  'new',
  'changed',
  'returns',
  'leaves',
  'conflict',
  'match',
  'refused',
  'unchanged',
] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

export const rowOutcomeNames: Readonly<Record<RowOutcome, string>> = {
  new: '新增',
  changed: '修改',
  returns: '返回',
  leaves: '离开',
  conflict: '冲突',
  match: '待确认',
  refused: '不能导入',
  unchanged: '不变',
};

export const importStates = ['uploaded', 'checked', 'held', 'applied', 'undone', 'discarded'] as const;
export type ImportState = (typeof importStates)[number];

export const importStateNames: Readonly<Record<ImportState, string>> = {
  uploaded: '已上传',
  checked: '已检查',
  held: '已暂停',
  applied: '已导入',
  undone: '已撤销',
  discarded: '已放弃',
};

export const importJobs = ['check', 'apply', 'undo'] as const;
export type ImportJob = (typeof importJobs)[number];
export const jobNames: Readonly<Record<ImportJob, string>> = { check: '检查', apply: '导入', undo: '撤销' };

/** Chinese names of fields, shared by all kinds. */
export const fieldWords: Readonly<Record<string, string>> = {
  name: '名称',
  nickname: '姓名',
  real_name: '姓名',
  username: '用户名',
  identity: '身份',
  permissions: '权限',
  number: '学号',
  mobile: '手机号',
  guardian_mobile: '家长手机号',
  school_id: '学校',
  parent_id: '上级',
  seats: '座位数',
  title: '课程名称',
  course_type: '课程类型',
  classify_id: '分类',
  grade_id: '年级',
  subject_id: '科目',
  introduction: '简介',
  course_extend: '讲师可进入助教直播间',
  cover_of_id: '封面取自',
  own_class_id: '班级',
  valid_type: '有效期',
  valid_day: '最后一天',
  is_circle_hidden: '隐藏班级圈子',
  class_id: '班级',
  course_id: '课程',
  staff_id: '人员',
  student_id: '学员',
  duty: '职责',
  class_type: '班级类型',
  lecturer_id: '讲师',
  room_id: '教室',
  teaching_mode: '上课方式',
  sign_type: '计费方式',
  schedule: '上课时间',
  remarks: '备注',
  start_day: '开课日期',
  large_class_name: '大班',
  term_ids: '学期',
  type: '类别',
  first_day: '开始日期',
  last_day: '结束日期',
  joined_at: '加入日期',
  contracts_number: '合同编号',
  remaining_lessons: '剩余课时',
  periods_price: '课时单价',
  lesson_minutes: '每课时分钟数',
  group_id: '分组',
  group_name: '分组名称',
  staff_ids: '助教',
  large_class_id: '大班',
  every_school: '管理全部学校',
  school_ids: '管理的学校',
  left_at: '离开日期',
  left_reason: '离开原因',
  chapter_title: '章节',
  periods_type: '课时类型',
  start_play: '开始时间',
  minutes: '时长（分钟）',
  advance_time: '提前进入（分钟）',
  period_id: '课时',
  day: '日期',
  start: '开始时间',
  end: '结束时间',
  introduce: '说明',
  category_name: '考试分类',
  pass_score: '及格分',
  limit_minutes: '考试时长（分钟）',
  attempts: '答题次数',
  start_at: '开始时间',
  end_at: '结束时间',
  grade_ids: '年级',
  class_ids: '班级',
  /** State of the record: current or ended. */
  state: '状态',
};

/** Fields whose name in one kind differs from `fieldWords`. */
const ownWords: Readonly<Record<string, string>> = {
  'period.title': '课时名称',
  'lesson.chapter_title': '课题',
  'exam.school_ids': '学校',
};

export const fieldWord = (field: string, kind = ''): string =>
  ownWords[`${kind}.${field}`] ?? fieldWords[field] ?? field;

export const missingImport = '该导入不存在';
export const missingImportRow = '该行不存在';

/** Seconds after applying within which an undo is guaranteed. */
export const undoLimit = 14 * 24 * 60 * 60;

/** Maximum bytes of an uploaded file. */
export const importBytes = 300 * 1024 * 1024;

/** Maximum characters of a source's name. */
export const sourceNameLimit = 50;
export const importedTextLimit = 2000;
export const sourceIdLimit = 255;

export const importMessages = {
  noSource: '请填写来源',
  sourceLength: `来源不能超过${sourceNameLimit}个字`,
  noFile: '请选择文件',
  guessed: '各列的含义是按标题猜的，请确认后再检查',
  rowsRefused: (count: number) => `有${count}行不能导入，其余已导入`,
  unread: '文件没有读取成功，没有可检查的内容',
  notAList: '只有人员或学员的单张名单需要指定各列的含义',
  listGone: '文件已不再保存，请重新上传',
  columnTwice: (field: string) => `“${field}”只能对应一列`,
  noColumn: (field: string) =>
    `请指定“${field}”是哪一列${field === '身份' || field === '用户名' ? '，或选择没有写明时怎么读取' : ''}`,
  noSheet: '请选择至少一个工作表',
  otherColumns: '名单的列与文件不一致，请刷新后重试',
  unreadable: '文件内容无法识别，请使用模板',
  leavingLater: (count: number) => `${count}条的离开日期还没有到，到那天会自动离开`,
  nothing: '文件中没有可导入的记录',
  notSupported: (kind: string) => `“${kindName(kind)}”暂不能导入，已略过`,
  unknownField: '没有这个字段',
  notAReference: (kind: string) => `请填写${kindName(kind)}`,
  text: `文字不能超过${importedTextLimit}个字`,
  twice: (rows: readonly string[]) => `同一记录出现了多次：${rows.slice(0, 5).join('、')}`,
  noKey: '没有编号，也没有可以识别它的内容',
  /** `written`: what the file says, an id or a name. */
  missingReference: (kind: string, id: string, written?: string) =>
    written === undefined
      ? `没有编号为“${id}”的${kindName(kind)}`
      : `没有找到${kindName(kind)}“${written}”${catalogueKinds.has(kind) ? '，请先在“基础资料”或工作表“年级与分类”中添加' : ''}`,
  severalNamed: (kind: string, name: string) => `有多个${kindName(kind)}叫“${name}”，分不清是哪一个`,
  refusedReference: (kind: string, label: string) => `${kindName(kind)}“${label}”不能导入`,
  near: (kind: string, written: string, name: string) => `没有${kindName(kind)}“${written}”，相近的是“${name}”`,
  undecidedReference: (kind: string, label: string) => `${kindName(kind)}“${label}”待确认`,
  notYours: '不在您管理的学校',
  needs: '您没有管理这类记录的权限',
  taken: '与本次导入的另一行是同一条记录',
  erased: '该学员的个人信息已按要求注销，不再导入；重新入学请在“学员”中手工添加',
  ofErased: '其中有学员已注销个人信息，该导入已放弃，请重新上传',
  neverSeen: '没有导入过该文件',
  busy: '正在进行其他操作，请稍候',
  cancelled: '已取消',
  lost: '服务已重新启动，请再试一次',
  failed: '未能完成，没有任何改动，请再试一次',
} as const;

/** Why an import cannot be checked: its file could not be read, so there is nothing to check. */
export const unreadableFault = (one: {
  state: ImportState;
  total: number;
  kinds: readonly unknown[];
}): string | undefined =>
  one.state === 'uploaded' && one.total === 0 && one.kinds.length === 0 ? importMessages.unread : undefined;

/** A job without a heartbeat for this many seconds counts as lost. */
export const jobLostAfter = 60;

/** Why an import cannot be checked in its present state. */
export const checkFault = (one: { state: ImportState; job: string }): string | undefined =>
  busyFault(one) ??
  (one.state === 'uploaded' || one.state === 'checked' || one.state === 'held'
    ? undefined
    : `该导入${importStateNames[one.state]}，不能再检查`);

export const applyFault = (one: { state: ImportState; job: string }): string | undefined => {
  if (one.state === 'uploaded' && one.job === '') return '请先检查';
  return (
    busyFault(one) ??
    (one.state === 'checked' || one.state === 'held' ? undefined : `该导入${importStateNames[one.state]}，不能再导入`)
  );
};

/** Why an import cannot be undone. `isKept`: its rows were not purged. */
export const undoFault = (one: { state: ImportState; job: string; isKept: boolean }): string | undefined => {
  if (one.state !== 'applied') return one.state === 'undone' ? '该导入已撤销' : '该导入还没有导入，无须撤销';
  return one.isKept ? busyFault(one) : '导入的逐行记录已超过保存期限，不能撤销';
};

export const discardFault = (one: { state: ImportState; job: string }): string | undefined =>
  busyFault(one) ??
  (one.state === 'uploaded' || one.state === 'checked' || one.state === 'held'
    ? undefined
    : `该导入${importStateNames[one.state]}，不能放弃`);

export const cancelFault = (one: { job: string }): string | undefined =>
  one.job === '' ? '没有正在进行的操作' : undefined;

export const choiceFault = (one: { state: ImportState; job: string }): string | undefined =>
  busyFault(one) ??
  (one.state === 'checked' || one.state === 'held' ? undefined : `该导入${importStateNames[one.state]}，不能再选择`);

export const busyFault = ({ job }: { job: string }): string | undefined =>
  job === '' ? undefined : `正在${jobNames[job as ImportJob]}，请稍候`;

/** Writes sentences about messages that applying sends and passwords to print after it, from the check's outcomes. */
export function followUps(counts: Partial<Record<string, Partial<Record<string, number>>>>): string[] {
  const countOf = (kind: string, ...outcomes: readonly RowOutcome[]) =>
    outcomes.reduce((sum, outcome) => sum + (counts[kind]?.[outcome] ?? 0), 0);
  const [staff, students] = [countOf('staff', 'new'), countOf('student', 'new')];
  const lessons = countOf('lesson', 'changed', 'leaves');
  return [
    '导入不发送短信',
    ...(lessons > 0 ? [`改动或取消的${lessons}节课次不会通知学员，请另行通知`] : []),
    ...(staff > 0 ? [`新增的${staff}名人员还没有密码，导入后请在“人员”中打印初始密码`] : []),
    ...(students > 0
      ? [`新增的${students}名学员还没有密码，收不到短信验证码的，导入后请在班级的学员名单中打印初始密码`]
      : []),
  ];
}

/** True if the stored plan of an import belongs to a roll-over. */
export const isRollOverPlan = (plan: string): boolean => plan !== '' && 'rollOver' in JSON.parse(plan);

/** Says which records changed between check and application. */
export const staleSentence = (changes: readonly string[], count: number): string =>
  `检查之后有${count}条记录已变化，请重新检查：${changes.join('；')}${count > changes.length ? '等' : ''}`;

// ---- timetables ------------------------------------------------------------------------------------

/** Weeks in which a rule of a timetable applies: all, odd or even ones. */
export const parities = ['all', 'odd', 'even'] as const;
export type Parity = (typeof parities)[number];

export const timetableWeeks = 30;

export const noLecturerMessage = '请选择讲师';

/** Says how many periods or lessons clash; undefined if none. */
export const clashSentence = (count: number): string | undefined =>
  count > 0 ? `${count}节课与其他安排时间冲突` : undefined;

/** Formats of an export: our own workbook, or a OneRoster package. */
export const exportForms = ['workbook', 'oneroster'] as const;

export const holdReasons = ['leaves', 'changes', 'empty', 'emptied', 'unread', 'cut', 'older'] as const;

export type HoldReason = (typeof holdReasons)[number];
