/** The table types equal those that kysely-codegen generates from the migrated database. */
import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import {
  type DatabaseMetadata,
  type ExpressionNode,
  GenericExpressionNode,
  generate,
  getDialect,
  IdentifierNode,
} from 'kysely-codegen';
import { expect, it } from 'vitest';
import type { Database } from '#server/platform/db/engine.ts';
import { openSqlite } from '#server/platform/db/sqlite.ts';
import { migrate } from '#server/schema/migrate.ts';

/** Values by column without a constraint. */
const values: Record<string, (string | number)[]> = {
  'attendance.op_status': [-1, 0, 1, 2, 3, 4, 5, 6],
  'backup.kind': ['scheduled', 'manual', 'restore_point'],
  'backup.verdict': ['ok', 'unread', 'incomplete', 'failed'],
  'backup.reason': ['', 'disk_full', 'forbidden', 'storage', 'program', 'database', 'damaged', 'other'],
  'import.found': [0, 1],
};

/** Types by column, with their import. */
const overrides: Record<string, ExpressionNode> = {
  'identity_link.provider': new IdentifierNode('ProviderKind'),
  'learner_link.provider': new IdentifierNode('ProviderKind'),
  'identity_provider.kind': new IdentifierNode('ProviderKind'),
};
const units = '#server/platform/db/units.ts';
const customImports = {
  Moment: units,
  Score: units,
  Seconds: units,
  ProviderKind: '#server/identity/rules.ts',
};

const seconds = /^(?:answer_time|answer_time_sum|limit_time|live_seconds|replay_seconds|total_time)$/;
const score = /^(?!is_)(?:\w+_)?score(?:_sum)?$/;
const moment = /^(?:\w+_)?at$|^(?:ending|first|publish|start|end|submit|valid)_time$|^start_play$|^held_until$/;

const unitOf = (column: string) =>
  seconds.test(column) ? 'Seconds' : score.test(column) ? 'Score' : moment.test(column) ? 'Moment' : undefined;

/** Values of a column from `check (column in (…))`. */
function valuesOf(definition: string, column: string): (string | number)[] | null {
  const [, list] = definition.match(new RegExp(`check \\(${column} in \\(([^)]*)\\)\\)`)) ?? [];
  return list ? list.split(', ').map((value) => (value.startsWith("'") ? value.slice(1, -1) : Number(value))) : null;
}

/** Corrects nullability and auto-increment of keys; narrows columns by their check constraint or unit. */
async function postprocess({ db, metadata }: { db: Database; metadata: DatabaseMetadata }): Promise<DatabaseMetadata> {
  const { rows } = await sql<{ name: string; definition: string; keys: string }>`
    select name, sql as definition, (select group_concat(name) from pragma_table_info(main.name) where pk > 0) as keys
    from sqlite_master as main where type = 'table'`.execute(db);
  for (const table of metadata.tables) {
    const { definition = '', keys = '' } = rows.find(({ name }) => name === table.name) ?? {};
    for (const column of table.columns) {
      const isKey = keys.split(',').includes(column.name);
      column.isNullable &&= !isKey;
      column.isAutoIncrementing &&= column.name === 'id' && table.name !== 'identity_provider';
      const path = `${table.name}.${column.name}`;
      column.enumValues = (values[path] ?? valuesOf(definition, column.name)) as string[] | null;
      const unit = column.dataType.toLowerCase() === 'integer' ? unitOf(column.name) : undefined;
      if (!unit) continue;
      const type = new IdentifierNode(unit);
      overrides[path] = column.hasDefaultValue ? new GenericExpressionNode('Generated', [type]) : type;
    }
  }
  return metadata;
}

it('table types equal the migrated database (npm test -- test/db/table-types.test.ts -u rewrites them)', async () => {
  const school = openSqlite(':memory:');
  await migrate(school);
  const dialect = getDialect('sqlite');
  const text = await generate({
    db: school.db,
    dialect,
    excludePattern: '{kysely,question_search}*',
    overrides: { columns: overrides },
    postprocess,
    customImports,
    outFile: null,
  });
  await school.destroy();
  const formatted = execFileSync(
    'node_modules/.bin/biome',
    ['check', '--write', '--stdin-file-path=server/schema/tables.ts'],
    {
      input: text,
      encoding: 'utf8',
    },
  );
  await expect(formatted).toMatchFileSnapshot('../../server/schema/tables.ts');
});
