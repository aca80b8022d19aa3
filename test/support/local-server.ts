/** A server on a free port of this machine. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalServer {
  origin: string;
  close(): Promise<void>;
}

type AnswerRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  body: string,
) => void | Promise<void>;

/** Serves on a free port of this machine. */
export async function serve(answer: AnswerRequest): Promise<LocalServer> {
  let origin = '';
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    await answer(request, response, new URL(request.url ?? '/', origin), Buffer.concat(parts).toString());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

/** Returns an address where nothing listens any more. */
export async function closedAddress(): Promise<string> {
  const { origin, close } = await serve(() => {});
  await close();
  return origin;
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
