/** Dialog over HomeworkAnswerPreview: lists the students by how they answered a question. */
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/answer-students';
import { GroupStudents } from './group-students.tsx';
import { homeworkAnswers, studentsByAnswer } from './screens.ts';
import { exportGroup, loadAnswerStudents } from './students.server.ts';
import { groupTitle } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('答题学员');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { place, filter } = studentsByAnswer.at(url);
  const found = await loadAnswerStudents(context, { ...homeworkAnswers.at(url), ...place, page: filter.page });
  return { found, ...studentsByAnswer.opened(url) };
}

export const action = ({ request, context, url }: Route.ActionArgs) =>
  exportGroup({ request, context, url }, { ...homeworkAnswers.at(url), ...studentsByAnswer.at(url).place });

export default function AnswerStudents({ loaderData: { found, closeHref } }: Route.ComponentProps) {
  const view = useAddress(studentsByAnswer);
  const { group, ques_id } = view.place;
  return (
    <Dialog
      title={groupTitle(found.number, group, found.students.total)}
      closeHref={`${closeHref}#question-${ques_id}`}
      width={760}
    >
      <GroupStudents view={view} found={found} group={group} questionId={ques_id} back={closeHref} />
    </Dialog>
  );
}
