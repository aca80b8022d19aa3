/** Rewrites addresses of files. Staff and learners read files from different addresses. */
import { fileUpload } from '../files/screens.ts';
import { learnHome } from './screens.ts';

const staffs = `${fileUpload.href()}/`;
const learners = `${learnHome.href()}${staffs}`;

/** Rewrites an address, or all addresses in an HTML text, for learners. */
export function withLearnerFiles(text: string): string {
  if (text.startsWith(staffs)) return learnHome.href() + text;
  return text.replaceAll(`="${staffs}`, `="${learners}`).replaceAll(`='${staffs}`, `='${learners}`);
}
