import { data } from 'react-router';
import { missingHomework } from '#server/homework/rules.ts';
import { classHomeworkDetail, homeworkDetail } from '../analysis/screens.ts';

/** Throws 404 if a dialog over the page of a homework has the id of another homework. */
export function requireSameHomework(url: URL, id: number): void {
  const page = [homeworkDetail, classHomeworkDetail].find((screen) => screen.covers(url.pathname));
  if (page && page.at(url).hw_id !== id) throw data({ msg: missingHomework }, { status: 404 });
}
