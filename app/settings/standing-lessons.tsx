import type { DayLessons } from '#server/settings/holidays.contract.ts';
import { periodEdit } from '../courses/screens.ts';
import { formatTime } from '../lib/dates.ts';
import { adminLessonEdit } from '../sessions/screens.ts';
import { SubLine } from '../ui/sub-line.tsx';
import { useTimezone } from '../ui/use-school.ts';

/** Lists the lessons that still take place on a day off, with links for users who may move them. */
export function StandingLessons({ of, mayTeach }: { of: DayLessons; mayTeach: boolean }) {
  const timezone = useTimezone();
  const { lesson_count, lessons } = of;
  if (lesson_count === 0) return '无';
  return (
    <>
      <strong>{lesson_count}节，不改动</strong>
      {lessons.map(({ kind, id, start_time, class_name, course_title, title, lecturer_name }) => {
        const what = [class_name, course_title, title].filter(Boolean).join(' ');
        const screen = kind === 'period' ? periodEdit : adminLessonEdit;
        return (
          <SubLine key={`${kind} ${id}`}>
            {formatTime(start_time, timezone).slice(11, 16)}{' '}
            {mayTeach ? (
              <a href={screen.href({ id })} data-written>
                {what}
              </a>
            ) : (
              <span data-written>{what}</span>
            )}{' '}
            {lecturer_name}
          </SubLine>
        );
      })}
      {lesson_count > lessons.length && <SubLine>还有{lesson_count - lessons.length}节</SubLine>}
    </>
  );
}
