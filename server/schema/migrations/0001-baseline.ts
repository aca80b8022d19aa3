/** The schema of version 1.0.0: tables of both engines, then parts that only one engine has. */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';
import { nonAsciiCapitals } from '#server/platform/db/search.ts';
import { allPinyinReadings } from '#server/platform/text/pinyin.ts';

const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

export async function up(db: Database): Promise<void> {
  await runScript(db, textOf('./0001-baseline.sql'));
  if (isSqlite(db)) return runScript(db, textOf('./0001-baseline.sqlite.sql'));
  await runScript(db, textOf('./0001-baseline.postgres.sql'));
  const readings = allPinyinReadings().map((pair) => sql`(${sql.join(pair.map((text) => sql.lit(text)))})`);
  await sql`insert into pinyin_reading values ${sql.join(readings)}`.execute(db);
  await sql.raw(foldedText()).execute(db);
}

/**
 * Folds case in texts like `foldCase` (server/platform/db/search.ts), whatever the database's locale. Checks for capitals
 * first, because looking up each letter takes as long as everything else.
 */
function foldedText(): string {
  const capitals = nonAsciiCapitals();
  const listed = (place: 0 | 1) => capitals.map((pair) => pair[place]).join('');
  return `
    create function folded_text(written text) returns text language sql immutable parallel safe as $$
      select lower(
        case when written ~ '[${listed(0)}]' then translate(written, '${listed(0)}', '${listed(1)}') else written end
      )
    $$`;
}
