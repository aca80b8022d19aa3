/** Compares the search index with a plain search after every kind of change. */

import { CompiledQuery, sql } from 'kysely';
import { expect, it } from 'vitest';
import { seededRandom } from '#server/demo/random.ts';
import { type BankSearch, mergeIndex, searchBank } from '#server/questions/search.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { QueryKeeper } from '../support/query-plans.ts';
import { noon, type TestSchool } from '../support/school.ts';

const characters = [
  '函',
  '数',
  '的',
  'a',
  'B',
  'b',
  ' ',
  '%',
  '_',
  '"',
  "'",
  '\\',
  '1',
  '𝒙',
  '。',
  'İ',
  'i',
  'É',
  'é',
  'Σ',
  'σ',
  'ς',
];

const textOf = (random: ReturnType<typeof seededRandom>, longest: number): string =>
  Array.from({ length: random.whole(0, longest) }, () => characters[random.whole(0, characters.length - 1)]).join('');

interface Stored {
  id: number;
  owner_id: number;
  is_public: number;
  ques_type: number;
  facility_value: number;
  point_id: number | null;
  stem_text: string;
  remark: string;
  updated_at: number;
}

const storedIn = async ({ database }: TestSchool): Promise<Stored[]> =>
  database.db
    .selectFrom('question')
    .select([
      'id',
      'owner_id',
      'is_public',
      'ques_type',
      'facility_value',
      'point_id',
      'stem_text',
      'remark',
      'updated_at',
    ])
    .where('parent_id', 'is', null)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** Reference search without an index. */
function soughtIn(stored: Stored[], { ownerId, points, ...search }: BankSearch): number[] {
  const plain = (text: string) => text.replaceAll('İ', 'i').replaceAll(/[Σς]/g, 'σ').toLowerCase();
  const has = (text: string, part = '') => plain(text).includes(plain(part));
  return stored
    .filter(
      (one) =>
        (ownerId === undefined ? one.is_public === 1 : one.owner_id === ownerId) &&
        (search.ques_type === undefined || one.ques_type === search.ques_type) &&
        (search.facility_value === undefined || one.facility_value === search.facility_value) &&
        (!search.forPicker || one.ques_type !== 7) &&
        (!points || points.includes(one.point_id ?? 0)) &&
        has(one.stem_text, search.stem) &&
        has(one.remark, search.remark),
    )
    .map(({ id }) => id);
}

const all = { page: 1, limit: 500 };

