import { listLessonMaterials } from '#server/courseware/contract.ts';
import { showSession } from '#server/sessions/contract.ts';
import { materialFault } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { formatNearDay } from '../lib/dates.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import { useNow, useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/lesson';
import styles from './courseware.module.css';
import { AddLessonMaterials, LessonMaterials } from './lesson-materials.tsx';
import { lessonCourseware, materialLibrary } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '课件库', href: materialLibrary.href() }, { label: '课次课件' }],
};

export const meta: Route.MetaFunction = () => titleMeta('课次课件');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { times_id } = lessonCourseware.at(url);
  const [lesson, materials] = await Promise.all([
    client.send(showSession, { params: { id: times_id } }),
    client.send(listLessonMaterials, { query: { times_id } }),
  ]);
  return { lesson, wares: materials };
}

export default function LessonCourseware({ loaderData: { lesson, wares: materials } }: Route.ComponentProps) {
  const timezone = useTimezone();
  const day = formatNearDay(lesson.arrange_time, useNow(), timezone);
  return (
    <Screen>
      <div className={styles.head}>
        <div>
          <h1>课次课件</h1>
          <p>
            {lesson.class_name} · {day} {lesson.time_name}
            {lesson.chapter_title && ` · ${lesson.chapter_title}`}
          </p>
        </div>
        {materialFault(lesson) === undefined && <AddLessonMaterials lesson={lesson} tone="primary" />}
      </div>
      <LessonMaterials wares={materials} lesson={lesson} />
    </Screen>
  );
}
