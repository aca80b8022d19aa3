/** Suggested names for the filters of homework lists. */
import { homeworkNames } from '#server/homework/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { getSession } from '../shell/session.server.ts';
import { sessionCache } from '../shell/session-cache.server.ts';
import type { Suggestions } from '../ui/filter-form.tsx';
import { suggestionsOf } from '../ui/suggestions.ts';

export type HomeworkNames = Record<'courses' | 'periods' | 'publishers', Suggestions>;

const cache = sessionCache<HomeworkNames>();

/**
 * Suggestions from all homework, or from the homework of one class. Cached per session. Undefined if the call fails:
 * the filters work without suggestions.
 */
export const loadHomeworkSuggestions = (
  context: RequestContext,
  client: ApiClient,
  class_id?: number,
): Promise<HomeworkNames | undefined> =>
  cache.of(`${getSession(context).get('token') ?? ''} ${class_id ?? ''}`, () =>
    client.ask(homeworkNames, { query: { class_id } }).then(
      (outcome) => {
        if (!outcome.ok) return undefined;
        const { courses, periods, publishers } = outcome.data;
        return {
          courses: suggestionsOf(courses),
          periods: suggestionsOf(periods),
          publishers: suggestionsOf(publishers),
        };
      },
      () => undefined,
    ),
  );
