/** Reads the structure of an .xlsx: its sheets and the names of its parts. */
import type { OpenedZip } from '#server/platform/files/zip.ts';
import { mainPartOf, readRelationships } from './relationships.ts';
import { readXml } from './xml.ts';

export interface Workbook {
  /** Sheets in the order of the workbook. */
  sheets: { name: string; part: string; isHidden: boolean }[];
  /** Names of the parts with shared strings and with styles; '' if missing. */
  strings: string;
  styles: string;
  /** True if days are counted from 1904 instead of 1900. */
  epoch1904: boolean;
}

export async function readWorkbook(zip: OpenedZip): Promise<Workbook> {
  const main = await mainPartOf(zip, 'xl/workbook.xml');
  const relationships = await readRelationships(zip, main);
  const partOf = (type: string): string =>
    [...relationships.values()].find((one) => one.type === type && !one.external)?.target ?? '';
  const workbook: Workbook = {
    sheets: [],
    strings: partOf('sharedStrings'),
    styles: partOf('styles'),
    epoch1904: false,
  };
  const part = await zip.stream(main);
  if (!part) return workbook;
  await readXml(part, {
    open: (name, attribute) => {
      if (name === 'x:workbookPr') workbook.epoch1904 = /^(?:1|true)$/.test(attribute('date1904') ?? '');
      if (name !== 'x:sheet') return;
      const sheet = relationships.get(attribute('r:id') ?? '');
      if (!sheet || sheet.external || sheet.type !== 'worksheet') return;
      workbook.sheets.push({
        name: (attribute('name') ?? '').trim(),
        part: sheet.target,
        isHidden: (attribute('state') ?? 'visible') !== 'visible',
      });
    },
    close: () => {},
  });
  return workbook;
}

/** Restores cell text: Excel writes control characters as _x000D_. */
export const unescapeCellText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\dA-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
