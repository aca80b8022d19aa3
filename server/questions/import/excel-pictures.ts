import type { OpenedZip } from '#server/platform/files/zip.ts';
import { columnLetters } from '#server/platform/office/cell-address.ts';
import { readRelationships } from '#server/platform/office/relationships.ts';
import { readXml } from '#server/platform/office/xml.ts';
import type { LostSegment, PictureSegment } from './rich-line.ts';
import { lossMessages } from './rules.ts';

/**
 * Assigns the pictures of a sheet to cells. A picture floats above the sheet, so it belongs to the cell below its upper
 * left corner.
 */

export interface CellPicture {
  segment: PictureSegment | LostSegment;
}

const pixel = 9525; // English Metric Units per CSS pixel.

/** Reads the pictures of a sheet by cell address, such as `B5`. */
export async function readSheetPictures(zip: OpenedZip, sheet: string): Promise<Map<string, CellPicture[]>> {
  const pictures = new Map<string, CellPicture[]>();
  for (const relationship of (await readRelationships(zip, sheet)).values()) {
    if (relationship.type !== 'drawing' || relationship.external) continue;
    await readDrawing(zip, relationship.target, pictures);
  }
  return pictures;
}

interface PictureAnchor {
  column: number;
  row: number;
  width: number | undefined;
  height: number | undefined;
  segments: (PictureSegment | LostSegment)[];
}

async function readDrawing(zip: OpenedZip, part: string, pictures: Map<string, CellPicture[]>): Promise<void> {
  const relationships = await readRelationships(zip, part);
  const drawing = await zip.stream(part);
  if (!drawing) return;
  let anchor: PictureAnchor | undefined;
  let inFrom = false;
  let capture: 'column' | 'row' | undefined;
  let digits = '';
  await readXml(drawing, {
    open: (name, attribute) => {
      if (name === 'xdr:twoCellAnchor' || name === 'xdr:oneCellAnchor') {
        anchor = { column: 0, row: 0, width: undefined, height: undefined, segments: [] };
      }
      if (!anchor) return;
      if (name === 'xdr:from') inFrom = true;
      else if (inFrom && name === 'xdr:col') capture = 'column';
      else if (inFrom && name === 'xdr:row') capture = 'row';
      else if (name === 'xdr:ext' || name === 'a:ext') {
        anchor.width = sizeInPixels(attribute('cx')) ?? anchor.width;
        anchor.height = sizeInPixels(attribute('cy')) ?? anchor.height;
      } else if (name === 'xdr:graphicFrame') anchor.segments.push({ lost: lossMessages.shape, shown: '' });
      else if (name === 'a:blip') {
        const target = relationships.get(attribute('r:embed') ?? '');
        anchor.segments.push(
          !target || target.external
            ? { lost: lossMessages.linkedPicture, shown: '［图片］' }
            : { picture: { part: target.target, alt: '图片' } },
        );
      }
    },
    close: (name) => {
      if (name === 'xdr:from') inFrom = false;
      else if (capture && anchor && (name === 'xdr:col' || name === 'xdr:row')) {
        anchor[capture] = Math.trunc(Number(digits)) + 1;
        capture = undefined;
        digits = '';
      } else if (anchor && (name === 'xdr:twoCellAnchor' || name === 'xdr:oneCellAnchor')) {
        place(anchor, pictures);
        anchor = undefined;
      }
    },
    text: (text) => {
      if (capture) digits += text.slice(0, 10);
    },
  });
}

function place(anchor: PictureAnchor, pictures: Map<string, CellPicture[]>): void {
  if (!(anchor.column >= 1 && anchor.row >= 1)) return;
  const address = `${columnLetters(anchor.column)}${anchor.row}`;
  const here = pictures.get(address) ?? [];
  for (const segment of anchor.segments) {
    if ('picture' in segment && anchor.segments.length === 1) {
      segment.picture.width = anchor.width;
      segment.picture.height = anchor.height;
    }
    here.push({ segment });
  }
  pictures.set(address, here);
}

function sizeInPixels(metricUnits: string | undefined): number | undefined {
  const size = Math.round(Number(metricUnits) / pixel);
  return size > 0 && size < 10_000 ? size : undefined;
}

/**
 * Reads the cell pictures of WPS, which cells name by `=DISPIMG("ID_…",1)`. Returns the picture's name inside the file
 * for each id.
 */
export async function readCellImages(zip: OpenedZip): Promise<Map<string, string>> {
  const images = new Map<string, string>();
  const part = 'xl/cellimages.xml';
  const list = await zip.stream(part);
  if (!list) return images;
  const relationships = await readRelationships(zip, part);
  let name = '';
  await readXml(list, {
    open: (element, attribute) => {
      if (element === 'xdr:cNvPr') name = attribute('name') ?? '';
      else if (element === 'a:blip') {
        const target = relationships.get(attribute('r:embed') ?? '');
        if (target && !target.external && name) images.set(name, target.target);
      }
    },
    close: () => {},
  });
  return images;
}
