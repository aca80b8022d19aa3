/** A fake S3 bucket that behaves like other vendors' buckets: it refuses AWS's own checksums and chunked uploads. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Kept {
  bytes: Buffer;
  contentType: string | undefined;
}

export interface Bucket {
  /** Stored objects, by address `/school/<key>`. */
  objects: Map<string, Kept>;
  requests: IncomingMessage[];
  endpoint: string;
  /** Environment variables that point the product at this bucket. */
  environment: Record<string, string>;
  /** Refuses connections until `open`. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** Starts the bucket. `page` is the number of keys per page of a listing. */
export async function startBucket(page = 1): Promise<Bucket> {
  const objects: Bucket['objects'] = new Map();
  const requests: IncomingMessage[] = [];
  const listen = async (port: number): Promise<Server> => {
    const server = createServer(async (request, response) => {
      requests.push(request);
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
      const key = decodeURIComponent(pathname);
      if (request.method === 'HEAD' && /^\/[^/]+\/?$/.test(key))
        return void response.writeHead(key.replace(/\/$/, '') === '/school' ? 200 : 404).end();
      if (searchParams.has('list-type')) {
        const all = [...objects.keys()].map((one) => one.replace('/school/', '')).sort();
        const from = Number(searchParams.get('continuation-token') ?? 0);
        const next = from + page < all.length ? `<NextContinuationToken>${from + page}</NextContinuationToken>` : '';
        const named = all.slice(from, from + page).map((one) => {
          const size = objects.get(`/school/${one}`)?.bytes.length;
          return `<Contents><Key>${one}</Key><Size>${size}</Size></Contents>`;
        });
        return void response
          .writeHead(200, { 'content-type': 'application/xml' })
          .end(`<ListBucketResult>${next}${named.join('')}</ListBucketResult>`);
      }
      const unknown = ['x-amz-trailer', 'x-amz-sdk-checksum-algorithm', 'x-amz-decoded-content-length', 'x-amz-acl'];
      if (unknown.some((name) => request.headers[name])) return void response.writeHead(501).end();
      const object = objects.get(key);
      if (request.method === 'PUT') {
        objects.set(key, { bytes: await buffer(request), contentType: request.headers['content-type'] });
        return void response.writeHead(200, { etag: '"1"' }).end();
      }
      if (request.method === 'DELETE') {
        objects.delete(key);
        return void response.writeHead(204).end();
      }
      if (!object)
        return void response
          .writeHead(404, { 'content-type': 'application/xml' })
          .end('<Error><Code>NoSuchKey</Code></Error>');
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      const part = start ? object.bytes.subarray(Number(start), Number(end) + 1) : object.bytes;
      response.writeHead(start ? 206 : 200, {
        'content-length': part.length,
        'content-type': object.contentType ?? 'binary/octet-stream',
        'last-modified': new Date().toUTCString(),
      });
      response.end(request.method === 'HEAD' ? undefined : part);
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    return server;
  };
  let server: Server | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    objects,
    requests,
    endpoint,
    environment: {
      S3_BUCKET: 'school',
      S3_ENDPOINT: endpoint,
      S3_REGION: 'cn-north-1',
      S3_ACCESS_KEY: 'key',
      S3_SECRET_KEY: 'secret',
    },
    async close() {
      const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
      server?.closeAllConnections();
      server = undefined;
      await closed;
    },
    async open() {
      server ??= await listen(port);
    },
  };
}
