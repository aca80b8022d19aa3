/** Sends raw HTTP requests over a socket, for tests of requests that are sent only in part. */
import { once } from 'node:events';
import { connect } from 'node:net';

export interface Exchange {
  /** Resolves when the operating system has accepted the request. */
  sent: Promise<void>;
  /** Resolves at the first byte of the response. */
  begun: Promise<unknown>;
  /** Everything received until the server closes the connection. */
  whole: Promise<string>;
}

/** Sends one request over a new connection to the server at `base`. */
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

/** Formats a raw POST request. `body` becomes JSON and must be ASCII, because its length is counted in characters. */
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
