/** The one list of what each tab of a class loads and takes. */
import type { data } from 'react-router';
import { loadCalendarTab } from './calendar.server.ts';
import { actCircleTab, loadCircleTab } from './circle.server.ts';
import { loadCoursesTab } from './courses.server.ts';
import { loadCoursewareTab } from './courseware.server.ts';
import { loadHomeworkTab } from './homework.server.ts';
import { actLeaveTab, loadLeaveTab } from './leave.server.ts';
import { loadMeetingTab } from './meeting.server.ts';
import { loadNoticeTab } from './notice.server.ts';
import { loadStudentsTab } from './students.server.ts';
import { actStudyTab, loadStudyTab } from './study.server.ts';
import type { ClassTab, TabPost, TabRefusal } from './tab.ts';

export const tabLoaders = {
  students: loadStudentsTab,
  courses: loadCoursesTab,
  homework: loadHomeworkTab,
  study: loadStudyTab,
  courseware: loadCoursewareTab,
  calendar: loadCalendarTab,
  leave: loadLeaveTab,
  circle: loadCircleTab,
  notice: loadNoticeTab,
  meeting: loadMeetingTab,
};

type TabAction = (asked: TabPost) => Promise<ReturnType<typeof data<TabRefusal>>>;

/** Forms that are posted to the tab's own address; dialogs are routes of their own. */
export const tabActions: Partial<Record<ClassTab, TabAction>> = {
  study: actStudyTab,
  leave: actLeaveTab,
  circle: actCircleTab,
};
