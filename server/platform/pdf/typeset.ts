/**
 * The part of PDF rendering that runs in the worker: Typst sets plain data with a template. The compiler can read
 * nothing but the templates' folder and the data of the job.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeCompiler, type NodeError, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler';
import { inspectPicture, tidyPicture } from '#server/platform/files/image.ts';
import type { Block, Inline } from './blocks.ts';
import { blocksFromHtml } from './html.ts';
import type { HtmlDocument, Pictures } from './render.ts';

const templatesUrl = new URL('./templates/', import.meta.url);
const templates = fileURLToPath(templatesUrl);
const require = createRequire(import.meta.url);
const fonts = ['400Regular/NotoSansSC_400Regular.ttf', '700Bold/NotoSansSC_700Bold.ttf'];

let compiler: NodeCompiler | undefined;

function typst(): NodeCompiler {
  compiler ??= NodeCompiler.create({
    workspace: templates,
    fontArgs: [
      { fontPaths: fonts.map((font) => join(require.resolve(`@expo-google-fonts/noto-sans-sc/${font}`), '..')) },
    ],
  });
  return compiler;
}

export async function typesetHtml({ html, title, pictures }: HtmlDocument): Promise<Uint8Array> {
  const gallery = new Gallery(pictures ?? {});
  const blocks = await gallery.place(blocksFromHtml(html), { width: 480, height: 560 });
  return compile(new URL('document.typ', templatesUrl), { title: title ?? '', blocks }, gallery);
}

/** Compiles a template as if it were in this folder, so that it can import the shared templates. */
export async function compile(template: URL, job: unknown, gallery: Gallery): Promise<Uint8Array> {
  const engine = typst();
  const main = join(templates, basename(fileURLToPath(template)));
  const attempt = (): NodeTypstDocument | NodeError => {
    engine.resetShadow();
    engine.mapShadow(
      join(templates, 'job.json'),
      Buffer.from(JSON.stringify(job, (_, value) => gallery.orMissing(removeControls(value)))),
    );
    engine.mapShadow(main, readFileSync(template));
    for (const [path, bytes] of gallery.files) engine.mapShadow(join(templates, path), bytes);
    const outcome = engine.compile({ mainFilePath: main, resetRead: true });
    const error = outcome.takeError();
    if (error) return error;
    if (!outcome.result) throw new Error('Typst gave neither a document nor an error');
    return outcome.result;
  };
  try {
    let document = attempt();
    if ('kind' in document && gallery.files.size > 0) {
      // A picture with a valid header may still be damaged. All pictures are decoded only after a failure.
      await gallery.repair();
      document = attempt();
    }
    if ('kind' in document) throw new Error(`Typst: ${JSON.stringify(engine.fetchDiagnostics(document))}`);
    return new Uint8Array(engine.pdf(document));
  } finally {
    engine.resetShadow();
    // Frees the cached results that this job did not use; results that all jobs need stay.
    engine.evictCache(0);
  }
}

/** Removes control characters and lone surrogates, which JSON and fonts do not support. */
function removeControls(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Cs}|(?![\n\t])\p{Cc}/gu, '') : value;
}

/** Size of a picture in points, at 96 pixels per inch. */
export interface Box {
  width: number;
  height: number;
}

export type PlacedInline =
  | Exclude<Inline, { k: 'picture' }>
  | { k: 'picture'; path: string; width: number; height: number }
  | { k: 'missing' }
  /** A remark before a question, such as the score （3 分）. */
  | { k: 'mark'; t: string }
  /** A number or letter in the margin of a paragraph; position and width in em. */
  | { k: 'label'; t: string; left: number; width: number };
export type PlacedBlock =
  | Extract<Block, { k: 'pre' | 'equation' | 'rule' }>
  | { k: 'p'; c: PlacedInline[]; align?: 'center' | 'right' }
  | { k: 'h'; level: number; c: PlacedInline[] }
  | { k: 'list'; ordered: boolean; start: number; items: PlacedBlock[][] }
  | { k: 'table'; columns: number; cells: { c: PlacedBlock[] }[] }
  | { k: 'quote'; c: PlacedBlock[] };

