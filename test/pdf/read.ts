// Reads a PDF back, as a person would: the text where it stands, and the look of a page.

import { createCanvas } from '@napi-rs/canvas';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface Piece {
  text: string;
  page: number;
  /** Points from the left and from the top of the page. */
  x: number;
  y: number;
  width: number;
}

export interface ReadPdf {
  pages: number;
  title: string;
  pieces: Piece[];
  /** All text of a page, or of all pages, without white space. */
  text(page?: number): string;
  /** Position of a text; the first match. */
  find(text: string): Piece;
  /** Renders a page at one pixel per point. Returns a function that gives the colour at a place: [red, green, blue]. */
  picture(page: number): Promise<(x: number, y: number) => [number, number, number]>;
}

const openPdf = (bytes: Uint8Array) => getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
const titleOf = async (document: PDFDocumentProxy) =>
  ((await document.getMetadata()).info as { Title?: string }).Title ?? '';

/** Page count and title, at a hundredth of the cost of reading text. */
export async function skimPdf(bytes: Uint8Array): Promise<Pick<ReadPdf, 'pages' | 'title'>> {
  const document = await openPdf(bytes);
  return { pages: document.numPages, title: await titleOf(document) };
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await openPdf(bytes);
  const pieces: Piece[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { height } = page.getViewport({ scale: 1 });
    for (const item of (await page.getTextContent()).items) {
      if (!('str' in item) || !item.str.trim()) continue;
      const [, , , , x = 0, y = 0] = item.transform as number[];
      pieces.push({ text: item.str, page: number, x, y: height - y, width: item.width });
    }
  }
  return {
    pages: document.numPages,
    title: await titleOf(document),
    pieces,
    text: (page) =>
      pieces
        .filter((piece) => !page || piece.page === page)
        .map((piece) => piece.text)
        .join('')
        .replace(/\s|\u200b/g, ''),
    find(text) {
      // Between Chinese and Latin letters a line is several pieces.
      const starts = pieces.map((piece) => piece.text.replace(/\s|\u200b/g, ''));
      const at = starts.join('').indexOf(text.replace(/\s/g, ''));
      let passed = 0;
      const found = pieces.find((_, index) => {
        passed += starts[index]?.length ?? 0;
        return passed > at;
      });
      if (at < 0 || !found) throw new Error(`Not in the PDF: ${text}`);
      return found;
    },
    async picture(number) {
      const page = await document.getPage(number);
      const viewport = page.getViewport({ scale: 1 });
      const canvas = createCanvas(viewport.width, viewport.height);
      const context = canvas.getContext('2d');
      await page.render({ canvas: null, canvasContext: context as never, viewport, background: 'white' }).promise;
      const { data, width } = context.getImageData(0, 0, canvas.width, canvas.height);
      return (x, y) => {
        const at = (Math.round(y) * width + Math.round(x)) * 4;
        return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      };
    },
  };
}
