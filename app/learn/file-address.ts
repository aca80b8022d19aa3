/** Files that texts name as the staff read them are read by learners through the public call, at an address of their own. */
import { fileUpload } from '../files/screens.ts';
import { learnHome } from './screens.ts';

const staffs = `${fileUpload.href()}/`;
const learners = `${learnHome.href()}${staffs}`;

/** An address, or HTML in which some stand. */
export function withOwnFiles(text: string): string {
  if (text.startsWith(staffs)) return learnHome.href() + text;
  return text.replaceAll(`="${staffs}`, `="${learners}`).replaceAll(`='${staffs}`, `='${learners}`);
}
