/** Marks of a planted student, and where they are stored. */

import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import { tableOwners } from '#server/schema/table-owners.ts';
import type { TestSchool } from './school.ts';

export const studentMarks = {
  name: '苗青葵',
  mobile: '13812340001',
  guardian: '13812340002',
  /** In every text written by or about the student. */
  text: '密语七',
} as const;

/** Lists the tables with rows that hold one of the marks. */
export async function tablesWithMarks(db: Database, marks: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of Object.keys(tableOwners)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
    for (const row of rows) {
      const mark = marks.find((one) => JSON.stringify(row).includes(one));
      if (mark !== undefined) found.push(`${table}: ${mark}`);
    }
  }
  return [...new Set(found)].sort();
}

/** Lists the keys of the files in the school's storage. */
export async function filesKept(school: TestSchool): Promise<string[]> {
  const files = await readdir(school.filesFolder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && !file.parentPath.includes('.receiving'))
    .map((file) => `${file.parentPath}/${file.name}`.slice(school.filesFolder.length + 1))
    .sort();
}
