/** Renders the tab that the loader has loaded. */
import type { ClassDetail } from '#server/classes/contract.ts';
import { Calendar } from '../../calendar/calendar.tsx';
import type { RefusedForm } from '../../ui/form-state.ts';
import type { TabData } from '../detail.server.ts';
import { classCalendar } from '../screens.ts';
import { CircleTab } from './circle.tsx';
import { CoursesTab } from './courses.tsx';
import { CoursewareTab } from './courseware.tsx';
import { HomeworkTab } from './homework.tsx';
import { LeaveTab } from './leave.tsx';
import { MeetingTab } from './meeting.tsx';
import { NoticeTab } from './notice.tsx';
import { StudentsTab } from './students.tsx';
import { StudyTab } from './study.tsx';

interface TabViewProps {
  shown: TabData;
  theClass: ClassDetail;
  /** Server time in unix seconds. */
  now: number;
  refused: RefusedForm | undefined;
}

export function TabView({ shown, theClass, now, refused }: TabViewProps) {
  switch (shown.tab) {
    case 'students':
      return <StudentsTab shown={shown} theClass={theClass} />;
    case 'courses':
      return <CoursesTab shown={shown} theClass={theClass} />;
    case 'homework':
      return <HomeworkTab shown={shown} theClass={theClass} now={now} />;
    case 'study':
      return <StudyTab shown={shown} theClass={theClass} />;
    case 'courseware':
      return <CoursewareTab shown={shown} theClass={theClass} />;
    case 'calendar':
      return <Calendar data={shown.calendar} address={classCalendar} isOwn={false} />;
    case 'leave':
      return <LeaveTab shown={shown} theClass={theClass} refused={refused} />;
    case 'circle':
      return <CircleTab shown={shown} theClass={theClass} refused={refused} />;
    case 'notice':
      return <NoticeTab shown={shown} theClass={theClass} />;
    case 'meeting':
      return <MeetingTab shown={shown} theClass={theClass} />;
  }
}
