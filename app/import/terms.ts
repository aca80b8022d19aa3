import {
  type exportForms,
  type ImportJob,
  type ImportState,
  importStateNames,
  importStates,
  jobNames,
  kindNames,
  type ListUsername,
  type RowOutcome,
  rowOutcomeNames,
  rowOutcomes,
} from '#server/import/rules.ts';

export const stateChoices = importStates.map((state) => [state, importStateNames[state]] as const);
export const rowOutcomeChoices = rowOutcomes.map((verdict) => [verdict, rowOutcomeNames[verdict]] as const);
export const rowOutcomeTones = {
  new: 'good',
  changed: 'accent',
  returns: 'good',
  leaves: 'warn',
  conflict: 'warn',
  match: 'warn',
  refused: 'bad',
  unchanged: 'plain',
} as const satisfies Record<RowOutcome, string>;
export const kindChoices = Object.entries(kindNames);

/** Formats the state of an import, or which job is running for it. */
export const formatState = ({ state, job }: { state: ImportState; job: '' | ImportJob }): string =>
  job === '' ? importStateNames[state] : `正在${jobNames[job]}`;

/** Formats the name of the uploader. */
export const formatUploader = ({ by, found }: { by: string; found: 0 | 1 }): string =>
  by || (found ? '导入文件夹' : '系统');

/** Modes of an upload: the complete list, or only changes. */
export const modeNames = { bulk: '完整名单', delta: '变更' } as const;

export const modeChoices = [
  ['delta', '只处理名单中的人，其他人不变'],
  ['bulk', '这是完整名单，名单之外的人视为离开'],
] as const;

export const newClassChoices = [
  ['0', '不新建，其学员不进班'],
  ['1', '新建班级'],
] as const;

export const usernameChoices = [
  ['mobile', '用手机号'],
  ['pinyin', '用姓名拼音加手机后四位，如 wangli8001'],
] as const satisfies readonly (readonly [ListUsername, string])[];

export const toneNames = { refused: '不能导入', forgiven: '已自动处理', doubted: '请核对' } as const;
export const toneChoices = Object.entries(toneNames);

export const matchChoices = [
  ['same', '是同一人或同一记录'],
  ['new', '不是，新增'],
  ['ask', '稍后再定'],
] as const;

/** Choices for a row that refers to a record by a similar name. `new` refuses the row. */
export const similarNameChoices = [
  ['same', '就是相近的这一个'],
  ['new', '不是，这一行不导入'],
  ['ask', '稍后再定'],
] as const satisfies readonly (readonly [(typeof matchChoices)[number][0], string])[];

/** Choices for the name of a class that is similar to a known one. */
export const nearClassChoices = ['same', 'new'] as const;

export const parseMatch = (word: string) => matchChoices.map(([match]) => match).find((match) => match === word);

/** Names of the export buttons. Imports can read these formats again. */
export const exportNames: Record<(typeof exportForms)[number], string> = {
  workbook: '导出工作簿',
  oneroster: '导出 OneRoster',
};
