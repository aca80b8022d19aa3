/** Every record and action written to the history has a label; fields are checked while the API tests write them. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fieldNames } from '#server/history/records.ts';
import { actionNames, historyRecords, recordNames } from '#server/history/rules.ts';

const known = new Set<string>(historyRecords);
const actions = new Set<string>(Object.keys(actionNames));

/** Patterns in source that name a record and its action. */
const written = globSync('server/**/*.ts', { exclude: ['server/history/**', 'server/schema/migrations/**'] })
  .filter((file) => readFileSync(file, 'utf8').includes('recordHistory'))
  .flatMap((file) => {
    const code = readFileSync(file, 'utf8');
    const literals = (name: string) =>
      [...code.matchAll(new RegExp(`\\b${name}: ([^,}\\n]*)`, 'g'))].flatMap(([, said = '']) =>
        [...said.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word),
      );
    return [{ file, records: literals('record'), actions: literals('action') }];
  });

it('the scan finds the records and actions that server/ writes to the history', () => {
  expect(new Set(written.flatMap(({ records }) => records)).size).toBeGreaterThan(15);
  expect(new Set(written.flatMap((one) => one.actions)).size).toBeGreaterThan(15);
});

it('every record in the history has a label', () => {
  const wrong = written.flatMap(({ file, records }) =>
    records.filter((record) => !known.has(record)).map((record) => `${file}: ${record}`),
  );
  expect(wrong).toEqual([]);
});

it('every action in the history has a label', () => {
  const wrong = written.flatMap(({ file, actions: done }) =>
    done.filter((action) => !actions.has(action)).map((action) => `${file}: ${action}`),
  );
  expect(wrong).toEqual([]);
});

it('no label of the history is English', () => {
  const said = [...Object.values(recordNames), ...fieldNames()];
  expect([...said, ...Object.values(actionNames)].filter((word) => /[a-z_]/i.test(word))).toEqual([]);
});
