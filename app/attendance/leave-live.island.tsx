/**
 * Updates the leave list and the count in its tab while the page is visible. Changes the server's HTML by plain DOM
 * calls. If the stream fails, the page stays as it was.
 */
import '../ui/client/keys/menus.ts';
import '../ui/client/keys/quick-keys.ts';

const props = document.querySelector('[data-props="leave-live.island"]')?.textContent;
if (props) keepUpToDate(JSON.parse(props));

function keepUpToDate({ stream, mark }: { stream: string; mark: string }): void {
  let shown = mark;
  let source: EventSource | undefined;

  const listen = () => {
    if (document.hidden || source) return;
    source = new EventSource(stream);
    source.addEventListener('leave', async ({ data }: MessageEvent<string>) => {
      if (data === shown) return;
      shown = data;
      await refresh();
    });
    // The source is closed for good if the server returns no event stream, such as after sign-out.
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) source = undefined;
    };
  };
  const stop = () => {
    source?.close();
    source = undefined;
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : listen()));
  addEventListener('pagehide', stop);
  addEventListener('pageshow', listen);
  listen();
}

/** Replaces list and tabs with the server's current ones. Keeps the ticks. */
async function refresh(): Promise<void> {
  const response = await fetch(location.href);
  if (!response.ok || response.redirected) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  const ticked = new Set(
    [...document.querySelectorAll<HTMLInputElement>('input[name=ids]:checked')].map(({ value }) => value),
  );
  const focused = document.activeElement;
  const place = focused?.getAttribute('href') ?? focused?.getAttribute('value');
  for (const selector of ['[data-live="leave"]', 'main > nav']) {
    const old = document.querySelector(selector);
    const next = fresh.querySelector(selector);
    if (old && next) old.replaceWith(document.adoptNode(next));
  }
  for (const box of document.querySelectorAll<HTMLInputElement>('input[name=ids]')) box.checked = ticked.has(box.value);
  if (place && !focused?.isConnected) {
    const same = [...document.querySelectorAll<HTMLElement>('[data-live="leave"] a, [data-live="leave"] [value]')];
    same.find((one) => one.getAttribute('href') === place || one.getAttribute('value') === place)?.focus();
  }
}
