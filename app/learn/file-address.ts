/** Rewrites addresses of files from the staff's call to the learners' public call. */
import { fileUpload } from '../files/screens.ts';
import { learnHome } from './screens.ts';

const staffs = `${fileUpload.href()}/`;
const learners = `${learnHome.href()}${staffs}`;

/** Rewrites an address, or the addresses in HTML. */
export function withLearnerFiles(text: string): string {
  if (text.startsWith(staffs)) return learnHome.href() + text;
  return text.replaceAll(`="${staffs}`, `="${learners}`).replaceAll(`='${staffs}`, `='${learners}`);
}