onBothEnginesAlways('question search index', (school) => {
  it('finds, counts and pages correctly after every change', async () => {
    const { database, people } = school();
    const { db } = database;
    const random = seededRandom(83);
    const owners = [people.teacher.id, people.assist.id];
    const points = await Promise.all(
      ['甲', '乙'].map((name) =>
        db.insertInto('knowledge_point').values({ name, sort: 0 }).returning('id').executeTakeFirstOrThrow(),
      ),
    );
    const randomFields = () => ({
      owner_id: random.pick(owners),
      is_public: random.pick([0, 1] as const),
      ques_type: random.whole(1, 7),
      facility_value: random.whole(1, 3),
      point_id: random.pick([null, ...points.map(({ id }) => id)]),
      ques_stem: '',
      stem_text: textOf(random, 12),
      remark: textOf(random, 4),
      updated_at: noon + random.whole(0, 40),
    });
    await db
      .insertInto('question')
      .values(Array.from({ length: 150 }, () => ({ ...randomFields(), created_at: noon })))
      .execute();
    const agree = async () => {
      const stored = await storedIn(school());
      for (const ownerId of [undefined, ...owners]) {
        const counted = await db
          .selectFrom('question_bank')
          .select('questions')
          .where('bank', '=', ownerId ?? 0)
          .executeTakeFirst();
        expect(counted?.questions).toBe(soughtIn(stored, { ownerId, forPicker: false }).length);
      }
      for (let number = 0; number < 120; number += 1) {
        const search: BankSearch = {
          ownerId: random.pick([undefined, ...owners]),
          forPicker: random.whole(0, 3) === 0,
          ques_type: random.whole(0, 3) === 0 ? random.whole(1, 7) : undefined,
          facility_value: random.whole(0, 3) === 0 ? random.whole(1, 3) : undefined,
          points: random.whole(0, 4) === 0 ? points.map(({ id }) => id).slice(random.whole(0, 1)) : undefined,
          stem: random.whole(0, 4) === 0 ? undefined : textOf(random, 4),
          remark: random.whole(0, 3) === 0 ? textOf(random, 2) : undefined,
        };
        const expected = soughtIn(stored, search);
        const found: number[] = [];
        for (let page = 1; page <= Math.max(1, Math.ceil(expected.length / 7)); page += 1) {
          const { list, total } = await searchBank(db, search, { page, limit: 7 });
          expect([search, total]).toEqual([search, expected.length]);
          found.push(...list);
        }
        expect([search, found]).toEqual([search, expected]);
      }
    };
    await agree();
    // Private questions are never found by remark in everybody's search.
    for (const character of characters)
      expect((await searchBank(db, { ownerId: undefined, forPicker: false, remark: character }, all)).list).toEqual(
        soughtIn(await storedIn(school()), { ownerId: undefined, forPicker: false, remark: character }),
      );
    const ids = (await storedIn(school())).map(({ id }) => id);
    for (const id of ids.slice(0, 40)) {
      await db.updateTable('question').set(randomFields()).where('id', '=', id).execute();
    }
    await db.updateTable('question').set({ remark: '函数' }).where('id', 'in', ids.slice(30, 60)).execute();
    await db.deleteFrom('question').where('id', 'in', ids.slice(50, 90)).execute();
    // A rollback leaves no trace.
    await db
      .transaction()
      .execute(async (trx) => {
        await trx.deleteFrom('question').where('id', 'in', ids.slice(90, 120)).execute();
        throw new Error('taken back');
      })
      .catch(() => undefined);
    await agree();
  });

  it('follows adding, editing and deleting through calls', async () => {
    const ask = school().as('otherTeacher');
    const single = {
      ques_type: 2,
      ques_stem: '<p>Vue 与 <strong>React</strong></p>',
      right_answer: '1',
      facility_value: 2,
    };
    const { id } = (await ask.post('ques/add', single)).body.data;
    const total = async (stem: string) =>
      (await ask.get(`ques/index?ques_stem=${encodeURIComponent(stem)}`)).body.data.total;
    expect([await total('vue'), await total('与 REACT'), await total('与'), await total('strong')]).toEqual([
      1, 1, 1, 0,
    ]);
    await ask.put(`ques/update/${id}`, { ...single, ques_stem: '改过' });
    expect([await total('vue'), await total('改过'), await total('过')]).toEqual([0, 1, 1]);
    await ask.delete(`ques/del/${id}`);
    expect([await total('改过'), await total('')]).toEqual([0, 0]);
  });

  it('finds long texts of any content', async () => {
    const { database, people } = school();
    const { db } = database;
    const random = seededRandom(14);
    const owner_id = people.otherTeacher.id;
    const pieces = [
      '函数',
      '函数函',
      'aB',
      '的',
      '１２',
      '1 2 ',
      '%_%',
      '\\frac{1}{2}',
      '"',
      '*',
      '😀',
      'İΣ',
      '（　　）',
    ];
    const long = () => Array.from({ length: random.whole(4, 60) }, () => random.pick(pieces)).join('');
    const written = Array.from({ length: 250 }, (_, at) => ({
      owner_id,
      is_public: random.pick([0, 1] as const),
      ques_type: random.whole(1, 7),
      facility_value: random.whole(1, 3),
      ques_stem: '',
      stem_text: at % 3 === 0 ? '函数'.repeat(random.whole(1, 120)) : long(),
      remark: long(),
      created_at: noon,
      updated_at: noon + random.whole(0, 9),
    }));
    await db.insertInto('question').values(written).execute();
    const stored = await storedIn(school());
    const part = (text: string) => {
      const characters = Array.from(text);
      const from = random.whole(0, Math.floor(characters.length / 2));
      return characters.slice(from, from + random.whole(11, 200)).join('');
    };
    const texts = [
      '函数'.repeat(50),
      'a'.repeat(200),
      '1 2 3 4 5 6 7 8 9',
      '%'.repeat(20),
      '_'.repeat(20),
      '"函数" OR "函数"',
      'stem : a* NOT b',
      '😀'.repeat(12),
      'the of in and to my is it one for year shop last when was not can you',
    ];
    for (let number = 0; number < 60; number += 1) {
      const { stem_text, remark } = random.pick(stored);
      const search: BankSearch = {
        ownerId: random.pick([undefined, owner_id]),
        forPicker: random.whole(0, 1) === 0,
        facility_value: random.whole(0, 3) === 0 ? random.whole(1, 3) : undefined,
        stem: texts[number] ?? part(stem_text).toUpperCase(),
        remark: random.whole(0, 3) === 0 ? part(remark) : undefined,
      };
      const expected = soughtIn(stored, search);
      expect([search, await searchBank(db, search, all)]).toEqual([
        search,
        { list: expected, total: expected.length, page: 1, limit: 500 },
      ]);
    }
  });

  it('stays equal after merging single changes', async () => {
    const { database, people } = school();
    const { db } = database;
    const search = { ownerId: people.teacher.id, forPicker: true, stem: '零散' };
    for (let number = 0; number < 3; number += 1) {
      await db
        .insertInto('question')
        .values({
          owner_id: people.teacher.id,
          ques_type: 5,
          ques_stem: '',
          stem_text: `零散的第${number}题`,
          created_at: noon,
          updated_at: noon,
        })
        .execute();
    }
    const pieces = async () => {
      if (database.engine === 'postgres') return 1;
      const { rows } = await sql<{ pieces: number }>`
        select count(distinct segid) as pieces from question_search_idx`.execute(db);
      return rows[0]?.pieces ?? 0;
    };
    const [before, found] = [await pieces(), await searchBank(db, search, all)];
    expect(found.total).toBe(3);
    while (await mergeIndex(db));
    if (database.engine === 'sqlite') {
      expect(await pieces()).toBeLessThan(before);
      await sql`insert into question_search (question_search) values ('integrity-check')`.execute(db);
    }
    expect(await searchBank(db, search, all)).toEqual(found);
  });

  it('counts by point, type and difficulty through an index on PostgreSQL', async () => {
    const { database } = school();
    if (database.engine !== 'postgres') return;
    const keeper = new QueryKeeper(database);
    const indexOf = async (filter: Partial<BankSearch>) => {
      keeper.kept.clear();
      await searchBank(database.db.withPlugin(keeper), { ownerId: undefined, forPicker: true, ...filter }, all);
      const counted = [...keeper.kept.values()].find((query) => query.sql.includes('count('));
      const plan = await database.db.connection().execute(async (connection) => {
        await sql`set enable_seqscan = off`.execute(connection);
        const { rows } = await connection.executeQuery(
          CompiledQuery.raw(`explain ${counted?.sql}`, [...(counted?.parameters ?? [])]),
        );
        await sql`reset enable_seqscan`.execute(connection);
        return JSON.stringify(rows);
      });
      return /question_search_\w+/.exec(plan)?.[0];
    };
    expect(await indexOf({ points: [1, 2] })).toBe('question_search_point');
    expect(await indexOf({ ques_type: 2, facility_value: 3 })).toBe('question_search_type');
  });

  it('indexes a stem of any length without blocking', async () => {
    const { database, people } = school();
    const long = '长的题干'.repeat(10_000);
    await database.db
      .insertInto('question')
      .values({
        owner_id: people.teacher.id,
        ques_type: 5,
        ques_stem: '',
        stem_text: `${long}尾`,
        created_at: noon,
        updated_at: noon,
      })
      .execute();
    const search = { ownerId: people.teacher.id, forPicker: false, stem: '题干尾' };
    expect((await searchBank(database.db, search, { page: 1, limit: 20 })).total).toBe(1);
    if (database.engine === 'sqlite') {
      await sql`insert into question_search (question_search) values ('integrity-check')`.execute(database.db);
    }
  });
});
