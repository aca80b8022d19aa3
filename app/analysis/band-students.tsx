/** The students of one band of the distribution, over the view that it was opened in. */
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Pager } from '../ui/pager.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/band-students';
import { loadBand } from './detail.server.ts';
import { bandStudents } from './screens.ts';
import { StudentNames } from './student-names.tsx';
import { type BandId, bandNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('学员明细');

/** Names on one page of the dialog. */
const limit = 100;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { summary, students } = await loadBand(context, url);
  const {
    place: { band },
    filter: { page },
  } = bandStudents.at(url);
  const found = summary.grade_distribution.find(({ id }) => String(id) === band);
  return {
    bandId: (found?.id ?? null) as BandId | null,
    students: students.slice((page - 1) * limit, page * limit),
    total: students.length,
    ...bandStudents.opened(url),
  };
}

export default function BandStudents({ loaderData }: Route.ComponentProps) {
  const { bandId, students, total, closeHref } = loaderData;
  const view = useAddress(bandStudents);
  return (
    <Dialog title="学员明细" closeHref={closeHref} width={620}>
      <p>
        {bandId === null ? '所选区间' : bandNames[bandId]}，共 {total} 人
      </p>
      <StudentNames
        students={students.map((student) => ({
          ...student,
          note: bandId === 0 ? undefined : `${student.correct_rate}%`,
        }))}
        noteName="正确率"
      />
      {total > limit && <Pager page={view.filter.page} limit={limit} total={total} href={view.page} />}
    </Dialog>
  );
}
