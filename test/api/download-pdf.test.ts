import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { type ReadPdf, readPdf, skimPdf } from '../pdf/read.ts';
import { goal } from '../support/budget.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';
import { bytesOf, waitForFile } from '../support/wait-for-file.ts';

onBothEngines('download/pdf', (school, engine) => {
  type Person = 'teacher' | 'otherTeacher' | 'assist';
  const post = (who: Person, html: unknown, more: object = {}) =>
    school()
      .as(who)
      .post('download/pdf', { css: '', html, ...more });
  const fetchFile = (who: Person, path: string) =>
    school().api.fetch(
      new Request(`http://api${path}`, { headers: { authorization: `Bearer ${school().people[who].token}` } }),
    );

  async function pdfBytes(who: Person, path: string): Promise<Uint8Array> {
    const file = await waitForFile(() => fetchFile(who, path));
    expect(file.headers.get('content-type')).toBe('application/pdf');
    return bytesOf(file);
  }
  const printPdf = async (who: Person, path: string): Promise<ReadPdf> => readPdf(await pdfBytes(who, path));
  const pdfOf = async (html: string, who: Person = 'teacher') => {
    const { status, body } = await post(who, html);
    expect(status, body.msg).toBe(200);
    return printPdf(who, body.data.path);
  };

  it.each(['teacher', 'assist'] as const)('renders the posted page for a %s', async (who) => {
    const pdf = await pdfOf('<h1>期中试卷</h1><p>第一题 <b>题干</b></p>', who);
    expect(pdf.text()).toBe('期中试卷第一题题干第1页共1页');
    expect(pdf.title).toBe('期中试卷');
  });

  it('returns a path that opens for its maker alone, for an hour', async () => {
    const { path } = (await post('teacher', '<h1>甲/乙卷</h1>')).body.data;
    const opened = await waitForFile(() => fetchFile('teacher', path));
    expect(opened.headers.get('content-disposition')).toContain(encodeURIComponent('甲/乙卷.pdf'));
    expect((await fetchFile('otherTeacher', path)).status).toBe(404);
    expect((await fetchFile('assist', path)).status).toBe(404);
    expect((await school().ask(path)).status).toBe(401);
    school().setNow(noon + 3600);
    expect((await fetchFile('teacher', path)).status).toBe(410);
  });

  it('shows stored pictures and data URLs, and fetches nothing else', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end('x');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const square = (background: string) =>
      sharp({ create: { width: 120, height: 80, channels: 3, background } })
        .png()
        .toBuffer();
    const stored = await school().services.storage.put(new Blob([await square('#00ff00')]).stream(), {
      extension: 'png',
      limit: 1e6,
    });
    if (!('ok' in stored)) throw new Error(stored.message);
    const data = `data:image/png;base64,${(await square('#ff0000')).toString('base64')}`;
    const { body } = await post(
      'teacher',
      `<link rel="stylesheet" href="${elsewhere}/a.css"><style>@import url(${elsewhere}/b.css)</style>
       <p><img src="/files/${stored.ok.key}?name=a&amp;download=0"></p><p><img src="${data}"></p>
       <p>#read("/etc/passwd") #include "paper.typ"</p><iframe src="file:///etc/passwd">框内</iframe>
       <img src="file:///etc/passwd"><img src="http://169.254.169.254/"><img src="${elsewhere}/c.png">
       <img src="/files/2026/01/${'a'.repeat(26)}.png"><img src="/files/../../etc/passwd">
       <script>document.write('脚本内')</script>`,
      { css: `@import url(${elsewhere}/d.css); body { display: none }` },
    );
    const pdf = await printPdf('teacher', body.data.path);
    expect(requests).toBe(0);
    expect(pdf.text()).toContain('#read("/etc/passwd")#include"paper.typ"');
    expect(pdf.text()).toContain('〔图片缺失〕'.repeat(5));
    expect(pdf.text()).not.toMatch(/框内|脚本内|root:|import/);
    const colour = await pdf.picture(1);
    expect(colour(80, 90)).toEqual([0, 255, 0]);
    expect(colour(80, 160)).toEqual([255, 0, 0]);
  });

  it.each([[undefined], [''], ['  '], [7]])('refuses %j', async (html) => {
    const { status, body } = await post('teacher', html);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['html']);
  });

  // The rest renders for seconds and does not depend on the engine.
  if (engine !== 'SQLite') return;

  it('accepts 2 MB of HTML with quotation marks, and no more', async () => {
    const large = '<p class="a">一二三四五</p>\n'.repeat(70_000).slice(0, 1_400_000);
    expect(Buffer.byteLength(large)).toBeGreaterThan(1_900_000);
    const { status, body } = await post('teacher', large);
    expect([status, body.data?.path.slice(0, 9)]).toEqual([200, '/exports/']);
    for (const html of [`<p>${'a'.repeat(2 * 1024 * 1024)}</p>`, 'a'.repeat(5 * 1024 * 1024)]) {
      const refused = await post('teacher', html);
      expect(refused.status).toBe(413);
      expect(refused.body.msg).toMatch(/不能超过 2 MB|过大/);
    }
    expect((await skimPdf(await pdfBytes('teacher', body.data.path))).pages).toBeGreaterThan(100);
  });

  it('finds the heading in linear time among many unclosed ones', async () => {
    const before = process.threadCpuUsage();
    const { status } = await post('teacher', '<h1>'.repeat(500_000));
    const { user } = process.threadCpuUsage(before);
    expect(status).toBe(200);
    // Searching again from each character would take 400 ms.
    goal('heading of a page of half a million of them', user / 1000, 200);
  });

  it('queues ten at once off the event loop, and refuses more when the queue is full', async () => {
    const page = (name: string) => `<h1>${name}</h1>${'<p>反复许多次的一段内容，占满几页。</p>'.repeat(600)}`;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => post('teacher', page(`并发${index}`))));
    delay.disable();
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    // Rendering one page takes 100 ms: on the main thread it would raise the delay above the limit.
    goal('ten papers at once: delay of the main loop', delay.percentile(90) / 1e6, 60);
    for (const [index, { body }] of answers.entries()) {
      expect((await skimPdf(await pdfBytes('teacher', body.data.path))).title).toBe(`并发${index}`);
    }
    // Two long pages occupy both threads, so even short ones wait.
    const long = page('很长').repeat(6);
    expect([(await post('teacher', long)).status, (await post('teacher', long)).status]).toEqual([200, 200]);
    const many = await Promise.all(Array.from({ length: 68 }, (_, index) => post('teacher', `<h1>过多${index}</h1>`)));
    const busy = many.filter(({ status }) => status !== 200);
    expect(busy.length).toBeGreaterThan(0);
    expect(busy.length).toBeLessThan(20);
    for (const { status, body, headers } of busy) {
      expect([status, body.msg, headers.get('retry-after')]).toEqual([503, '下载的人较多，请稍后再试', '10']);
    }
  });
});
