/**
 * Serves a stored file, with range requests, 304, Content-Disposition and CSP (RFC 9110 sections 13 and 14, RFC 6266,
 * RFC 8187). The caller must have checked that the user may read it.
 */
import { createHash } from 'node:crypto';
import type { Storage } from './storage.ts';
import type { ByteRange } from './storage-backends.ts';

export interface ServeOptions {
  /** File name for display and download; any characters. */
  name: string;
  contentType: string;
  request: Request;
  /** How the browser treats the file. `inline` only has an effect for pictures, PDF, audio and video. */
  disposition?: 'inline' | 'attachment';
}

/** Types that a browser shows without running code in our origin; SVG is not one. */
const inlineTypes = /^(?:image\/(?:jpeg|png|gif|webp)|application\/pdf|audio\/[\w.+-]+|video\/[\w.+-]+)$/;

export const isInline = (contentType: string): boolean => inlineTypes.test(contentType);

/** Answers the file, a range of it, 304, 404 or 416, also for HEAD. */
export async function serveFile(storage: Storage, key: string, options: ServeOptions): Promise<Response> {
  const { name, request } = options;
  const found = await storage.stat(key);
  if (!found) return new Response(null, { status: 404 });

  // The ETag is a hash of the key: the content of a key never changes, and the hash reveals nothing about the storage.
  const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`;
  const inline = isInline(options.contentType) && (options.disposition ?? 'inline') === 'inline';
  const headers = new Headers({
    'content-type': options.contentType,
    'content-disposition': contentDisposition(inline ? 'inline' : 'attachment', name),
    'content-security-policy': contentSecurityPolicy(options.contentType),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    // The browser asks again at each use, so that access is checked again; the answer is then 304 without the bytes.
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag,
  });

  if (namesValidator(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });

  const range = wantedRange(request, found.size, etag);
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${found.size}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set('content-length', String(range ? range.end - range.start + 1 : found.size));
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${found.size}`);
  const status = range ? 206 : 200;
  if (request.method === 'HEAD' || found.size === 0) return new Response(null, { status, headers });
  const body = await storage.read(key, range ?? undefined);
  return body ? new Response(body, { status, headers }) : new Response(null, { status: 404 });
}

/**
 * Content security policy of an opened file: it runs and fetches nothing. For PDF `sandbox` is left out and inline
 * styles are allowed, because Chromium's viewer does not start in a sandbox (crbug.com/41131921) and styles itself
 * inline (crbug.com/343754409). Scripts in a PDF cannot reach our origin. Our own preview may frame the file:
 * `frame-ancestors` overrides X-Frame-Options (CSP 3 section 6.4.2).
 */
function contentSecurityPolicy(contentType: string): string {
  if (contentType === 'application/pdf') {
    return "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";
  }
  if (/^(?:audio|video)\//.test(contentType)) return "sandbox; default-src 'none'; media-src 'self'";
  return "sandbox; default-src 'none'";
}

function namesValidator(header: string | null, etag: string): boolean {
  return header?.split(',').some((one) => [etag, `W/${etag}`, '*'].includes(one.trim())) ?? false;
}

/**
 * Parses the requested range. Null means the whole file, also if the header has several ranges or is malformed (RFC
 * 9110, 14.2).
 */
function wantedRange(request: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | null {
  const header = request.headers.get('range');
  if (!header || !['GET', 'HEAD'].includes(request.method)) return null;
  const condition = request.headers.get('if-range');
  if (condition && condition !== etag) return null;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header.trim()) ?? [];
  if (!first && !last) return null;
  if (!first) {
    // A suffix range means the last `count` bytes.
    const count = Number(last);
    return count === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - count), end: size - 1 };
  }
  const start = Number(first);
  const end = last ? Number(last) : size - 1;
  if (last && end < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}

/**
 * Builds the Content-Disposition header with both forms of the name: ASCII for old clients, and the real name by RFC
 * 8187.
 */
export function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  const oneLine = name.replace(/[\p{Cc}\p{Cs}]/gu, '');
  const plain = oneLine.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(oneLine).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
