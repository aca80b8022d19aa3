/** What a slow school PC feels: 6× CPU slowdown, 1.6 Mbit/s, 150 ms round trip. */
import type { Browser } from 'playwright-core';

export interface Felt {
  /** Milliseconds to the first contentful paint. */
  paint: number;
  /** Milliseconds until everything is loaded and the main thread has been quiet. */
  usable: number;
  /** Milliseconds of long tasks beyond 50 ms each. */
  blocking: number;
  requests: number;
  /** Bytes as they travelled. */
  bytes: number;
}

export async function feel(browser: Browser, base: string, path: string, cookie: string, warm: boolean): Promise<Felt> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name = '', ...value] = cookie.split('=');
  await context.addCookies([{ name, value: value.join('='), url: base }]);
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  if (warm) await page.goto(base + path, { waitUntil: 'load' });
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await protocol.send('Network.enable');
  await protocol.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 93_750,
  });
  let requests = 0;
  let bytes = 0;
  protocol.on('Network.requestWillBeSent', () => {
    requests += 1;
  });
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(() => {
    const seen = { blocking: 0, last: 0 };
    Object.assign(window, { __seen: seen });
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) {
        seen.blocking += Math.max(0, task.duration - 50);
        seen.last = Math.max(seen.last, task.startTime + task.duration);
      }
    }).observe({ type: 'longtask', buffered: true });
  });
  await page.goto(base + path, { waitUntil: 'load' });
  await page.waitForTimeout(500);
  const felt = await page.evaluate(() => {
    const { blocking, last } = (window as unknown as { __seen: { blocking: number; last: number } }).__seen;
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    return { paint, usable: Math.max(paint, last, navigation?.domContentLoadedEventEnd ?? 0), blocking };
  });
  await context.close();
  return { ...felt, requests, bytes };
}
