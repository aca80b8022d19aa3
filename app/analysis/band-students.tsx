/** Dialog with the students of one score band of the grade distribution. */
import { exportDistributionStudents } from '#server/analysis/transcript.contract.ts';
import { api } from '../api/client.server.ts';
import { readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/band-students';
import { boundsOf, loadBand } from './detail.server.ts';
import { bandStudents, detailScreens } from './screens.ts';
import { StudentList } from './student-list.tsx';
import { pageOfStudents } from './students.server.ts';
import { type BandId, bandNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('学员明细');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { summary, students } = await loadBand(context, url);
  const {
    place: { band },
    filter: { page },
  } = bandStudents.at(url);
  const bandId = (summary.grade_distribution.find(({ id }) => String(id) === band)?.id ?? null) as BandId | null;
  const found = await pageOfStudents(context.get(api), students, {
    page,
    scope: detailScreens.at(url),
    handedIn: bandId !== 0,
    ...(bandId !== 0 && { notes: ({ correct_rate }) => [`${correct_rate}%`] }),
  });
  return { bandId, found, ...bandStudents.opened(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  readButton(await readPostedForm(request, context), 'export');
  const { hw_id: hwId, class_id } = detailScreens.at(url);
  const callRequest = { params: { hwId, classId: class_id || '' }, query: boundsOf(url) };
  return redirectToFile(context, await context.get(api).ask(exportDistributionStudents, callRequest), url);
}

export default function BandStudents({ loaderData: { bandId, found, closeHref } }: Route.ComponentProps) {
  const view = useAddress(bandStudents);
  return (
    <Dialog title="学员明细" closeHref={closeHref} width={760}>
      <p>
        {bandId === null ? '所选区间' : bandNames[bandId]}，共 {found.students.total} 人
      </p>
      <StudentList view={view} {...found} noteNames={bandId === 0 ? [] : ['正确率']} />
    </Dialog>
  );
}
