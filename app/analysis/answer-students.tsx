/** Who answered a question how: a dialog over HomeworkAnswerPreview. */
import { data } from 'react-router';
import { answerStudents } from '#server/analysis/contract.ts';
import { api } from '../api.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Pager } from '../ui/pager.tsx';
import type { Route } from './+types/answer-students';
import { placeHref } from './address.ts';
import { answerGroupNames, answerGroups } from './answer-groups.ts';
import { placeOf } from './place.server.ts';
import { StudentNames } from './student-names.tsx';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '答题学员 · 教学后台' }];

/** Names on one page of the dialog. */
const limit = 100;

export async function loader({ context, url }: Route.LoaderArgs) {
  const place = placeOf(url);
  const group = answerGroups.find((one) => one === url.searchParams.get('group'));
  if (!group) throw data({ msg: '您访问的页面不存在' }, { status: 404 });
  const quesId = url.searchParams.get('ques_id') ?? '';
  const students = await context.get(api).send(answerStudents[group], {
    query: { hw_id: place.hwId, class_id: place.classId, ques_id: quesId },
  });
  const page = Math.max(1, Number(url.searchParams.get('page')) || 1);
  return {
    place,
    group,
    quesId,
    page,
    total: students.length,
    students: students.slice((page - 1) * limit, page * limit),
  };
}

export default function AnswerStudents({ loaderData }: Route.ComponentProps) {
  const { place, group, quesId, page, total, students } = loaderData;
  const closeHref = `${placeHref('/homework/answers', place)}#question-${quesId}`;
  const href = (number: number) =>
    placeHref('/homework/answers/students', place, { ques_id: quesId, group, page: number });
  return (
    <Dialog title={`${answerGroupNames[group]}（${total} 人）`} closeHref={closeHref} width={560}>
      <StudentNames students={students} />
      {total > limit && <Pager page={page} limit={limit} total={total} href={href} />}
    </Dialog>
  );
}
