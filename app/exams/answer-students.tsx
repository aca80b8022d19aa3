/** Dialog over the question statistics: lists the students by how they answered a question. */
import { ExamReportsExtra, examReports } from '#server/exams/contract.ts';
import { ExamAnswersExtra, examAnswerStudents, exportExamAnswerStudents } from '#server/exams/statistics.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { StudentList } from '../analysis/student-list.tsx';
import { contactsToCopy, maxCopiedNames, namesPerPage } from '../analysis/students.server.ts';
import { groupTitle } from '../analysis/terms.ts';
import { api } from '../api/client.server.ts';
import { withExtra } from '../api/with-extra.server.ts';
import { questionAnchor } from '../grading/screens.ts';
import { formatTime } from '../lib/dates.ts';
import { readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/answer-students';
import { examAnswers, examDetail, examSheet } from './screens.ts';
import { testStatusNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('答题学员');

function readAnswerAddress(url: URL) {
  const { place, filter } = examAnswers.at(url);
  return { id: examDetail.at(url).id, questionId: place.question_id, group: place.group, page: filter.page };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, questionId, group, page } = readAnswerAddress(url);
  const { timezone } = signedInPerson(context).settings;
  const client = context.get(api);
  const read = (query: { page?: number; limit: number }) =>
    client
      .ask(examAnswerStudents, { params: { id, questionId }, query: { group, ...query } })
      .then((outcome) => withExtra(outcome, ExamAnswersExtra));
  const [found, papers] = await Promise.all([
    read({ page, limit: namesPerPage }),
    // The schools for the filter come with the list of reports, so one report is loaded.
    client.ask(examReports, { params: { id }, query: { limit: 1 } }),
  ]);
  const { list, total } = found.data;
  const all = total > list.length && total <= maxCopiedNames ? (await read({ limit: maxCopiedNames })).data.list : list;
  // In the names to copy, a student with several submissions appears once.
  const each = [...new Map(all.map((row) => [row.student_id, row])).values()];
  return {
    number: found.extra.number,
    students: {
      ...found.data,
      list: list.map((row) => ({
        id: row.report_id,
        nickname: row.nickname,
        place: row.school_name,
        mobile: row.mobile,
        href: `${examSheet.href({ report_id: row.report_id })}#${questionAnchor(questionId)}`,
        notes: [
          ...(group === 'unanswered' ? [] : [row.score === null ? testStatusNames[2] : formatScore(row.score)]),
          formatTime(row.submit_time, timezone),
        ],
      })),
    },
    copies: total > maxCopiedNames ? null : contactsToCopy(each),
    severalSchools: withExtra(papers, ExamReportsExtra).extra.user_school_list.length > 1,
    ...examAnswers.opened(url),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  readButton(await readPostedForm(request, context), 'export');
  const { id, questionId, group } = readAnswerAddress(url);
  const callRequest = { params: { id, questionId }, query: { group } };
  return redirectToFile(context, await context.get(api).ask(exportExamAnswerStudents, callRequest), url);
}

export default function AnswerStudents({ loaderData }: Route.ComponentProps) {
  const { number, students, copies, severalSchools, closeHref } = loaderData;
  const view = useAddress(examAnswers);
  const { group } = view.place;
  return (
    <Dialog title={groupTitle(number, group, students.total, '份')} closeHref={closeHref} width={760}>
      <StudentList
        view={view}
        students={students}
        copies={copies}
        placeName={severalSchools ? '学校' : null}
        noteNames={group === 'unanswered' ? ['提交时间'] : ['得分', '提交时间']}
      />
    </Dialog>
  );
}
