import { chromium } from 'playwright-core';

const base = 'http://localhost:4340';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await b.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(base + '/login');
await page.fill('[name=username]', 'teacher');
await page.fill('[name=password]', 'Teach2026');
await page.click('form button[type=submit]');
await page.goto(base + '/homework/detail?hw_id=3&class_id=0&tab=2&view=grid');
await page.waitForSelector('[data-island] [class*=MRT_Table-module]');
console.log(await page.locator('[data-island] thead th').allInnerTexts());
await page.locator('[data-island] thead th').nth(3).locator('button[aria-label="列操作"]').click();
await page.waitForTimeout(500);
console.log(await page.locator('[role=menuitem]').allInnerTexts());
await page.screenshot({ path: '/tmp/shots/menu.png' });
await b.close();
