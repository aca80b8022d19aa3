/** The codes by which a course's room is joined, to be handed on (document 3, section 2). */
import { data } from 'react-router';
import { api } from '../api.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { Copyables } from '../ui/copyable.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Route } from './+types/codes';
import { loadCalendar } from './calendar.server.ts';
import { behindCalendarDialog, dialogClass } from './dialog.server.ts';
import { titleOf } from './terms.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '参课码 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const { timezone } = signedInPerson(context).settings;
  const now = Math.floor(Date.now() / 1000);
  const { courses } = await loadCalendar({ client: context.get(api), url, timezone, now, classId: dialogClass(url) });
  const asked = url.searchParams.get('entry');
  const course = courses.find(({ kind, id }) => `${kind}-${id}` === asked);
  if (!course) throw data({ msg: '课程不存在' }, { status: 404 });
  const codes = [
    ['学员', course.student_code],
    ['助教', course.assistant_code],
    ['讲师', course.teacher_code],
  ] as const;
  return {
    title: titleOf(course),
    codes: codes.flatMap(([role, code]) => (code ? [{ label: `${role}参课码`, id: `code-${role}`, value: code }] : [])),
    closeHref: behindCalendarDialog(url),
  };
}

export default function Codes({ loaderData: { title, codes, closeHref } }: Route.ComponentProps) {
  return (
    <Dialog title="参课码" closeHref={closeHref}>
      <p>
        课程：<strong>{title}</strong>
      </p>
      {codes.length === 0 ? <p>该课程没有参课码</p> : <Copyables texts={codes} />}
    </Dialog>
  );
}
