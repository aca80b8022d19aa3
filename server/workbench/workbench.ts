import { leaveRequests, pendingLeave } from '#server/attendance/leave-list.ts';
import { listUncalledLessons } from '#server/attendance/missing-roll-calls.ts';
import { entriesBetween } from '#server/calendar/entries.ts';
import { postsSince } from '#server/community/news.ts';
import { pendingReportCount } from '#server/grading-desk/list.ts';
import { homeworkWaitingForGrader, pendingExamPapers } from '#server/grading-desk/pending-counts.ts';
import { listDrafts } from '#server/homework/drafts.ts';
import { listDueHomework } from '#server/homework/due-homework.ts';
import { dayOf, dayRange } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { busyStaffIds } from '#server/school/staff-duties.ts';
import { rejectedHandouts } from '#server/sessions/handout.ts';
import type { Counts, Workbench } from './contract.ts';

/** Maximum rows of each part of the workbench. */
const shown = 5;
/**
 * Maximum lessons whose roll was not called. It is larger than `shown`, because these lessons have no list of their
 * own.
 */
const uncalledShown = 20;
/** Seconds. */
const twoDays = 48 * 60 * 60;
/**
 * Seconds after which the workbench no longer lists a lesson whose roll was not called. The statistics of its class
 * still do.
 */
const uncalledFor = 30 * 24 * 60 * 60;

type WorkbenchContext = RuleContext<'actor' | 'now' | 'settings'>;

export async function loadWorkbench(context: WorkbenchContext): Promise<Workbench> {
  const { db, actor, now, settings } = context;
  const today = dayOf(now, settings.timezone);
  const { from = now, until = now } = dayRange(today, today, settings.timezone);
  const [lessons, corrections, leave, due, handouts, rolls, drafts, news] = await Promise.all([
    entriesBetween(db, { actor }, { from, until, now }),
    actor.permissions.includes('correct')
      ? homeworkWaitingForGrader(db, actor, shown)
      : { homework: null, exams: null },
    leaveRequests(db, actor, { limit: shown, now }),
    listDueHomework(db, actor, { now, until: now + twoDays, limit: shown }),
    rejectedHandouts(db, actor, shown),
    listUncalledLessons(db, actor, { since: now - uncalledFor, now, limit: uncalledShown }),
    actor.permissions.includes('dispatch') ? listDrafts(db, actor, shown) : { total: 0, list: [] },
    settings.community_module ? postsSince(context, now - twoDays, shown) : [],
  ]);
  // People with work are assigned already, so only idle users cost this query.
  const isIdle = lessons.length + leave.total + due.length + handouts.length + rolls.total === 0;
  const is_unassigned = isIdle && (await busyStaffIds(db, [actor.id])).length === 0 ? 1 : 0;
  return { is_unassigned, lessons, ...corrections, leave, due, handouts, rolls, drafts, news };
}

export async function countPending({ db, actor }: RuleContext<'actor'>): Promise<Counts> {
  const [corrections, exams, leave] = await Promise.all([
    actor.permissions.includes('correct') ? pendingReportCount(db, actor) : 0,
    actor.permissions.includes('correct') ? pendingExamPapers(db, actor) : 0,
    pendingLeave(db, actor),
  ]);
  return { corrections, exams, leave };
}
