/** What an administrator looks after, in numbers. */
import * as v from 'valibot';
import { backupStates } from '#server/backup/contract.ts';
import { adminCall } from '#server/school/call.ts';

export const Overview = v.object({
  schools: v.number(),
  lecturers: v.number(),
  assistants: v.number(),
  administrators: v.number(),
  /** Of the staff: those without a password of their own. */
  new_staff: v.number(),
  disabled_staff: v.number(),
  students: v.number(),
  courses: v.number(),
  classes: v.number(),
  /** Those that the administrator sees: of their schools, and their own drafts. */
  exams: v.number(),
  exam_drafts: v.number(),
  /** What waits for a decision; 0 for what the person may not decide. */
  handouts_waiting: v.number(),
  corrections_waiting: v.number(),
  reports_waiting: v.number(),
  imports_waiting: v.number(),
  /** Of the backups that are made by themselves, for whoever looks after the settings of all schools; else `none`. */
  backups: v.picklist(backupStates),
  identities_waiting: v.number(),
});
export type Overview = v.InferOutput<typeof Overview>;

export const showOverview = adminCall({ method: 'GET', path: 'overview', title: '管理概况', answer: Overview });
