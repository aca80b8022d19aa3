/** Loaded before a measured server: every answer says in `x-queries` how many statements it took. One request at a time. */
import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { StatementSync } from 'node:sqlite';

let asked = 0;
for (const name of ['all', 'get', 'run', 'iterate'] as const) {
  const own: (this: StatementSync, ...values: never[]) => unknown = StatementSync.prototype[name];
  Object.defineProperty(StatementSync.prototype, name, {
    value(this: StatementSync, ...values: never[]) {
      asked += 1;
      return own.apply(this, values);
    },
  });
}

subscribe('http.server.request.start', (message) => {
  const { response } = message as { response: ServerResponse };
  const before = asked;
  const writeHead: (...head: never[]) => ServerResponse = response.writeHead.bind(response);
  Object.assign(response, {
    writeHead(...head: never[]) {
      response.setHeader('x-queries', asked - before);
      return writeHead(...head);
    },
  });
});
