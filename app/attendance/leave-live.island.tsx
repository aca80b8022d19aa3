/**
 * Keeps the leave list and the count in its tab's label up to date while the page is in view: a few lines over the page
 * that the server wrote, without React. Without it, or when the stream breaks for good, the page stays as it is.
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
    // The server ends a stream for good by an answer that is none, such as after signing out.
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

/** Puts the server's present list and tabs in the place of those shown; what is ticked stays ticked. */
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
