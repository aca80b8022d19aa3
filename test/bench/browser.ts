/** Emulates a slow school PC: 6× CPU slowdown, 1.6 Mbit/s, 150 ms round trip. */
import type { Browser } from 'playwright-core';

export interface Felt {
  /** Milliseconds to the first contentful paint. */
  paint: number;
  /** Milliseconds until everything is loaded and the main thread has been quiet. */
  usable: number;
  /** Milliseconds of long tasks beyond 50 ms each. */
  blocking: number;
  /** Main-thread milliseconds spent on style recalculation and layout. */
  style: number;
  layout: number;
  requests: number;
  /** Transferred bytes, compressed. */
  bytes: number;
}

/** Removes the stylesheet links from a document. */
export const withoutStyles = (html: string): string => html.replace(/<link[^>]*rel="stylesheet"[^>]*>/g, '');

export const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export async function feel(browser: Browser, base: string, path: string, cookie: string, warm: boolean): Promise<Felt> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name = '', ...value] = cookie.split('=');
  await context.addCookies([{ name, value: value.join('='), url: base }]);
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  if (warm) await page.goto(base + path, { waitUntil: 'load' });
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  // Thread CPU time, so that the machine's other work does not count.
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
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
  const { metrics } = await protocol.send('Performance.getMetrics');
  const milliseconds = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000;
  const [style, layout] = [milliseconds('RecalcStyleDuration'), milliseconds('LayoutDuration')];
  await context.close();
  return { ...felt, style, layout, requests, bytes };
}
