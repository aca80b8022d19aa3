import type { Database } from '#server/db/engine.ts';

export interface DemoAccount {
  username: string;
  password: string;
  identity: 'teacher' | 'assist';
  note: string;
}

export const demoAccounts: DemoAccount[] = [
  { username: 'teacher', password: 'Teach2026', identity: 'teacher', note: '讲师' },
  { username: 'assist', password: 'Assist2026', identity: 'assist', note: '助教' },
];

/** The accounts to show on the sign-in page: none in a school that is not the demo school. */
export async function accountsOfDemo(db: Database): Promise<DemoAccount[]> {
  const demo = await db.selectFrom('setting').select('value').where('name', '=', 'demo').executeTakeFirst();
  return demo?.value === '1' ? demoAccounts : [];
}
