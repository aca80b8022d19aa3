/** Loads the data of both tabs of HomeworkStatis. */
import { classHomeworkHeader, type HomeworkHeader, homeworkHeader } from '#server/analysis/contract.ts';
import { questionStatistics, questionTypeStatistics } from '#server/analysis/question.contract.ts';
import { api } from '../api/client.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { homeworkStatistics } from './screens.ts';

export async function loadStatistics(context: RequestContext, url: URL) {
  const client = context.get(api);
  const place = homeworkStatistics.at(url);
  const { hw_id: hwId, class_id: classId } = place;
  const header =
    classId === 0
      ? ((await client.send(homeworkHeader, { params: { hwId } })) as HomeworkHeader)
      : await client.send(classHomeworkHeader, { params: { hwId, classId } });
  if (header.status === 2) return { place, header, types: null, questions: null };
  // The lecturers' calls take the ids in the path, the assistants' calls in the query.
  const request = { params: { hwId }, query: { hw_id: hwId, class_id: classId } };
  const [types, questions] = await Promise.all([
    client.send(questionTypeStatistics, request),
    client.send(questionStatistics, request),
  ]);
  return { place, header, types, questions };
}
export type Statistics = Awaited<ReturnType<typeof loadStatistics>>;
