/** Numbers on the administrator's home page. */
import * as v from 'valibot';
import { backupStates } from '#server/backup/contract.ts';
import { adminCall } from '#server/school/call.ts';
import { textStates } from '#server/system/rules.ts';

export const Overview = v.object({
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
  /** Whether text messages go out, for administrators of all schools' settings; otherwise `ok`. */
  texts: v.picklist(textStates),
  /** 1: the learners' page is on, but learners get neither text messages nor passwords. For the same. */
  learners_locked_out: v.picklist([0, 1]),
});
export type Overview = v.InferOutput<typeof Overview>;

export const showOverview = adminCall({ method: 'GET', path: 'overview', title: '管理概况', answer: Overview });
