import { chromium } from 'playwright-core';

const base = 'http://localhost:4340';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const path of process.argv.slice(2)) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${base}/login`);
  await page.fill('[name=username]', 'teacher');
  await page.fill('[name=password]', 'Teach2026');
  await page.click('form[action="/login"] button, form button[type=submit]');
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  const by = {};
  const types = new Map();
  cdp.on('Network.responseReceived', (e) => types.set(e.requestId, e.type));
  cdp.on('Network.loadingFinished', (e) => {
    const t = types.get(e.requestId) ?? '?';
    by[t] = (by[t] ?? 0) + e.encodedDataLength;
    by.n = (by.n ?? 0) + 1;
  });
  await page.goto(base + path, { waitUntil: 'networkidle' });
  const total = Object.entries(by)
    .filter(([k]) => k !== 'n')
    .reduce((s, [, v]) => s + v, 0);
  console.log(path, JSON.stringify(by), 'total', total);
  await context.close();
}
await browser.close();
