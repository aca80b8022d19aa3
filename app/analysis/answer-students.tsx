/** Who answered a question how: a dialog over HomeworkAnswerPreview. */
import { answerStudents } from '#server/analysis/question.contract.ts';
import { api } from '../api/client.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Pager } from '../ui/pager.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/answer-students';
import { homeworkAnswers, studentsByAnswer } from './screens.ts';
import { StudentNames } from './student-names.tsx';
import { answerGroupNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('答题学员');

/** Names on one page of the dialog. */
const limit = 100;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { hw_id, class_id } = homeworkAnswers.at(url);
  const {
    place: { ques_id, group },
    filter: { page },
  } = studentsByAnswer.at(url);
  const students = await context.get(api).send(answerStudents[group], { query: { hw_id, class_id, ques_id } });
  return {
    total: students.length,
    students: students.slice((page - 1) * limit, page * limit),
    ...studentsByAnswer.opened(url),
  };
}

export default function AnswerStudents({ loaderData: { total, students, closeHref } }: Route.ComponentProps) {
  const view = useAddress(studentsByAnswer);
  const { group, ques_id } = view.place;
  return (
    <Dialog
      title={`${answerGroupNames[group]}（${total} 人）`}
      closeHref={`${closeHref}#question-${ques_id}`}
      width={560}
    >
      <StudentNames students={students} />
      {total > limit && <Pager page={view.filter.page} limit={limit} total={total} href={view.page} />}
    </Dialog>
  );
}
