/** `/files/…` of the staff is read by learners through the public call, at an address of their own. */
import { learnHome } from './screens.ts';

/** An address, or HTML in which some stand. */
export const withOwnFiles = (text: string): string =>
  text.startsWith('/files/')
    ? learnHome.href() + text
    : text.replaceAll(/(\s(?:src|href)=["'])\/files\//g, `$1${learnHome.href()}/files/`);