const maxPictures = 500;
const maxPictureBytes = 20 * 1024 * 1024;
/** A picture above these limits is scaled down: 17 cm at 300 dpi need 2,000 pixels. */
const tidyBeyond = { bytes: 1_500_000, pixels: 2000 };

/** The pictures of one job. Each is checked, and stored once under a generated name. */
export class Gallery {
  readonly files = new Map<string, Buffer>();
  private readonly given: Pictures;
  private readonly known = new Map<string, Promise<{ path: string; width: number; height: number } | null>>();

  constructor(given: Pictures) {
    this.given = given;
  }

  private picture(source: string) {
    let found = this.known.get(source);
    if (!found) {
      found = this.known.size < maxPictures ? this.load(source) : Promise.resolve(null);
      this.known.set(source, found);
    }
    return found;
  }

  private async load(source: string) {
    let bytes = Object.hasOwn(this.given, source) ? this.given[source] : dataUrl(source);
    if (!bytes || bytes.byteLength > maxPictureBytes) return null;
    const inspected = await inspectPicture(bytes);
    if (!('ok' in inspected)) return null;
    const { format, width, height, turned } = inspected.ok;
    if (turned || bytes.byteLength > tidyBeyond.bytes || Math.max(width, height) > tidyBeyond.pixels) {
      const tidied = await tidyPicture(bytes, { longer: tidyBeyond.pixels });
      if (!('ok' in tidied)) return null;
      bytes = tidied.ok;
    }
    const path = `picture-${this.known.size}-${this.files.size}.${format === 'jpeg' ? 'jpg' : format}`;
    this.files.set(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return { path, width, height };
  }

  /** Replaces a damaged picture by a placeholder. */
  orMissing(value: unknown): unknown {
    const { k, path } = (value ?? {}) as { k?: string; path?: string };
    return k === 'picture' && path && !this.files.has(path) ? { k: 'missing' } : value;
  }

  /** Decodes and re-encodes every picture; removes those that fail. */
  async repair(): Promise<void> {
    for (const [path, bytes] of this.files) {
      const tidied = await tidyPicture(bytes, { longer: tidyBeyond.pixels });
      if ('ok' in tidied) this.files.set(path, Buffer.from(tidied.ok));
      else this.files.delete(path);
    }
  }

  async place(blocks: Block[], room: Box): Promise<PlacedBlock[]> {
    return Promise.all(blocks.map((block) => this.placeBlock(block, room)));
  }

  private async placeBlock(block: Block, room: Box): Promise<PlacedBlock> {
    switch (block.k) {
      case 'p':
      case 'h':
        return { ...block, c: await Promise.all(block.c.map((inline) => this.placeInline(inline, room))) };
      case 'quote':
        return { ...block, c: await this.place(block.c, room) };
      case 'list':
        return { ...block, items: await Promise.all(block.items.map((item) => this.place(item, room))) };
      case 'table': {
        const narrow = { width: Math.max(40, (room.width - 20) / block.columns - 12), height: room.height };
        const cells = block.cells.map(async (cell) => ({ ...cell, c: await this.place(cell.c, narrow) }));
        return { ...block, cells: await Promise.all(cells) };
      }
      default:
        return block;
    }
  }

  private async placeInline(inline: Inline, room: Box): Promise<PlacedInline> {
    if (inline.k === 't') return { ...inline, t: breakable(inline.t) };
    if (inline.k !== 'picture') return inline;
    const found = await this.picture(inline.source);
    if (!found) return { k: 'missing' };
    const ratio = found.height / found.width;
    const width = inline.width ?? (inline.height ? inline.height / ratio : found.width);
    const wished = { width: width * 0.75, height: (inline.height ?? width * ratio) * 0.75 };
    const scale = Math.min(1, room.width / wished.width, room.height / wished.height);
    return { k: 'picture', path: found.path, width: wished.width * scale, height: wished.height * scale };
  }
}

function dataUrl(source: string): Uint8Array | undefined {
  const encoded = /^data:image\/(?:png|jpe?g|gif|webp);base64,([\s\S]*)$/i.exec(source)?.[1];
  return encoded ? Buffer.from(encoded, 'base64') : undefined;
}

/** Allows line breaks inside long words, which would otherwise run off the page. */
function breakable(text: string): string {
  return text.replace(/[!-~\u00a1-\u024f]{30}/g, '$&\u200b');
}
