import { chromium } from 'playwright-core';

const [, , who, js, width, ...rest] = process.argv;
const base = 'http://localhost:4340';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const context = await browser.newContext({
  viewport: { width: Number(width), height: 800 },
  javaScriptEnabled: js === 'js',
  locale: 'zh-CN',
});
const page = await context.newPage();
page.on('console', (m) => {
  if (m.type() === 'error' || m.type() === 'warning') console.log('CONSOLE', m.type(), m.text().slice(0, 300));
});
page.on('pageerror', (e) => console.log('PAGEERROR', String(e).slice(0, 300)));
await page.goto(`${base}/login`);
await page.fill('[name=username]', who === 'T' ? 'teacher' : 'assist');
await page.fill('[name=password]', who === 'T' ? 'Teach2026' : 'Assist2026');
await page.click('form[action="/login"] button, form button[type=submit]');
for (let i = 0; i < rest.length; i += 2) {
  const [path, act] = rest[i].split('@@');
  const r = await page.goto(base + path, { waitUntil: 'networkidle' });
  if (act) {
    const [kind, sel] = act.split('::');
    if (kind === 'hover') {
      await page.hover(sel);
      await page.waitForTimeout(800);
    }
    if (kind === 'focus') {
      await page.focus(sel);
      await page.waitForTimeout(200);
    }
    if (kind === 'click') {
      await page.click(sel);
      await page.waitForTimeout(1000);
    }
  }
  await page.screenshot({ path: rest[i + 1], fullPage: true });
  console.log(
    r.status(),
    path,
    page.url().replace(base, ''),
    'scrollW',
    await page.evaluate(() => document.documentElement.scrollWidth).catch(() => '-'),
  );
}
await browser.close();
