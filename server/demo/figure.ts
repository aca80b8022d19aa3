/** Small drawings as PNG data URLs, which need no file storage. */
import { crc32, deflateSync } from 'node:zlib';

const width = 160;
const height = 110;

/** A right triangle, or the graph of a parabola with its axes. */
export function drawFigure(shape: 'triangle' | 'parabola' | 'notes'): string {
  const dots = Array.from({ length: height }, () => new Uint8Array(width).fill(255));
  const dot = (x: number, y: number) => {
    const row = dots[Math.round(y)];
    if (row && x >= 0 && x < width) row[Math.round(x)] = 40;
  };
  const line = (x1: number, y1: number, x2: number, y2: number) => {
    const steps = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) * 2;
    for (let step = 0; step <= steps; step += 1) {
      for (const thick of [0, 1]) dot(x1 + ((x2 - x1) * step) / steps + thick, y1 + ((y2 - y1) * step) / steps);
    }
  };
  if (shape === 'triangle') {
    line(20, 90, 140, 90);
    line(20, 90, 20, 15);
    line(20, 15, 140, 90);
    line(20, 78, 32, 78);
    line(32, 78, 32, 90);
  } else if (shape === 'parabola') {
    line(5, 75, 155, 75);
    line(80, 105, 80, 5);
    for (let x = -60; x < 60; x += 1) line(80 + x, 95 - x * x * 0.035, 81 + x, 95 - (x + 1) * (x + 1) * 0.035);
  } else {
    for (let row = 14; row < 100; row += 16)
      for (let x = 10; x < 150 - row / 2; x += 9) line(x, row, x + 5, row + (x % 5) - 2);
  }
  const raw = Buffer.concat(dots.map((row) => Buffer.concat([Buffer.from([0]), row])));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8); // The pixels are 8-bit greyscale.
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const png = Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
