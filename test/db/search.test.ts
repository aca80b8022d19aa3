/** Text filters give the same result on both engines. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { containsText } from '#server/platform/db/search.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';

onBothEnginesAlways('text filter', (school) => {
  const finds = async (written: string, text: string) => {
    const { rows } = await sql`
      select 1 from (select cast(${written} as text) as written) as one where ${containsText('one.written', text)}
    `.execute(school().database.db);
    return rows.length === 1;
  };

  it.each([
    ['高一Vue班', 'VUE班'],
    ['ÉCOLE', 'école'],
    ['école', 'ÉCOLE'],
    ['İstanbul', 'istanbul'],
    ['istanbul', 'İSTANBUL'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδος', 'ΟΔΟΣ'],
    ['οδός', 'οδόσ'],
    ['ОЛЬГА', 'ольга'],
    ['ＡＢＣ', 'ａｂｃ'],
    ['300 \u212A', '300 k'],
    ['100%_\\', '%_\\'],
  ])('finds in %s: %s', async (written, text) => {
    expect(await finds(written, text)).toBe(true);
  });

  it.each([
    ['ecole', 'école'],
    ['ıstanbul', 'istanbul'],
    ['100x', '0%'],
    ['函数', '涵数'],
  ])('skips in %s: %s', async (written, text) => {
    expect(await finds(written, text)).toBe(false);
  });
});
