/** The one list of how each tab of a class is shown. */
import type { ComponentType } from 'react';
import { CalendarTab } from './calendar.tsx';
import { CircleTab } from './circle.tsx';
import { CoursesTab } from './courses.tsx';
import { CoursewareTab } from './courseware.tsx';
import { HomeworkTab } from './homework.tsx';
import { LeaveTab } from './leave.tsx';
import { MeetingTab } from './meeting.tsx';
import { NoticeTab } from './notice.tsx';
import { StudentsTab } from './students.tsx';
import { StudyTab } from './study.tsx';
import type { ClassTab, TabViewProps } from './tab.ts';
import type { tabLoaders } from './tab-loaders.server.ts';

type Loaders = typeof tabLoaders;

const tabViews: { [Tab in ClassTab]: ComponentType<TabViewProps<Loaders[Tab]>> } = {
  students: StudentsTab,
  courses: CoursesTab,
  homework: HomeworkTab,
  study: StudyTab,
  courseware: CoursewareTab,
  calendar: CalendarTab,
  leave: LeaveTab,
  circle: CircleTab,
  notice: NoticeTab,
  meeting: MeetingTab,
};

/** `data` is what the loader of `tab` gave. */
export function TabView({ tab, ...shown }: { tab: ClassTab } & TabViewProps<Loaders[ClassTab]>) {
  // The list above pairs each view with its loader; that `tab` and `data` belong together is the screen's doing.
  const View = tabViews[tab] as ComponentType<TabViewProps<Loaders[ClassTab]>>;
  return <View {...shown} />;
}
