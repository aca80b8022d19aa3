import { readFile } from 'node:fs/promises';

/**
 * The templates that staff can download. Both contain the rules and an example of each type, and can be imported as
 * they are; change them in Word and Excel.
 */
export const wordTemplate = (): Promise<Buffer> => readFile(new URL('./template.docx', import.meta.url));
export const excelTemplate = (): Promise<Buffer> => readFile(new URL('./template.xlsx', import.meta.url));
