/** Each table is written by its owner and read by those that server/schema/table-owners.ts lists. */
import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { references } from '#server/catalogue/references.ts';
import { openSqlite } from '#server/platform/db/sqlite.ts';
import { migrate } from '#server/schema/migrate.ts';
import { tableOwners as owners, tablesReadByAll, tablesReadByOthers } from '#server/schema/table-owners.ts';

const ownerOf = new Map<string, string>(Object.entries(owners));

/** Generic writers whose caller names the table. */
const given = ['server/platform/db/rows.ts', 'server/school/simple-importer.ts'];

const files = globSync('server/**/*.ts', { exclude: ['server/demo/**', 'server/schema/migrations/**', ...given] }).map(
  (file) => ({
    file,
    folder: file.split('/').length > 2 ? (file.split('/')[1] ?? '') : file,
    code: readFileSync(file, 'utf8')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(/^\s*\/\/.*$/gm, ''),
  }),
);

interface Use {
  file: string;
  folder: string;
  table: string;
  isWrite: boolean;
}

/** Tables named by Kysely or SQL queries. */
function usesIn({ file, folder, code }: (typeof files)[number]): Use[] {
  const built = code.matchAll(
    /\b(selectFrom|insertInto|replaceInto|mergeInto|updateTable|deleteFrom|\w+Join|using|from)\(\s*\[?'(\w+)/g,
  );
  const many = code.matchAll(/\b(insertRows|updateRows|deleteRows)\(\s*\w+,\s*'(\w+)'/g);
  const simple = code.matchAll(/\bsimple(Importer)\(\{\s*table: '(\w+)'/g);
  const written = code.matchAll(/\b(from|join|insert into|update|delete from) (\w+)\b/gi);
  return [...built, ...many, ...simple, ...written]
    .filter(([, , table = '']) => ownerOf.has(table))
    .map(([, word = '', table = '']) => ({
      file,
      folder,
      table,
      isWrite: /^(?:insert|replace|merge|update|delete|importer)/i.test(word),
    }));
}

const uses = files.flatMap(usesIn);
const foreign = uses.filter(({ folder, table }) => folder !== ownerOf.get(table));

it('writes name their table', () => {
  const named = files.flatMap(({ file, code }) =>
    [
      ...code.matchAll(/\b(?:insertInto|replaceInto|mergeInto|updateTable|deleteFrom)\(\s*(?!')/g),
      ...code.matchAll(/\b(?:insertRows|updateRows|deleteRows)\(\s*\w+,(?!\s*')/g),
      ...code.matchAll(/\bsimpleImporter\(\{(?!\s*table: ')/g),
    ].map(() => file),
  );
  expect(named).toEqual([]);
  expect(uses.filter(({ isWrite }) => isWrite).length).toBeGreaterThan(80);
});

it('reads name their table', () => {
  /** Matches a table given as a variable or template. The queries of a called function are checked in that function. */
  const variable =
    /\b(?:selectFrom|using|\w+Join)\(\s*\[?\s*((?!async\b)[\w.]+(?:\s+as\b[^,)]*)?(?=\s*[,)\]])|`[^`]*`)/g;
  const unnamed = files.flatMap(({ file, code }) =>
    [...code.matchAll(variable)].map(([, table]) => `${file}: ${table}`),
  );
  expect(unnamed).toEqual([]);
});

it('only the owner writes a table', () => {
  const wrong = foreign.filter(({ isWrite }) => isWrite);
  expect(wrong.map(({ file, table }) => `${file} writes ${table} of ${ownerOf.get(table)}`)).toEqual([]);
});

it('other readers are listed, and every listed one reads', () => {
  const all = new Set<string>(tablesReadByAll);
  const across = foreign.filter(({ isWrite, table }) => !isWrite && !all.has(table));
  const listed = Object.entries(tablesReadByOthers).flatMap(([reader, reasons]) =>
    Object.values(reasons).flatMap((tables) =>
      tables.map((table) => `${reader} reads ${table} of ${ownerOf.get(table)}`),
    ),
  );
  const found = across.map(({ folder, table }) => `${folder} reads ${table} of ${ownerOf.get(table)}`);
  expect([...new Set(found)].sort()).toEqual([...listed].sort());
});

it('catalogue lists every column that references its entries', async () => {
  const school = openSqlite(':memory:');
  await migrate(school);
  const { rows } = await sql<{ reference: string }>`
    select tables.name || '.' || keys."from" as reference
    from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys
    where keys."table" in ('grade', 'classify', 'subject', 'room', 'term', 'ware_classify', 'exam_category')`.execute(
    school.db,
  );
  await school.destroy();
  const known = Object.values(references)
    .flat()
    .map(({ table, column }) => `${table}.${column}`);
  expect(known.sort()).toEqual(rows.map(({ reference }) => reference).sort());
});
