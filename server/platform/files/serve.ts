/** Sends a stored file (RFC 9110 sections 13 and 14, RFC 6266, RFC 8187). Who may see it has been decided before. */
import { createHash } from 'node:crypto';
import type { ByteRange, Storage } from './storage.ts';

export interface ServeOptions {
  /** The name to show and to save under; any characters. */
  name: string;
  contentType: string;
  request: Request;
  /** `inline` is granted to pictures, PDF, audio and video alone. */
  disposition?: 'inline' | 'attachment';
}

/** What a browser shows without running anything of it in our origin. SVG is not among them. */
const inlineTypes = /^(?:image\/(?:jpeg|png|gif|webp)|application\/pdf|audio\/[\w.+-]+|video\/[\w.+-]+)$/;

export const isInline = (contentType: string): boolean => inlineTypes.test(contentType);

/** The file, the part of it that was asked for, 304, 404 or 416. Also for HEAD. */
export async function serveFile(storage: Storage, key: string, options: ServeOptions): Promise<Response> {
  const { name, request } = options;
  const found = await storage.stat(key);
  if (!found) return new Response(null, { status: 404 });

  // A key names the same bytes for ever: it is the validator, hashed so that it tells nothing about the storage.
  const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`;
  const inline = isInline(options.contentType) && (options.disposition ?? 'inline') === 'inline';
  const headers = new Headers({
    'content-type': options.contentType,
    'content-disposition': contentDisposition(inline ? 'inline' : 'attachment', name),
    'content-security-policy': contentSecurityPolicy(options.contentType),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    // Each use asks again whether its user may still see it; the answer is then 304 without the bytes.
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
 * Whatever the bytes are, opened on their own they run nothing and fetch nothing. `sandbox` is left out for PDF, and
 * inline styles allowed: Chromium's viewer starts in no sandboxed document (crbug.com/41131921) and styles itself
 * inline (crbug.com/343754409). A script in a PDF reaches nothing of our origin. Our own preview may frame it, whatever
 * X-Frame-Options says (CSP 3 section 6.4.2: `frame-ancestors` goes before it).
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

/** Null: the whole file is to be sent, also where several ranges or a broken one are asked for (RFC 9110, 14.2). */
function wantedRange(request: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | null {
  const header = request.headers.get('range');
  if (!header || !['GET', 'HEAD'].includes(request.method)) return null;
  const condition = request.headers.get('if-range');
  if (condition && condition !== etag) return null;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header.trim()) ?? [];
  if (!first && !last) return null;
  if (!first) {
    // The last so many bytes.
    const count = Number(last);
    return count === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - count), end: size - 1 };
  }
  const start = Number(first);
  const end = last ? Number(last) : size - 1;
  if (last && end < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}

/** Both forms of the name: plain ASCII for old clients, and the real one by RFC 8187. */
export function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  const oneLine = name.replace(/[\p{Cc}\p{Cs}]/gu, '');
  const plain = oneLine.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(oneLine).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
