/** Numbers on the administrator's home page. */
import * as v from 'valibot';
import { backupStates } from '#server/backup/contract.ts';
import { FlagNumber, SearchFlag, searchWord } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { textStates } from '#server/system/rules.ts';
import { startSteps } from './rules.ts';

export const StartState = v.object({
  step: v.picklist(startSteps),
  is_done: FlagNumber,
  /** 1: put away for all administrators. */
  is_away: FlagNumber,
});
export type StartState = v.InferOutput<typeof StartState>;

export const Overview = v.object({
  /** Steps that the administrator may take, in order. */
  start: v.array(StartState),
  schools: v.number(),
  lecturers: v.number(),
  assistants: v.number(),
  administrators: v.number(),
  /** Number of staff who still have their first password. */
  new_staff: v.number(),
  disabled_staff: v.number(),
  students: v.number(),
  courses: v.number(),
  classes: v.number(),
  /** Number of exams that the administrator sees; drafts are the administrator's own. */
  exams: v.number(),
  exam_drafts: v.number(),
  /** Numbers of pending decisions; 0 without the permission to decide. */
  handouts_waiting: v.number(),
  corrections_waiting: v.number(),
  reports_waiting: v.number(),
  imports_waiting: v.number(),
  /** State of automatic backups; `none` unless the administrator may change the settings of all schools. */
  backups: v.picklist(backupStates),
  identities_waiting: v.number(),
  learner_identities_waiting: v.number(),
  /** State of sending text messages, for administrators of all schools' settings; otherwise `ok`. */
  texts: v.picklist(textStates),
  /** 1: the learners' page is on, but learners get neither text messages nor passwords; otherwise 0. */
  learners_locked_out: v.picklist([0, 1]),
});
export type Overview = v.InferOutput<typeof Overview>;

export const showOverview = adminCall({ method: 'GET', path: 'overview', title: '管理概况', answer: Overview });

/** Puts a step away, or shows it again, for all administrators. */
export const putAwayStep = adminCall({
  method: 'POST',
  path: 'overview/start',
  title: '收起或恢复一项准备工作',
  needs: 'settings',
  body: v.object({ step: searchWord(startSteps), is_away: SearchFlag }),
  answer: v.null(),
  message: '保存成功',
});
