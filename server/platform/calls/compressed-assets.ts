/**
 * Serves scripts and stylesheets in the Brotli form that the build made (commands/setup.mjs). react-router-serve would
 * compress each file on each request, at a lower level: a fifth more bytes.
 */
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { takesCoding } from './content-coding.ts';

const folder = path.resolve('build/client/assets');
const prefix = '/static/assets/';

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Rewrites the request for an asset to the asset's Brotli file, if there is one and the client takes it. */
export function offerCompressedAsset(request: IncomingMessage, response: ServerResponse): void {
  const { url = '', headers } = request;
  if (!url.startsWith(prefix)) return;
  const name = url.slice(prefix.length);
  const type = contentTypes[path.extname(name)];
  if (type === undefined || !/^[\w.~-]+$/.test(name) || !takesCoding(headers['accept-encoding'], 'br')) return;
  if (!existsSync(path.join(folder, `${name}.br`))) return;
  request.url = `${url}.br`;
  response.setHeader('content-type', type);
  response.setHeader('content-encoding', 'br');
}
