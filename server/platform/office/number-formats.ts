/** How the cells of an .xlsx show numbers. */
import type { OpenedZip } from '#server/platform/files/zip.ts';
import { readXml } from './xml.ts';

/** The number format of each cell style: a built-in number or a code. */
export async function readNumberFormats(zip: OpenedZip, name: string): Promise<(number | string)[]> {
  const codes = new Map<number, string>();
  const formats: (number | string)[] = [];
  const part = await zip.stream(name);
  if (!part) return formats;
  let inCellFormats = false;
  await readXml(part, {
    open: (element, attribute) => {
      if (element === 'x:numFmt') codes.set(Number(attribute('numFmtId')), attribute('formatCode') ?? '');
      else if (element === 'x:cellXfs') inCellFormats = true;
      else if (element === 'x:xf' && inCellFormats) {
        const id = Number(attribute('numFmtId') ?? 0);
        formats.push(codes.get(id) ?? id);
      }
    },
    close: (element) => {
      if (element === 'x:cellXfs') inCellFormats = false;
    },
  });
  return formats;
}

/** The placeholders of a format code: quoted words, escaped signs, colours and conditions are none. */
export const placeholdersOf = (code: string): string =>
  (code.split(';')[0] ?? '').replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '');

/** Whether they show a number as a day or a time. */
export const showMoment = (placeholders: string): boolean =>
  /[ymdhs]/i.test(placeholders) && !/General/i.test(placeholders);
