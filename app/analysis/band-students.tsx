/** The students of one band of the distribution, over the view that it was opened in (document 2, section 2.1). */
import type { ScreenHandle } from '../shell/frame.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Pager } from '../ui/pager.tsx';
import type { Route } from './+types/band-students';
import { loadBand } from './detail.server.ts';
import { placeOf } from './place.server.ts';
import { StudentNames } from './student-names.tsx';
import { type BandId, bandNames } from './terms.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '学员明细 · 教学后台' }];

/** Names on one page of the dialog. */
const limit = 100;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { summary, students } = await loadBand(context, url, placeOf(url));
  const band = summary.grade_distribution.find(({ id }) => String(id) === url.searchParams.get('band'));
  const page = Math.max(1, Number(url.searchParams.get('page')) || 1);
  const behind = new URLSearchParams(url.searchParams);
  for (const own of ['band', 'min', 'max', 'page']) behind.delete(own);
  return {
    bandId: (band?.id ?? null) as BandId | null,
    students: students.slice((page - 1) * limit, page * limit),
    total: students.length,
    page,
    here: url.pathname + url.search,
    closeHref: `${url.pathname.replace(/\/students$/, '')}?${behind}`,
  };
}

export default function BandStudents({ loaderData }: Route.ComponentProps) {
  const { bandId, students, total, page, here, closeHref } = loaderData;
  const [path = '', search = ''] = here.split('?');
  const href = (number: number) => {
    const params = new URLSearchParams(search);
    params.set('page', String(number));
    return `${path}?${params}`;
  };
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
      {total > limit && <Pager page={page} limit={limit} total={total} href={href} />}
    </Dialog>
  );
}
