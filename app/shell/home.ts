import { redirect } from 'react-router';

/** The day starts at the homework list. */
export function loader() {
  return redirect('/homework');
}
