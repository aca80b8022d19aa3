/** Tells how to save a file in a format that can be read, such as an old Word file as .docx. */
import { extensionOf } from '#server/platform/files/rules.ts';
import { saveAsMessages } from './rules.ts';

/** Files that Word, Excel or WPS can save in a format that is read; by ending. */
const advice: readonly (readonly [endings: readonly string[], message: string])[] = [
  [['doc', 'dot', 'wps', 'wpt'], saveAsMessages.oldWord],
  [['docm', 'dotm', 'xlsm', 'xltm'], saveAsMessages.macros],
  [['xls', 'xlt', 'et', 'ett', 'xlsb'], saveAsMessages.oldExcel],
  [['rtf', 'odt', 'dotx', 'htm', 'html', 'mht', 'mhtml', 'md', 'pages'], saveAsMessages.asWord],
  [['ods', 'xltx', 'numbers'], saveAsMessages.asExcel],
  [['pdf', 'ofd'], saveAsMessages.pdf],
  [['jpg', 'jpeg', 'png', 'gif', 'bmp', 'webp', 'heic'], saveAsMessages.picture],
  [['ppt', 'pptx', 'dps', 'rar', '7z'], saveAsMessages.others],
];

/** Returns what to do with a file of this name; undefined if nothing is known about it. */
export const adviceFor = (fileName: string): string | undefined =>
  advice.find(([endings]) => endings.includes(extensionOf(fileName)))?.[1];
