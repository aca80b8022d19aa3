/** Where the class screens stand. */
import * as v from 'valibot';
import { LeaveFilter, Paged, StudyFilter } from '#server/attendance/contract.ts';
import { CalendarSearch } from '#server/calendar/contract.ts';
import { ClassFilter, ClassStudentFilter } from '#server/classes/contract.ts';
import { missingClass } from '#server/classes/rules.ts';
import { ClassWareFilter, WareFilter } from '#server/courseware/contract.ts';
import { ClassHomeworkFilter } from '#server/homework/contract.ts';
import { SearchId, SearchIds, SearchText, searchWord } from '#server/platform/calls/fields.ts';
import { beneath, dialog, listScreen, oneOf, ScreenId, screen, UsuallyTicked } from '../lib/screen.ts';

export const classManage = screen('ClassManage', '/classes');
/** `only_mine`: a lecturer's list holds the classes that they lead unless it is told to show all. */
export const classList = listScreen(
  classManage,
  v.object({ ...v.omit(ClassFilter, ['only_mine']).entries, only_mine: UsuallyTicked }),
  {},
  ['only_mine'],
);
export const classSchedule = dialog(':id/schedule');

export const classTabs = [
  'students',
  'courses',
  'homework',
  'study',
  'courseware',
  'calendar',
  'leave',
  'circle',
  'notice',
  'meeting',
] as const;
export type ClassTab = (typeof classTabs)[number];

export const classDetail = screen(
  'ClassDetail',
  '/classes/detail',
  { id: ScreenId, tab: oneOf(classTabs, 'students') },
  missingClass,
);

/** `only_in`: who has left is shown only where the address says so. */
export const classStudents = listScreen(
  classDetail,
  v.object({ ...v.omit(ClassStudentFilter, ['class_id']).entries, only_in: UsuallyTicked }),
  { tab: 'students' },
  ['only_in'],
);
export const classHomework = listScreen(classDetail, ClassHomeworkFilter, { tab: 'homework' });
export const classStudy = listScreen(classDetail, StudyFilter, { tab: 'study' });
export const classCalendar = listScreen(classDetail, CalendarSearch, { tab: 'calendar' });
/** `chosen`: every request that waits is ticked. */
export const classLeave = listScreen(
  classDetail,
  v.object({ ...LeaveFilter.entries, chosen: searchWord(['pending']) }),
  {
    tab: 'leave',
  },
);
export const classCircle = listScreen(classDetail, Paged, { tab: 'circle' });
export const classNotices = listScreen(classDetail, Paged, { tab: 'notice' });
export const classMeetings = listScreen(classDetail, Paged, { tab: 'meeting' });

/** From the library: `ware_id` are those ticked so far, on whichever page. */
export const wareChoice = dialog('wares/choose', { ...WareFilter.entries, ware_id: SearchIds });
export const classWares = beneath(
  wareChoice,
  listScreen(classDetail, v.omit(ClassWareFilter, ['class_id']), { tab: 'courseware' }),
);

/** The choice as a list of its own. */
export const wareChoiceList = listScreen(
  screen('classes/wares/choose', '/classes/detail/wares/choose', {
    id: ScreenId,
    tab: v.fallback(v.optional(v.literal('courseware')), undefined),
  }),
  WareFilter,
);

/** The upload is handed on unread: its key and its class stand in the address of the form. */
const upload = { class_id: SearchId, key: SearchText };
export const wareAdd = dialog('wares/add', upload);
export const wareEdit = dialog('wares/:ware/edit', upload);
export const wareRemoval = dialog('wares/:ware/remove');
