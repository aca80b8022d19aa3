import { adminStaff } from '#server/account/visible.ts';
import { backupState } from '#server/backup/state.ts';
import { pendingReports } from '#server/community/reports.ts';
import { adminExams } from '#server/exams/visible.ts';
import { pendingLearnerRequests } from '#server/identity/learner-link-decisions.ts';
import { pendingLinks } from '#server/identity/links.ts';
import { pendingImports } from '#server/import/list.ts';
import { importPermissions } from '#server/import/rules.ts';
import { areLearnersLockedOut } from '#server/learners/learn-page.ts';
import { countOf } from '#server/platform/db/page.ts';
import { countWaitingErrorReports } from '#server/questions/error-reports.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import type { RuleContext } from '#server/school/context.ts';
import { pendingHandouts } from '#server/sessions/handouts.ts';
import { textState } from '#server/system/text-messages.ts';
import type { Overview } from './administration.contract.ts';
import { startList } from './start-list.ts';

/** Counts the records in the administrator's schools. */
export async function loadOverview(context: RuleContext<'actor' | 'now' | 'settings'>): Promise<Overview> {
  const { db, actor, now } = context;
  const [teaching, people] = (['teaching', 'people'] as const).map((needs) => actor.permissions.includes(needs));
  const isOfAll = actor.everySchool && actor.permissions.includes('settings');
  const schools = schoolsOf(db, actor);
  const [
    staff,
    schoolCount,
    students,
    courses,
    classes,
    exams,
    examDrafts,
    handouts,
    errorReports,
    reports,
    imports,
    identities,
    learnerIdentities,
    start,
  ] = await Promise.all([
    adminStaff(db, actor)
      .select((eb) => [
        'staff.identity',
        eb.fn.countAll<number>().as('all'),
        eb.fn.count<number>('staff.disabled_at').as('disabled'),
        eb.fn
          .sum<number | null>(
            eb
              .case()
              .when(eb.and([eb('staff.must_change_password', '=', 1), eb('staff.disabled_at', 'is', null)]))
              .then(1)
              .else(0)
              .end(),
          )
          .as('new'),
      ])
      .groupBy('staff.identity')
      .execute(),
    countOf(schools.clearSelect()),
    countOf(adminStudents(db, actor).where('student.disabled_at', 'is', null)),
    countOf(db.selectFrom('course').where('course.school_id', 'in', schools)),
    countOf(db.selectFrom('class').where('class.school_id', 'in', schools)),
    countOf(adminExams(db, actor)),
    countOf(adminExams(db, actor).where('exam.status', '=', 2)),
    teaching ? pendingHandouts({ db, actor }) : 0,
    teaching ? countWaitingErrorReports({ db, actor }) : 0,
    people ? pendingReports({ db, actor }) : 0,
    importPermissions.some((one) => actor.permissions.includes(one)) ? pendingImports({ db, actor }) : 0,
    people ? pendingLinks({ db, actor }) : 0,
    people ? pendingLearnerRequests({ db, actor }) : 0,
    startList(context),
  ]);
  const of = (identity: string) => staff.find((row) => row.identity === identity)?.all ?? 0;
  const sum = (name: 'disabled' | 'new') => staff.reduce((all, row) => all + Number(row[name] ?? 0), 0);
  return {
    start,
    schools: schoolCount,
    lecturers: of('teacher'),
    assistants: of('assist'),
    administrators: of('admin'),
    new_staff: sum('new'),
    disabled_staff: sum('disabled'),
    students,
    courses,
    classes,
    exams,
    exam_drafts: examDrafts,
    handouts_waiting: handouts,
    corrections_waiting: errorReports,
    reports_waiting: reports,
    imports_waiting: imports,
    backups: isOfAll ? await backupState(db, now) : 'none',
    identities_waiting: identities,
    learner_identities_waiting: learnerIdentities,
    texts: isOfAll ? await textState(db, now) : 'ok',
    learners_locked_out: isOfAll && (await areLearnersLockedOut(db, now)) ? 1 : 0,
  };
}
