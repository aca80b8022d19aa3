/** Returns the time left in an exam as JSON. The school may move its end while it is running. */
import type { Route } from './+types/exam-time';
import { SavedAnswers } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import { learnExamTime } from './screens.ts';

export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { id } = learnExamTime.at(url);
  // Saves an empty list of answers: that changes nothing and returns the time.
  const outcome = await context.get(learnerContext).post(`exams/${id}/answers`, { answers: [] }, SavedAnswers);
  if (!outcome.ok) return Response.json({ left: outcome.status === 409 ? 0 : undefined }, { status: outcome.status });
  const { ends_at, now } = outcome.data;
  return Response.json({ left: ends_at === null ? null : ends_at - now });
}
