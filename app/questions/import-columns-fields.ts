/** Names of the fields that say what each column of a spreadsheet holds, and the body that they make. */
import { textOf } from '../lib/form-data.ts';

export const titleRowField = (sheet: number) => `title_row.${sheet}`;
export const columnField = (sheet: number, column: number) => `columns.${sheet}.${column}`;

export function columnsBody(form: FormData) {
  const sheets: { title_row: string; columns: string[] }[] = [];
  while (form.has(titleRowField(sheets.length))) {
    const at = sheets.length;
    const columns: string[] = [];
    while (form.has(columnField(at, columns.length))) columns.push(textOf(form, columnField(at, columns.length)));
    sheets.push({ title_row: textOf(form, titleRowField(at)), columns });
  }
  return { sheets, acknowledged: textOf(form, 'acknowledged') };
}
