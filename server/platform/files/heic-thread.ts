/**
 * Decodes HEIC photographs with libheif (WebAssembly). Runs in a worker thread, because a photograph takes a second of
 * CPU.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import createLibheif from 'libheif-js/libheif-wasm/libheif.js';

export interface HeicSource {
  path: string;
  /** Maximum pixels, checked in the file's header before decoding. */
  maxPixels: number;
  /** Maximum bytes of the decoder's memory, because the header may claim fewer pixels than the picture has. */
  maxBytes: number;
}

/** `pixels`: RGB, three bytes each. */
export type DecodedHeic =
  | { width: number; height: number; pixels: Uint8Array<ArrayBuffer> }
  | { failed: 'damaged' | 'too large' };

/** A picture with more pixels than this is halved, or divided further, so that less is sent to the main thread. */
const maxKeptPixels = 16_000_000;

const { grow } = WebAssembly.Memory.prototype;
let maxBytes = 0;
// If its memory cannot grow, libheif reports an error for this one picture.
WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages) {
  if (this.buffer.byteLength + Number(pages) * 65_536 > maxBytes)
    throw new RangeError('The picture needs too much memory');
  return grow.call(this, pages);
};

const wasm = createRequire(import.meta.url).resolve('libheif-js/libheif-wasm/libheif.wasm');
let loaded: ReturnType<typeof createLibheif> | undefined;

/** Decodes the main picture, upright. */
export async function decodeHeic(source: HeicSource): Promise<DecodedHeic> {
  ({ maxBytes } = source);
  loaded ??= createLibheif({ wasmBinary: readFileSync(wasm), print: () => {}, printErr: () => {} });
  const library = loaded;
  const bytes = await readFile(source.path);
  const context = library.heif_context_alloc();
  try {
    const read = library.heif_context_read_from_memory(context, bytes);
    if (read.code !== library.heif_error_code.heif_error_Ok) return { failed: 'damaged' };
    const handle = library.heif_js_context_get_primary_image_handle(context);
    if (!handle || handle.code) return { failed: 'damaged' };
    try {
      const pixels = library.heif_image_handle_get_width(handle) * library.heif_image_handle_get_height(handle);
      return pixels > source.maxPixels ? { failed: 'too large' } : await decode(library, handle);
    } finally {
      library.heif_image_handle_release(handle);
    }
  } catch {
    // Some damaged files make the decoder abort; it cannot be used afterwards and is loaded again for the next picture.
    loaded = undefined;
    return { failed: 'damaged' };
  } finally {
    if (loaded) library.heif_context_free(context);
  }
}

type Library = ReturnType<typeof createLibheif>;

async function decode(library: Library, handle: Parameters<Library['heif_js_decode_image2']>[0]): Promise<DecodedHeic> {
  const { heif_colorspace, heif_chroma, heif_error_code } = library;
  const picture = await library.heif_js_decode_image2(
    handle,
    heif_colorspace.heif_colorspace_RGB,
    heif_chroma.heif_chroma_interleaved_RGB,
  );
  if (!picture || picture.code) {
    const isMemory = picture?.code === heif_error_code.heif_error_Memory_allocation_error;
    return { failed: isMemory ? 'too large' : 'damaged' };
  }
  try {
    const [{ data, stride, width, height }] = picture.channels;
    return averaged({ data, stride, width, height });
  } finally {
    library.heif_image_release(picture.image);
  }
}

interface Decoded {
  /** A view of the decoder's memory. */
  data: Uint8Array;
  /** Number of bytes per row. */
  stride: number;
  width: number;
  height: number;
}

/** Copies a picture out of the decoder's memory; averages squares of pixels if it is large. */
function averaged({ data, stride, width, height }: Decoded): DecodedHeic {
  const side = Math.ceil(Math.sqrt((width * height) / maxKeptPixels));
  const [columns, rows] = [Math.floor(width / side), Math.floor(height / side)];
  const pixels = new Uint8Array(columns * rows * 3);
  if (side === 1) {
    for (let row = 0; row < rows; row += 1)
      pixels.set(data.subarray(row * stride, row * stride + width * 3), row * width * 3);
    return { width, height, pixels };
  }
  let at = 0;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      for (let colour = 0; colour < 3; colour += 1) {
        let sum = 0;
        for (let y = row * side; y < (row + 1) * side; y += 1)
          for (let x = column * side; x < (column + 1) * side; x += 1) sum += data[y * stride + x * 3 + colour] ?? 0;
        pixels[at] = sum / (side * side);
        at += 1;
      }
    }
  }
  return { width: columns, height: rows, pixels };
}
