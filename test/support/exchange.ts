/** Requests as they go over the wire, for tests of what a server does with what has been sent. */
import { once } from 'node:events';
import { connect } from 'node:net';

export interface Exchange {
  /** Resolves when the system has taken the request. */
  sent: Promise<void>;
  /** Resolves when something comes back. */
  begun: Promise<unknown>;
  /** All that comes back until the server closes the connection. */
  whole: Promise<string>;
}

/** One request over a connection of its own, to the server at `base`. */
export function exchange(base: string, request: string): Exchange {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  const sent = once(socket, 'connect').then(
    () => new Promise<void>((resolve) => socket.write(request, () => resolve())),
  );
  const begun = once(socket, 'data');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  return { sent, begun, whole: once(socket, 'close').then(() => answer) };
}

/** `body` as JSON, which may hold ASCII alone. */
export const postOf = (address: string, body: object): string => {
  const json = JSON.stringify(body);
  const head = [
    `POST ${address} HTTP/1.1`,
    'Host: school',
    'Content-Type: application/json',
    `Content-Length: ${json.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${json}`;
};
