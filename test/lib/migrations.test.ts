/**
 * Changes that migrations must not make. During an upgrade the previous version goes on serving on the migrated
 * database.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { indexesAddedLater, largeTables } from '#server/schema/indexes.ts';

const folder = 'server/schema/migrations';
/** Removals by migration (`0002-names: drop column nickname`), with the version that stopped reading it. */
const unreadSince: Record<string, string> = {};

const later = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace('.ts', ''))
  .filter((name) => name > '0001-baseline')
  .map((name) => ({ name, text: readFileSync(`${folder}/${name}.ts`, 'utf8') }));

const indexes = (text: string) =>
  [...text.matchAll(/create (?:unique )?index (?:if not exists )?(\w+)\s+on (\w+)/gi)].map(
    ([, index = '', table = '']) => ({
      index,
      table,
    }),
  );
const isMadeIn = (text: string, table: string) =>
  new RegExp(`create table (?:if not exists )?${table}\\b`, 'i').test(text);

/** Indexes that would block writes during a migration. */
const keepingOthers = (text: string) =>
  indexes(text).filter(({ table }) => largeTables.includes(table) && !isMadeIn(text, table));

/** Changes that the previous version might miss or violate. */
const takenAway = (text: string) =>
  [
    ...text.matchAll(
      /drop (?:table|column|trigger|function|index)(?: if exists)? \w+|rename (?:column \w+ )?to \w+|alter column \w+ (?:set not null|(?:set data )?type)|add column \w+(?![^,;\n]*\bdefault\b)[^,;\n]*\bnot null\b/gi,
    ),
  ].map(([found]) => found);

describe('a migration', () => {
  it('removes only unread columns and tables', () => {
    const unsaid = later.flatMap(({ name, text }) =>
      takenAway(text).filter((what) => !/\d+\.\d+\.\d+/.test(unreadSince[`${name}: ${what}`] ?? '')),
    );
    expect(unsaid).toEqual([]);
    const text = `
      alter table answer drop column comment;
      alter table answer rename column comment to remark;
      alter table answer alter column comment set not null;
      alter table answer add column mark text not null;
      alter table answer add column sign text not null default '';
      alter table answer add column seal text;`;
    expect(takenAway(text)).toEqual([
      'drop column comment',
      'rename column comment to remark',
      'alter column comment set not null',
      'add column mark text not null',
    ]);
  });

  it('builds no index on a large table (server/schema/indexes.ts does)', () => {
    expect(later.flatMap(({ name, text }) => keepingOthers(text).map(({ index }) => `${name}: ${index}`))).toEqual([]);
    expect(keepingOthers('create index answer_new on answer (status);')).toHaveLength(1);
    expect(keepingOthers('create table answer (id $id);\ncreate index answer_new on answer (status);')).toEqual([]);
  });

  it('knows the tables of background indexes', () => {
    for (const { table } of Object.values(indexesAddedLater)) expect(largeTables).toContain(table);
  });
});
