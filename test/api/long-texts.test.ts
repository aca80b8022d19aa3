/** Long input never delays other requests. */
import { beforeAll, expect, it } from 'vitest';
import { goal } from '../support/budget.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { longestTurn } from '../support/turns.ts';

/** Milliseconds of CPU time, generous for a slow machine with cold code. */
const maxTurn = 200;
const holdsNobodyUp = (milliseconds: number) => goal(expect.getState().currentTestName ?? '', milliseconds, maxTurn);

const question = (more: Record<string, unknown>) => ({
  ques_type: 5,
  ques_stem: '<p>题干</p>',
  right_answer: '<p>答案</p>',
  ques_analysis: '',
  facility_value: 3,
  remark: '',
  ...more,
});

/** All different, to defeat caches. */
const formulas = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => `<p>$\\frac{x_{${from + at}}}{\\sqrt{y^2+${at}}}$</p>`).join('');

onBothEngines('long texts', (school) => {
  const ask = (path: string, body?: unknown) => {
    const teacher = school().as('teacher');
    return body === undefined ? teacher.get(path) : teacher.post(path, body);
  };
  // Warms up one-time loading and compiling.
  beforeAll(async () => {
    await ask('ques/add', question({ ques_stem: formulas(3, 5_000) }));
    await ask('ques/display', { texts: [formulas(3, 6_000)] });
  });

  it.each([
    ['nested tags', '<span>'.repeat(100_000)],
    ['tags one after the other', '<p>字</p>'.repeat(60_000)],
    ['tags that nothing opened', '</p>'.repeat(150_000)],
    ['styles', '<p style="text-align:left">字</p>'.repeat(15_000)],
    ['one long style', `<p style="${'text-align:left;'.repeat(40_000)}">字</p>`],
    ['character references', '&amp;'.repeat(120_000)],
  ])('refuses endless %s with a message', async (_, ques_stem) => {
    let answer: Awaited<ReturnType<typeof ask>> | undefined;
    const longest = await longestTurn(async () => {
      answer = await ask('ques/add', question({ ques_stem }));
    });
    expect([answer?.status, answer?.body.msg]).toEqual([422, '内容的格式过于复杂，请清除格式或分成几部分后再提交']);
    expect(answer?.body.errors.ques_stem).toEqual([answer?.body.msg]);
    holdsNobodyUp(longest);
  });

  it.each([
    ['openings of formulas', '\\['.repeat(250_000)],
    ['dollars', '$a '.repeat(200_000)],
    ['one long word', '字'.repeat(200_000)],
    ['line ends', '\n'.repeat(400_000)],
  ])('handles endless %s without delaying others', async (_, ques_stem) => {
    const longest = await longestTurn(async () => {
      const added = await ask('ques/add', question({ ques_stem: `题${ques_stem}` }));
      if (added.status === 200) await ask(`ques/show/${added.body.data.id}`);
      await ask('ques/display', { texts: [ques_stem] });
    });
    holdsNobodyUp(longest);
  });

  it('takes 500 table cells and 300 formulas, no more', async () => {
    const table = `<table><tbody>${`<tr>${'<td><p>12</p></td>'.repeat(10)}</tr>`.repeat(50)}</tbody></table>`;
    expect((await ask('ques/add', question({ ques_stem: table }))).status).toBe(200);
    expect((await ask('ques/add', question({ ques_stem: formulas(300) }))).status).toBe(200);
    const refused = await ask('ques/add', question({ ques_stem: formulas(200), ques_analysis: formulas(101) }));
    expect([refused.status, refused.body.msg]).toEqual([422, '公式过多，最多300个']);
  });

  it('renders many formulas in turns with other work', async () => {
    const ids: number[] = [];
    for (const at of [0, 1, 2]) {
      const added = await ask('ques/add', question({ ques_stem: formulas(290, 10_000 * (at + 1)) }));
      ids.push(added.body.data.id);
    }
    // Adding does not render, so the formulas are rendered here.
    let shown = '';
    const longest = await longestTurn(async () => {
      shown = (await ask(`ques/show/${ids.join(',')}`)).body.data.map(
        (one: { display: { ques_stem: string } }) => one.display.ques_stem,
      );
    });
    expect(String(shown).match(/<math/g)).toHaveLength(870);
    holdsNobodyUp(longest);
    const displayed = await longestTurn(async () => {
      const texts = Array.from({ length: 50 }, (_, at) => formulas(60, 100_000 + 1_000 * at));
      const { body } = await ask('ques/display', { texts });
      expect(body.data.join('').match(/<math/g)).toHaveLength(3_000);
    });
    holdsNobodyUp(displayed);
  });

  it('shows a stored text that is too complex as plain source', async () => {
    const { body } = await ask('ques/display', { texts: ['<b>'.repeat(5_000), '$x^2$'] });
    expect(body.data[0]).toMatch(/^&lt;b&gt;/);
    expect(body.data[1]).toContain('<math');
  });

  it('refuses too complex notices and homework by field', async () => {
    const { k1 } = school().classes;
    await school()
      .database.db.insertInto('class_staff')
      .values({ class_id: k1, staff_id: school().people.teacher.id, duty: 'head' })
      .execute();
    const notice = await ask('announcement', { class_id: k1, title: '通知', content: '<i>'.repeat(5_000) });
    expect([notice.status, notice.body.errors.content]).toEqual([
      422,
      ['内容的格式过于复杂，请清除格式或分成几部分后再提交'],
    ]);
    const parts = Array.from({ length: 40 }, () => question({ ques_stem: '<p>字</p>'.repeat(900), ques_score: 1 }));
    let published: Awaited<ReturnType<typeof ask>> | undefined;
    const longest = await longestTurn(async () => {
      published = await ask('hw/publish', { is_set_score: 2, question: parts });
    });
    expect(published?.status).toBe(422);
    expect(published?.body.errors.question).toEqual(['内容的格式过于复杂，请清除格式或分成几部分后再提交']);
    holdsNobodyUp(longest);
  });

  const million = Array.from({ length: 1_000_000 }, () => 1);
  it.each([
    ['numbers', { question: million }],
    ['objects', { question: Array.from({ length: 1_000_000 }, () => ({})) }],
    ['fields', Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`field${at}`, '"\\"']))],
  ])('refuses endless %s', async (_, body) => {
    let answer: Awaited<ReturnType<typeof ask>> | undefined;
    const sent = JSON.stringify(body);
    const longest = await longestTurn(async () => {
      const { api } = school();
      const response = await api.fetch(
        new Request('http://school.test/api/lector/hw/publish', {
          method: 'POST',
          headers: { authorization: `Bearer ${school().people.teacher.token}`, 'content-type': 'application/json' },
          body: sent,
        }),
      );
      answer = { status: response.status, body: await response.json() } as typeof answer;
    });
    expect([answer?.status, answer?.body.msg]).toEqual([413, '提交的内容过大，请减少后再试']);
    holdsNobodyUp(longest);
  });

  it('refuses a too long JSON list in a text', async () => {
    const { status, body } = await ask('hw/publish', { question: JSON.stringify(million.slice(0, 20_000)) });
    expect([status, body.errors.question]).toEqual([422, ['一份作业最多1000题']]);
  });

  it('takes a long text with commas and brackets', async () => {
    const stem = `题${'{a,b},["'.repeat(20_000)}`;
    const { body } = await ask('ques/add', question({ ques_stem: stem }));
    const [shown] = (await ask(`ques/show/${body.data.id}`)).body.data;
    expect(shown.ques_stem.replaceAll('&quot;', '"')).toBe(stem);
  });
});
