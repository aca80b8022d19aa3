/** Who answered a question how: a dialog over HomeworkAnswerPreview. */
import { answerStudents } from '#server/analysis/question.contract.ts';
import { api } from '../api/client.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/answer-students';
import { homeworkAnswers, studentsByAnswer } from './screens.ts';
import { namesOn, StudentNames } from './student-names.tsx';
import { answerGroupNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('答题学员');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { hw_id, class_id } = homeworkAnswers.at(url);
  const {
    place: { ques_id, group },
    filter: { page },
  } = studentsByAnswer.at(url);
  const students = await context.get(api).send(answerStudents[group], { query: { hw_id, class_id, ques_id } });
  return {
    students: namesOn(page, students),
    ...studentsByAnswer.opened(url),
  };
}

export default function AnswerStudents({ loaderData: { students, closeHref } }: Route.ComponentProps) {
  const view = useAddress(studentsByAnswer);
  const { group, ques_id } = view.place;
  return (
    <Dialog
      title={`${answerGroupNames[group]}（${students.total} 人）`}
      closeHref={`${closeHref}#question-${ques_id}`}
      width={560}
    >
      <List view={view} result={students} nothing="没有学员" body={(rows) => <StudentNames students={rows} />} />
    </Dialog>
  );
}
