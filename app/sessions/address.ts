/** Addresses of a scheduled lesson. */
import { searchOf } from '../lib/search.ts';

interface Lesson {
  id: number;
  class_type: 1 | 3;
}

/** CurriculumTimeDetail for a lesson of a group class, OtoTimeDetail otherwise (document 3, section 2). */
export const sessionPath = ({ class_type }: Pick<Lesson, 'class_type'>) =>
  class_type === 3 ? '/sessions/class' : '/sessions/one-to-one';

/** Which of its lists the lesson's own screen shows, and of that the page. */
export interface SessionView {
  tab?: 'homework' | undefined;
  page?: number;
}

export const sessionHref = (lesson: Lesson, view: SessionView = {}): string => sessionDialog(lesson, '', view);

/** A dialog over the lesson's own screen, which it closes back to as it was. */
export const sessionDialog = (lesson: Lesson, dialog: string, view: SessionView = {}): string =>
  sessionPath(lesson) +
  dialog +
  searchOf({ id: lesson.id, tab: view.tab, page: view.page === 1 ? undefined : view.page });

export const communicationHref = ({ id, user_id }: { id: number; user_id: number }) =>
  `/sessions/communication?id=${id}&user_id=${user_id}`;

/** A scheduled lesson is the `course` among the live rooms: it has a room of its own. */
export const liveHref = ({ id }: Pick<Lesson, 'id'>) => `/live?type=course&id=${id}`;

/** The screen behind a dialog that is one step below it, with what the dialog itself does not own. */
export function behindStep({ pathname, search }: URL, owned: readonly string[] = []): string {
  const params = new URLSearchParams(search);
  for (const name of owned) params.delete(name);
  return pathname.replace(/\/[^/]+\/?$/, '') + (params.size > 0 ? `?${params}` : '');
}
