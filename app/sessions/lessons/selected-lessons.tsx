/** Page of a bulk action, with the lessons that it applies to. */
import type { ReactNode } from 'react';
import type { LessonRow } from '#server/sessions/lessons.contract.ts';
import { lessonMessages, sessionStatusNames } from '#server/sessions/rules.ts';
import { Empty } from '../../ui/empty.tsx';
import { NearMoment } from '../../ui/moment.tsx';
import { Screen } from '../../ui/screen.tsx';
import { adminLessonList } from '../screens.ts';

interface ChosenProps {
  title: string;
  lessons: readonly LessonRow[];
  children: ReactNode;
}

export function SelectedLessonsScreen({ title, lessons, children }: ChosenProps) {
  if (lessons.length === 0) {
    return (
      <Screen title={title}>
        <Empty>
          {lessonMessages.nobody}，<a href={adminLessonList.href({ status: 2 })}>返回排课</a>
        </Empty>
      </Screen>
    );
  }
  return (
    <Screen title={title} card>
      <p>
        <strong>已选{lessons.length}节课</strong>
      </p>
      <ol>
        {lessons.map(({ id, class_name, start_time, lecturer_name, room_name, status }) => (
          <li key={id}>
            <NearMoment at={start_time} /> {class_name} {lecturer_name} {room_name}
            {status !== 2 && <strong>（{sessionStatusNames[status]}）</strong>}
          </li>
        ))}
      </ol>
      {children}
    </Screen>
  );
}
