/**
 * Pages are answered before the server asks for anything else. `react-router-serve` looks for each address among the
 * files of `public/`, and wraps each answer to compress it: a page is no file, and comes compressed.
 */
import { subscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { createRequestListener } from '@remix-run/node-fetch-server';

interface Pages {
  fetch(request: Request): Promise<Response>;
  /** Whether an address is a screen's. */
  has(address: string): boolean;
}
let pages: Pages | undefined;

/** Said by the screens' build, once it is loaded. */
export function offerPages(offered: Pages): void {
  pages = offered;
}

/** To be called before anything listens. */
export function answerPagesFirst(): void {
  subscribe('tracing:net.server.listen:asyncStart', (message) => {
    const { server } = message as { server: unknown };
    if (server instanceof Server && pages) comeBefore(server, pages);
  });
}

function comeBefore(server: Server, { fetch, has }: Pages): void {
  const others = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  const answer = createRequestListener((request: Request) => fetch(request));
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') && has(request.url ?? '');
    if (!isPage) {
      for (const other of others) other.call(server, request, response);
      return;
    }
    logWhenAnswered(request, response);
    answer(request, response);
  });
}

/** In the words of react-router-serve's own log. Who has gone before the answer got no status. */
function logWhenAnswered({ method, url }: IncomingMessage, response: ServerResponse): void {
  const since = performance.now();
  response.once('close', () => {
    const length = response.getHeader('content-length') ?? '-';
    const took = (performance.now() - since).toFixed(3);
    const status = response.writableFinished ? response.statusCode : '-';
    process.stdout.write(`${method} ${url} ${status} ${length} - ${took} ms\n`);
  });
}
