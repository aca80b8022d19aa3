/** What the filters of homework suggest. */
import { homeworkNames } from '#server/homework/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { keptForEach } from '../shell/kept.server.ts';
import { getSession } from '../shell/session.server.ts';
import type { Suggestions } from '../ui/filter-form.tsx';

export type HomeworkNames = Record<'courses' | 'periods' | 'publishers', Suggestions>;

const kept = keptForEach<HomeworkNames>();

/** Undefined where they are not known: the fields are there without. */
export const suggestedNames = (context: RequestContext, client: ApiClient): Promise<HomeworkNames | undefined> =>
  kept.of(getSession(context).get('token') ?? '', () =>
    client.ask(homeworkNames).then(
      (outcome) => {
        if (!outcome.ok) return undefined;
        const { courses, periods, publishers } = outcome.data;
        return { courses: suggesting(courses), periods: suggesting(periods), publishers: suggesting(publishers) };
      },
      () => undefined,
    ),
  );

const suggesting = (names: string[]): Suggestions => ({
  html: names.map((name) => `<option value="${escaped(name)}"></option>`).join(''),
});

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => signs[sign] as string);
