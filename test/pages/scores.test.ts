/** Every score that a screen shows has one decimal: all screens of the demo school, as both identities read them. */
import { parseHTML } from 'linkedom';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { openApp, signedSession } from '../support/app.ts';
import { crawl } from '../support/crawl.ts';
import { type DemoSchool, openDemoSchool } from '../support/demo-school.ts';

let demo: DemoSchool;
let screens: (request: Request) => Promise<Response>;

beforeAll(async () => {
  demo = await openDemoSchool('SQLite');
  const { database, storage, now } = demo;
  const log = pino({ level: 'silent' });
  screens = (await openApp({ services: { database, storage, now: () => now, log, checkAnswers: true } })).fetch;
});
afterAll(() => demo?.close());

/** What stands in a question is its author's: `60 分以下`. */
const written = '[data-written], [role=tooltip], math, p:has(math), script, style, textarea, option';
/** 12 分, 5.25 分; minutes, a rule that speaks of nothing (按0分计), a group's word are none. */
const bareScore = /(?<![\d.])(?:\d+|\d+\.\d{2,}) ?分(?![钟类布组析享别以计])/;
const scoreColumn = /^(总分|满分|分值|得分|平均分|及格分|客观题得分|主观题得分|最高分|最低分|得分\/总分)/;

/** Scores without exactly one decimal, with what stands around them. */
function bareScores(html: string): string[] {
  const { document } = parseHTML(html);
  const found: string[] = [];
  for (const table of document.querySelectorAll('table')) {
    const heads = [...table.querySelectorAll('thead th')].map((head) => textOf(head));
    for (const row of table.querySelectorAll('tbody tr')) {
      for (const [place, cell] of [...row.children].entries()) {
        const text = textOf(cell);
        const numbers = scoreColumn.test(heads[place] ?? '') && !text.includes('%') ? text.match(/[\d.]+/g) : null;
        if (numbers?.some((number) => !/^\d+\.\d$/.test(number))) found.push(`${heads[place]}: ${text}`);
      }
    }
  }
  for (const term of document.querySelectorAll('dt')) {
    const value = textOf(term.nextElementSibling);
    if (scoreColumn.test(textOf(term)) && /^\d+$/.test(value)) found.push(`${textOf(term)}: ${value}`);
  }
  for (const unseen of document.querySelectorAll(written)) unseen.remove();
  const text = textOf(document.querySelector('main'));
  const bare = bareScore.exec(text);
  if (bare) found.push(text.slice(Math.max(0, bare.index - 20), bare.index + 20));
  return found;
}

const textOf = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

describe.each([
  ['teacher', 'teacher'],
  ['assist', 'assist'],
] as const)('as %s', (username, identity) => {
  it('reads every score with one decimal', { timeout: 120_000 }, async () => {
    const { db } = demo.database;
    const person = db.selectFrom('staff').select('id').where('username', '=', username);
    const { id } = await person.executeTakeFirstOrThrow();
    const token = await issueToken(db, id, { device: 'test', address: '127.0.0.1', now: demo.now });
    const cookie = `session=${await signedSession({ token, identity })}`;
    // Of the first exam, which both see; the crawl comes to exams that nobody took, too.
    const taken = await db.selectFrom('exam_report').select('id').orderBy('id').limit(3).execute();
    const sheets = taken.flatMap((report) => [
      `/exams/approve/view?report_id=${report.id}`,
      `/exams/approve?report_id=${report.id}`,
    ]);
    const bare: string[] = [];
    const { visited } = await crawl(
      async (address) => {
        const response = await screens(
          new Request(`http://school.test${address}`, { headers: { host: 'school.test', cookie } }),
        );
        const html = await response.text();
        if (response.status === 200) bare.push(...bareScores(html).map((found) => `${address} ${found}`));
        return { status: response.status, html, location: response.headers.get('location') };
      },
      { from: ['/homework', '/homework?tab=approve', '/exams', ...sheets], each: 3, eachScreen: 4 },
    );
    expect(bare).toEqual([]);
    // It has come to where scores stand.
    const places = new Set(visited.map(({ address }) => new URL(address, 'http://school.test').pathname));
    for (const place of [
      '/homework/detail',
      '/homework/preview',
      '/exams/detail',
      '/exams/approve/view',
      '/exams/preview',
    ]) {
      expect([...places]).toContain(place);
    }
  });
});
