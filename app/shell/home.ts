import { redirect } from 'react-router';
import { homeworkManage } from '../homework/screens.ts';

/** The day starts at the homework list. */
export function loader() {
  return redirect(homeworkManage.href());
}
