/** Dialog with the join codes of an entry's live room, to copy. */
import { data } from 'react-router';
import { missingCourse } from '#server/classes/rules.ts';
import { api } from '../api/client.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Copyables } from '../ui/copyable.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Route } from './+types/codes';
import { loadCalendar } from './calendar.server.ts';
import { calendarScope } from './calendar-scope.server.ts';
import { joinCodes } from './screens.ts';
import { entryTitle } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('参会码');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { timezone } = signedInPerson(context).settings;
  const client = context.get(api);
  const { courses } = await loadCalendar({ client, timezone, ...calendarScope(url) });
  const { entry } = joinCodes.at(url);
  const course = courses.find(({ kind, id }) => `${kind}-${id}` === entry);
  if (!course) throw data({ msg: missingCourse }, { status: 404 });
  const codes = [
    ['学员', course.student_code],
    ['助教', course.assistant_code],
    ['讲师', course.teacher_code],
  ] as const;
  return {
    kind: course.kind === 'meeting' ? '班会' : '课程',
    title: entryTitle(course),
    codes: codes.flatMap(([role, code]) => (code ? [{ label: `${role}参会码`, id: `code-${role}`, value: code }] : [])),
    ...joinCodes.opened(url),
  };
}

export default function Codes({ loaderData: { kind, title, codes, closeHref } }: Route.ComponentProps) {
  return (
    <Dialog title="参会码" closeHref={closeHref}>
      <p>
        {kind}：<strong>{title}</strong>
      </p>
      {codes.length === 0 ? <p>该{kind}没有参会码</p> : <Copyables texts={codes} />}
    </Dialog>
  );
}
