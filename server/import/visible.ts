import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** Selects the imports that a user sees: administrators of all schools see all, others only their own. */
export function visibleImports(db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) {
  const imports = db.selectFrom('import');
  return actor.everySchool ? imports : imports.where('import.staff_id', '=', actor.id);
}
