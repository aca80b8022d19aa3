/** Cost of choosing questions from a large bank: indexes serve it, and no question is read that is not chosen. */
import { CompiledQuery, sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { countCandidates, drawCandidates } from '#server/questions/candidates.ts';
import { goal } from '../support/budget.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { QueryKeeper } from '../support/query-plans.ts';
import { noon } from '../support/school.ts';

const questions = 20_000;

onBothEngines('choosing from a bank of 20,000 questions', (school) => {
  const db = () => school().database.db;

  beforeAll(async () => {
    await sql`insert into question
      (owner_id, is_public, ques_type, ques_stem, stem_text, ques_option, right_answer, facility_value, created_at, updated_at)
      with recursive counted (number) as (select 1 union all select number + 1 from counted where number < ${sql.lit(questions)})
      select ${school().people.teacher.id}, number % 2, 1 + number % 5, '<p>题干</p>', '题干', '[]', '1', 1 + number % 5, ${noon}, ${noon}
      from counted`.execute(db());
    await sql.raw(school().database.engine === 'sqlite' ? 'analyze' : 'vacuum analyze question').execute(db());
  });

  const rows = [
    { bank: 'mine', count: 50 },
    { bank: 'public', count: 50 },
    { bank: 'mine', ques_type: 1, from: 1, to: 3, count: 20, score: '2' },
    { bank: 'public', ques_type: 3, count: 20 },
  ];
  const compose = (count: number) =>
    school()
      .as('teacher')
      .post('hw/compose', { rows: rows.map((row) => ({ ...row, count })), seed: 5, unused_days: 365 });

  it('reads only the chosen questions, in as many queries for few as for many', async () => {
    const few = await school().costOf(() => compose(10));
    const many = await school().costOf(() => compose(50));
    expect(many.queries).toBe(few.queries);
    // Each chosen question is read twice: when it is drawn, and with its content.
    expect(many.rows - few.rows).toBe(4 * 40 * 2);
  });

  it.each(['own', 'public'])('draws from the %s bank by its index alone', async (bank) => {
    const { database, people } = school();
    const keeper = new QueryKeeper(database);
    const search = { bank: bank === 'public' ? ('public' as const) : people.teacher.id, ques_type: 1, from: 1, to: 2 };
    const drawing = { seed: 1, excluded: [1, 2], limit: 5 };
    await drawCandidates(database.db.withPlugin(keeper), search, drawing);
    await countCandidates(database.db.withPlugin(keeper), search, []);
    expect(keeper.kept.size).toBe(2);
    for (const { sql: text, parameters } of keeper.kept.values()) {
      const prefix = database.engine === 'sqlite' ? 'explain query plan' : 'explain (format json)';
      const { rows } = await database.db.executeQuery(CompiledQuery.raw(`${prefix} ${text}`, [...parameters]));
      expect(JSON.stringify(rows)).toMatch(
        database.engine === 'sqlite'
          ? new RegExp(`COVERING INDEX question_drawn_${bank} `)
          : new RegExp(`"Index Name":"question_drawn_${bank}"`),
      );
    }
  });

  it('takes less than a tenth of a second for each row', async () => {
    const start = performance.now();
    const { body } = await compose(50);
    const each = (performance.now() - start) / rows.length;
    expect(body.data.rows.map(({ matching }: { matching: number }) => matching)).toEqual([
      20_000, 10_000, 4_000, 2_000,
    ]);
    goal(`a row of a rule over a bank of ${questions} questions, ${school().engine}`, each, 100);
  });
});
