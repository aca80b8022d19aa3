/** The start list: a school's steps, each done or open by the recorded data. */

import { adminStaff } from '#server/account/visible.ts';
import { hasBackup } from '#server/backup/records.ts';
import { hasLearnPage } from '#server/learners/learn-page.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { withSchoolLock } from '#server/school/school-lock.ts';
import { deliversTextMessages } from '#server/school/settings.ts';
import { listDismissedSteps, storeDismissedStep } from '#server/school/start-steps.ts';
import { settingsRefusal } from '#server/settings/changes.ts';
import { yearsWithHolidays } from '#server/settings/holidays.ts';
import type { putAwayStep, StartState } from './administration.contract.ts';
import { type StartStep, startMessages, startSteps } from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Steps that the actor may take. Steps put away are not looked up. */
export async function startList(context: RequestContext): Promise<StartState[]> {
  const away = await listDismissedSteps(context.db);
  const steps = startSteps.filter((step) => mayTake(context, step));
  return Promise.all(
    steps.map(async (step) => ({
      step,
      is_done: !away.has(step) && (await isDone[step](context)) ? 1 : 0,
      is_away: away.has(step) ? 1 : 0,
    })),
  );
}

/** Puts a step of the start list away. 403: administrator of some schools only. 422: no such step. */
export async function dismissStep(
  context: RequestContext,
  written: BodyOf<typeof putAwayStep>,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const { step } = written;
  const is_away = written.is_away ?? 0;
  const refusal = settingsRefusal(context);
  if (refusal) return refusal;
  if (step === undefined) return invalid({ step: [startMessages.noStep] });
  await withSchoolLock(db);
  const before = (await listDismissedSteps(db)).has(step) ? 1 : 0;
  if (before === is_away) return null;
  await storeDismissedStep(db, step, is_away === 1);
  await recordHistory(db, {
    actor,
    now,
    record: 'setting',
    recordId: 1,
    action: 'edit',
    before: { start_step: step, is_away: before },
    after: { start_step: step, is_away },
  });
  return null;
}

/** Permission of each step, and whether it concerns all schools. */
const needs: Record<StartStep, { permission: 'people' | 'teaching' | 'settings'; everySchool?: true }> = {
  schools: { permission: 'settings', everySchool: true },
  staff: { permission: 'people' },
  students: { permission: 'people' },
  courses: { permission: 'teaching' },
  classes: { permission: 'teaching' },
  terms: { permission: 'teaching', everySchool: true },
  holidays: { permission: 'settings', everySchool: true },
  learners: { permission: 'settings', everySchool: true },
  messages: { permission: 'settings', everySchool: true },
  backup: { permission: 'settings', everySchool: true },
  administrators: { permission: 'people', everySchool: true },
};

const mayTake = ({ actor }: Pick<RequestContext, 'actor'>, step: StartStep): boolean =>
  actor.permissions.includes(needs[step].permission) && (actor.everySchool || !needs[step].everySchool);

/** The columns do not matter: one row is enough. */
const hasRows = async (query: { limit(rows: number): { execute(): Promise<unknown[]> } }): Promise<boolean> =>
  (await query.limit(1).execute()).length > 0;

const isDone: Record<StartStep, (context: RequestContext) => boolean | Promise<boolean>> = {
  schools: ({ db, actor }) => hasRows(schoolsOf(db, actor)),
  staff: ({ db, actor }) =>
    hasRows(
      adminStaff(db, actor)
        .select('staff.id')
        .where('staff.identity', 'in', ['teacher', 'assist'])
        .where('staff.disabled_at', 'is', null),
    ),
  students: ({ db, actor }) =>
    hasRows(adminStudents(db, actor).select('student.id').where('student.disabled_at', 'is', null)),
  courses: ({ db, actor }) =>
    hasRows(
      db
        .selectFrom('course')
        .select('course.id')
        .where('course.school_id', 'in', schoolsOf(db, actor))
        .where((eb) =>
          eb.exists(eb.selectFrom('period').select('period.id').whereRef('period.course_id', '=', 'course.id')),
        ),
    ),
  classes: ({ db, actor }) =>
    hasRows(
      db
        .selectFrom('class')
        .select('class.id')
        .where('class.school_id', 'in', schoolsOf(db, actor))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('class_student')
              .select('class_student.class_id')
              .whereRef('class_student.class_id', '=', 'class.id')
              .where('class_student.left_at', 'is', null),
          ),
        ),
    ),
  terms: ({ db }) => hasRows(db.selectFrom('term').select('term.id').where('term.put_away_at', 'is', null)),
  holidays: async ({ db, now, settings }) =>
    (await yearsWithHolidays(db, {})).some((year) => year >= Number(dayOf(now, settings.timezone).slice(0, 4))),
  learners: ({ db, now }) => hasLearnPage(db, now),
  messages: ({ db, now }) => deliversTextMessages(db, now),
  backup: ({ db }) => hasBackup(db),
  administrators: async ({ db, actor }) => {
    const all = adminStaff(db, actor)
      .select('staff.id')
      .where('staff.identity', '=', 'admin')
      .where('staff.every_school', '=', 1)
      .where('staff.disabled_at', 'is', null);
    return (await all.limit(2).execute()).length === 2;
  },
};
