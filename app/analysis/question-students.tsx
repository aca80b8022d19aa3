/** Dialog over the question analysis: lists the students by how they answered a question. */
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/question-students';
import { GroupStudents } from './group-students.tsx';
import { detailScreens, questionStudents } from './screens.ts';
import { exportGroup, loadAnswerStudents } from './students.server.ts';
import { groupTitle } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('答题学员');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { place, filter } = questionStudents.at(url);
  const { hw_id, class_id, from } = detailScreens.at(url);
  const found = await loadAnswerStudents(context, { hw_id, class_id, from, ...place, page: filter.page });
  return { found, ...questionStudents.opened(url) };
}

export const action = ({ request, context, url }: Route.ActionArgs) =>
  exportGroup({ request, context, url }, { ...detailScreens.at(url), ...questionStudents.at(url).place });

export default function QuestionStudents({ loaderData: { found, closeHref } }: Route.ComponentProps) {
  const view = useAddress(questionStudents);
  const { group, ques_id } = view.place;
  return (
    <Dialog title={groupTitle(found.number, group, found.students.total)} closeHref={closeHref} width={760}>
      <GroupStudents view={view} found={found} group={group} questionId={ques_id} back={closeHref} />
    </Dialog>
  );
}
