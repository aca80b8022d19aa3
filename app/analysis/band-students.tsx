/** The students of one band of the distribution, over the view that it was opened in. */
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/band-students';
import { loadBand } from './detail.server.ts';
import { bandStudents } from './screens.ts';
import { namesOn, StudentNames } from './student-names.tsx';
import { type BandId, bandNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('学员明细');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { summary, students } = await loadBand(context, url);
  const {
    place: { band },
    filter: { page },
  } = bandStudents.at(url);
  const found = summary.grade_distribution.find(({ id }) => String(id) === band);
  return {
    bandId: (found?.id ?? null) as BandId | null,
    students: namesOn(page, students),
    ...bandStudents.opened(url),
  };
}

export default function BandStudents({ loaderData }: Route.ComponentProps) {
  const { bandId, students, closeHref } = loaderData;
  const view = useAddress(bandStudents);
  return (
    <Dialog title="学员明细" closeHref={closeHref} width={620}>
      <p>
        {bandId === null ? '所选区间' : bandNames[bandId]}，共 {students.total} 人
      </p>
      <List
        view={view}
        result={students}
        nothing="没有学员"
        body={(rows) => (
          <StudentNames
            students={rows.map((student) => ({
              ...student,
              note: bandId === 0 ? undefined : `${student.correct_rate}%`,
            }))}
            noteName="正确率"
          />
        )}
      />
    </Dialog>
  );
}
