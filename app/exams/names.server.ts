/** Suggested names and creators for the filters of the exam list. */
import { examNames } from '#server/exams/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { getSession } from '../shell/session.server.ts';
import { sessionCache } from '../shell/session-cache.server.ts';
import type { Suggestions } from '../ui/filter-form.tsx';
import { suggestionsOf } from '../ui/suggestions.ts';

const cache = sessionCache<Record<'names' | 'creators', Suggestions>>();

/** Loads suggestions, cached per session. Undefined if the call fails, because the filters also work without them. */
export const loadExamSuggestions = (context: RequestContext, client: ApiClient) =>
  cache.of(getSession(context).get('token') ?? '', () =>
    client.ask(examNames).then(
      (outcome) =>
        outcome.ok
          ? { names: suggestionsOf(outcome.data.names), creators: suggestionsOf(outcome.data.creators) }
          : undefined,
      () => undefined,
    ),
  );
