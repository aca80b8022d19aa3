/** Where a file that was made for somebody is handed out. */
import { screen, Ticked } from '../lib/screen.ts';

/** `wait`: the page that looks again by itself. */
export const madeFile = screen('export/file', '/exports/:token', { wait: Ticked });
