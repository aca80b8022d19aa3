/** Requests to the API as tests send them. */

import type { createApi } from '#server/api.ts';

export interface ApiRequest {
  method: string;
  /** Includes prefix and query. */
  address: string;
  body?: unknown;
}

/** Sends a call as one person; with `body` it is a POST. */
export type SendRequest = (request: ApiRequest) => Promise<{ status: number; data: unknown }>;

/** Sends calls to an API with a token; `data` is undefined if the answer is a file. */
export const senderFor =
  (api: ReturnType<typeof createApi>, token: string): SendRequest =>
  async ({ method, address, body }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const response = await api.fetch(new Request(`http://school.test${address}`, { method, headers, ...sent }));
    const text = await response.text();
    return { status: response.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
  };

export const definedEntries = (fields: Record<string, unknown> | undefined): [string, unknown][] =>
  Object.entries(fields ?? {}).filter(([, value]) => value !== undefined);

export const withQuery = (address: string, query: readonly [string, unknown][]): string =>
  query.length === 0
    ? address
    : `${address}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, String(value)]))}`;
