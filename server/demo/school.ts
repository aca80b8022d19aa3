/** The demo school: deterministic people, classes and homework around today (design, section 5). */
import type { OpenDatabase } from '#server/db/engine.ts';

export type DemoSize = 'small' | 'large';

export async function fillDemoSchool(
  _database: OpenDatabase,
  _options: { size: DemoSize; now: number },
): Promise<void> {}
