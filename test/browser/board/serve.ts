// Builds the board's page with Vite and serves it, with three photographs of answers in two orientations.
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';

export interface Photograph {
  path: string;
  type: 'image/jpeg' | 'image/png';
  /** Pixel order as stored; EXIF orientation 6 stores the picture on its side. */
  width: number;
  height: number;
  turned?: boolean;
}

export const photographs: Photograph[] = [
  { path: '/images/landscape.jpg', type: 'image/jpeg', width: 2400, height: 1500 },
  { path: '/images/portrait.png', type: 'image/png', width: 600, height: 800 },
  { path: '/images/turned.jpg', type: 'image/jpeg', width: 1600, height: 1200, turned: true },
];

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

export async function buildBoardPage(folder: string): Promise<void> {
  // Production build: React's development build is several times slower.
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await build({
      configFile: false,
      root: import.meta.dirname,
      logLevel: 'warn',
      build: { outDir: folder, emptyOutDir: true, target: 'chrome109' },
    });
  } finally {
    process.env.NODE_ENV = before;
  }
}

export interface BoardServer {
  address: string;
  /** Requested addresses under /images/. */
  asked: string[];
  images: Map<string, { type: string; bytes: Buffer }>;
  server: Server;
}

export async function serveBoardPage(folder: string): Promise<BoardServer> {
  const images: BoardServer['images'] = new Map();
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.startsWith('/images/')) {
      asked.push(request.url ?? '');
      const image = images.get(pathname);
      response.writeHead(image ? 200 : 404, { 'content-type': image?.type ?? 'text/plain' }).end(image?.bytes);
      return;
    }
    const file = pathname === '/' ? '/index.html' : pathname;
    const bytes = await readFile(join(folder, file)).catch(() => null);
    response.writeHead(bytes ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(bytes);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, images, server };
}

/**
 * Draws a photograph in the browser: ruled white paper, a green square in the upper left corner and a blue one in the
 * lower right as the reader sees it, so that a test can tell which way up it is shown.
 */
export async function takePhotograph(page: Page, { type, width, height, turned = false }: Photograph): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ({ type, width, height, turned }) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.fillStyle = '#fdfdf8';
      context.fillRect(0, 0, width, height);
      // Draws the upright view, so the stored picture is rotated counterclockwise.
      if (turned) context.transform(0, -1, 1, 0, 0, height);
      const [seenWidth, seenHeight] = turned ? [height, width] : [width, height];
      const line = seenHeight / 20;
      context.font = `${line * 0.5}px serif`;
      for (let row = 2; row < 19; row++) {
        context.fillStyle = '#c9d7ea';
        context.fillRect(0, row * line, seenWidth, 2);
        context.fillStyle = '#333';
        context.fillText(`${row - 1}. 解：设速度为 v，则 s = v t，所以 t = s / v`, line, row * line - line * 0.2);
      }
      context.fillStyle = 'green';
      context.fillRect(0, 0, line, line);
      context.fillStyle = 'blue';
      context.fillRect(seenWidth - line, seenHeight - line, line, line);
      return canvas.toDataURL(type, 0.9).split(',')[1] ?? '';
    },
    { type, width, height, turned },
  );
  const bytes = Buffer.from(base64, 'base64');
  return turned ? withOrientation(bytes, 6) : bytes;
}

/** Puts an EXIF segment with only the orientation behind the first two bytes of a JPEG. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const exif = Buffer.from([
    0xff,
    0xe1,
    0x00,
    0x22,
    ...Buffer.from('Exif\0\0', 'latin1'),
    0x4d,
    0x4d,
    0x00,
    0x2a,
    0x00,
    0x00,
    0x00,
    0x08,
    0x00,
    0x01,
    0x01,
    0x12,
    0x00,
    0x03,
    0x00,
    0x00,
    0x00,
    0x01,
    0x00,
    orientation,
    0x00,
    0x00,
    0x00,
    0x00,
    0x00,
    0x00,
  ]);
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}
