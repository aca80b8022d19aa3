/**
 * Serves scripts and stylesheets in the Brotli form that the build made (commands/setup.mjs). react-router-serve would
 * compress each file on each request, at a lower level: a fifth more bytes.
 */
import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { takesCoding } from './content-coding.ts';

const folder = path.resolve('build/client/assets');
const prefix = '/static/assets/';

/** Also of the previous build, which pages of a server that was replaced may name. */
const compressed = new Set(namesIn(folder).filter((name) => name.endsWith('.br')));

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Rewrites the request for an asset to the asset's Brotli file, if the client takes it. */
export function offerCompressedAsset(request: IncomingMessage, response: ServerResponse): void {
  const { url = '', headers } = request;
  if (!url.startsWith(prefix)) return;
  const file = `${url.slice(prefix.length)}.br`;
  const type = contentTypes[path.extname(url)];
  if (type === undefined || !compressed.has(file)) return;
  if (!takesCoding(headers['accept-encoding'], 'br')) return;
  request.url = `${prefix}${file}`;
  response.setHeader('content-type', type);
  response.setHeader('content-encoding', 'br');
}

function namesIn(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    // No build: the API alone, or `npm run dev`.
    return [];
  }
}
