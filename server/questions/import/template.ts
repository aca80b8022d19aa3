import { readFile } from 'node:fs/promises';

/**
 * The templates that staff download (import dialog). Both hold the rules and one example of each type, and can be
 * imported as they are; they are edited in Word and in Excel.
 */
export const wordTemplate = (): Promise<Buffer> => readFile(new URL('./template.docx', import.meta.url));
export const excelTemplate = (): Promise<Buffer> => readFile(new URL('./template.xlsx', import.meta.url));
