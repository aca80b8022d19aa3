import { administeredStaff } from '#server/account/visible.ts';
import { countOf } from '#server/platform/db/page.ts';
import { schoolsOf } from '#server/school/administered.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { Overview } from './administration.contract.ts';

/** What there is in the schools of an administrator. */
export async function overview({ db, actor }: RuleContext<'actor'>): Promise<Overview> {
  const schools = schoolsOf(db, actor);
  const [staff, schoolCount, students, courses, classes] = await Promise.all([
    administeredStaff(db, actor)
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
    countOf(db.selectFrom('student').where('student.school_id', 'in', schools)),
    countOf(db.selectFrom('course').where('course.school_id', 'in', schools)),
    countOf(db.selectFrom('class').where('class.school_id', 'in', schools)),
  ]);
  const of = (identity: string) => staff.find((row) => row.identity === identity)?.all ?? 0;
  const sum = (name: 'disabled' | 'new') => staff.reduce((all, row) => all + Number(row[name] ?? 0), 0);
  return {
    schools: schoolCount,
    lecturers: of('teacher'),
    assistants: of('assist'),
    administrators: of('admin'),
    new_staff: sum('new'),
    disabled_staff: sum('disabled'),
    students,
    courses,
    classes,
  };
}
