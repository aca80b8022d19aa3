import type { Identity } from '#server/platform/auth/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';

export interface DemoAccount {
  username: string;
  password: string;
  identity: Identity;
  note: string;
}

const passwords = { teacher: 'Teach2026', assist: 'Assist2026', admin: 'Admin2026' } as const;
const account = (username: string, identity: DemoAccount['identity'], note: string): DemoAccount => ({
  username,
  password: passwords[identity],
  identity,
  note,
});

/** The accounts that the sign-in page shows. Further staff of the demo school have the same passwords. */
export const demoAccounts: DemoAccount[] = [
  account('teacher', 'teacher', '讲师，可布置、可批改'),
  account('assist', 'assist', '助教，可布置、可批改'),
  account('admin', 'admin', '教务，管理全部学校'),
  account('teacher2', 'teacher', '另一位讲师，教其他课时'),
  account('assist2', 'assist', '另一位助教，带其他班级'),
  account('teacher3', 'teacher', '讲师，没有布置和批改权限'),
  account('newcomer', 'teacher', '新讲师，还没有任何数据'),
];

export const demoPassword = (identity: DemoAccount['identity']): string => passwords[identity];

/** True for user names of the demo school, such as `teacher`, `assist12`, `newcomer`, `admin`. */
export const isDemoUsername = (username: string): boolean => /^((teacher|assist)\d*|newcomer|admin)$/.test(username);

/** True if the database holds the demo school; filling it writes a setting that says so. */
export async function isDemoSchool(db: Database): Promise<boolean> {
  const demo = await db.selectFrom('setting').select('value').where('name', '=', 'demo').executeTakeFirst();
  return demo?.value === '1';
}

/** Accounts shown on the sign-in page; none outside the demo school. */
export async function accountsOfDemo(db: Database): Promise<DemoAccount[]> {
  return (await isDemoSchool(db)) ? demoAccounts : [];
}

/** Up to three enabled students with unsubmitted homework, latest deadline first. */
export async function learnersOfDemo(db: Database): Promise<{ nickname: string; number: string }[]> {
  if (!(await isDemoSchool(db))) return [];
  const rows = await db
    .selectFrom('student')
    .innerJoin('report', 'report.student_id', 'student.id')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select(['student.nickname', 'student.mobile'])
    .where('student.mobile', '<>', '')
    .where('student.disabled_at', 'is', null)
    .where('report.status', '=', 1)
    .where('homework.status', '=', 1)
    .groupBy(['student.id', 'student.nickname', 'student.mobile'])
    .orderBy((eb) => eb.fn.max('homework.ending_time'), 'desc')
    .orderBy('student.id')
    .limit(3)
    .execute();
  return rows.map(({ nickname, mobile }) => ({ nickname, number: mobile }));
}
