/**
 * The courseware of a scheduled lesson: `/courseware/lesson?times_id=&times_type=`. Its dialogs (upload, remove) go
 * back to `return` where one is given, so that other screens of a lesson can lead here.
 */
import { data, useOutlet } from 'react-router';
import { listLessonWares } from '#server/courseware/contract.ts';
import { showSession } from '#server/sessions/contract.ts';
import { api } from '../api.server.ts';
import { formatTime } from '../lib/dates.ts';
import { useTimezone } from '../shell/use-school.ts';
import { buttonClass } from '../ui/button.tsx';
import type { Route } from './+types/lesson';
import styles from './courseware.module.css';
import { LessonWares, lessonAddress } from './lesson-wares.tsx';

export const handle = { crumbs: [{ label: '课件库', href: '/courseware' }, { label: '课次课件' }] };

export const meta: Route.MetaFunction = () => [{ title: '课次课件 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const times_id = url.searchParams.get('times_id') ?? '';
  if (!/^\d{1,9}$/.test(times_id)) throw data({ msg: '课次不存在' }, { status: 404 });
  const [lesson, wares] = await Promise.all([
    client.send(showSession, { params: { id: times_id } }),
    client.send(listLessonWares, { query: { times_id } }),
  ]);
  return { lesson, wares };
}

export default function LessonCourseware({ loaderData: { lesson, wares } }: Route.ComponentProps) {
  const timezone = useTimezone();
  const dialog = useOutlet();
  const place = { times_id: lesson.id, times_type: lesson.class_type };
  const day = formatTime(lesson.arrange_time, timezone).split(' ')[0];
  return (
    <>
      <main inert={dialog !== null}>
        <div className={styles.head}>
          <div>
            <h1>课次课件</h1>
            <p>
              {lesson.class_name} · {day} {lesson.time_name}
              {lesson.chapter_title && ` · ${lesson.chapter_title}`}
            </p>
          </div>
          <div className="no-print">
            <a href={lessonAddress('choose', place)} className={buttonClass('plain')}>
              从课件库选择
            </a>
            <a href={lessonAddress('upload', place)} className={buttonClass('primary')}>
              上传课件
            </a>
          </div>
        </div>
        <LessonWares wares={wares} removeHref={(ware) => lessonAddress(`${ware.id}/remove`, place)} />
      </main>
      {dialog}
    </>
  );
}
