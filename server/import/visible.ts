/** Which imports an administrator sees. What is not seen is 404. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** Whoever looks after all schools sees all; others what they have uploaded themselves. */
export function visibleImports(db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) {
  const imports = db.selectFrom('import');
  return actor.everySchool ? imports : imports.where('import.staff_id', '=', actor.id);
}
