/** Loads ClassDetail: the header and the chosen tab. Handles forms that are posted to a tab. */

import { data } from 'react-router';
import * as v from 'valibot';
import { classStudy, exportClassStudy, StudyExtra } from '#server/attendance/contract.ts';
import { leavePulse, listLeave, undoableLeave } from '#server/attendance/leave.contract.ts';
import { type ClassDetail, listClassCourses, listClassStudents, showClass } from '#server/classes/contract.ts';
import { inClassStatus, isCircleShown, missingClassCircle } from '#server/classes/rules.ts';
import { classPosts } from '#server/community/contract.ts';
import { listClassMaterials } from '#server/courseware/contract.ts';
import { listClassHomework } from '#server/homework/contract.ts';
import { listMeetings } from '#server/meetings/contract.ts';
import { listNotices } from '#server/notices/contract.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { withExtra } from '../api/with-extra.server.ts';
import { handleLeaveButtons } from '../attendance/leave-actions.server.ts';
import { loadCalendar } from '../calendar/calendar.server.ts';
import { submitPost } from '../community/post-form.server.ts';
import { redirectToGrading } from '../grading/start.server.ts';
import { loadHomeworkSuggestions } from '../homework/names.server.ts';
import { readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import type { FormRequest, RequestContext } from '../shell/form-request.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import {
  type ClassTab,
  classCalendar,
  classCircle,
  classDetail,
  classHomework,
  classLeave,
  classMaterials,
  classMeetings,
  classNotices,
  classStudents,
  classStudy as classStudyList,
} from './screens.ts';

export async function loadDetail(context: RequestContext, url: URL) {
  const { settings } = signedInPerson(context);
  const client = context.get(api);
  const { id, tab } = classDetail.at(url);
  const theClass = await client.send(showClass, { params: { id } });
  const hasCircle = isCircleShown(theClass, settings);
  if (tab === 'circle' && !hasCircle) throw data({ msg: missingClassCircle }, { status: 404 });
  const [shown, { pending }] = await Promise.all([
    loadTab({ client, context, url, timezone: settings.timezone }),
    client.send(leavePulse, { params: { classId: id } }),
  ]);
  return { theClass, shown, hasCircle, pending, now: client.now() };
}

export type TabData = Awaited<ReturnType<typeof loadTab>>;

export interface TabProps<Tab extends ClassTab> {
  shown: Extract<TabData, { tab: Tab }>;
  theClass: ClassDetail;
}

interface TabRequest {
  client: ApiClient;
  context: RequestContext;
  url: URL;
  timezone: string;
}

async function loadTab({ client, context, url, timezone }: TabRequest) {
  const { id, tab } = classDetail.at(url);
  const params = { classId: id };
  switch (tab) {
    case 'students': {
      const { only_in, ...filter } = classStudents.at(url).filter;
      // The checkbox 仅展示在班人员 overrides the filter by status.
      const query = { ...filter, status: only_in ? inClassStatus : filter.status, class_id: id };
      return { tab, students: await client.send(listClassStudents, { query }) };
    }
    case 'courses':
      // The tab shows cards without a pager, so it loads all courses.
      return { tab, courses: await client.send(listClassCourses, { query: { class_id: id, limit: maxListLimit } }) };
    case 'homework': {
      const [homework, names] = await Promise.all([
        client.send(listClassHomework, { params, filter: classHomework.at(url).filter }),
        loadHomeworkSuggestions(context, client, id),
      ]);
      return { tab, homework, names };
    }
    case 'study': {
      const outcome = await client.ask(classStudy, { params, filter: classStudyList.at(url).filter });
      const { data: study, extra } = withExtra(outcome, v.fallback(StudyExtra, { schools: [] }));
      return { tab, study, schools: extra.schools };
    }
    case 'courseware': {
      const filter = { ...classMaterials.at(url).filter, class_id: id };
      return { tab, wares: await client.send(listClassMaterials, { filter }) };
    }
    case 'calendar': {
      const { filter } = classCalendar.at(url);
      return { tab, calendar: await loadCalendar({ client, filter, timezone, classId: id }) };
    }
    case 'leave': {
      const { chosen: _, ticked: __, ...query } = classLeave.at(url).filter;
      const [leave, undoable, { mark, pending }] = await Promise.all([
        client.send(listLeave, { params, query }),
        client.send(undoableLeave, { params }),
        client.send(leavePulse, { params }),
      ]);
      return { tab, leave, undoable, mark, pending, idempotencyKey: crypto.randomUUID() };
    }
    case 'circle': {
      const posts = await client.send(classPosts, { params, filter: classCircle.at(url).filter });
      return { tab, posts, idempotencyKey: crypto.randomUUID() };
    }
    case 'notice': {
      const notices = await client.send(listNotices, { filter: { ...classNotices.at(url).filter, class_id: id } });
      // Leaves out the texts of the notices, which may be long.
      return { tab, notices: { ...notices, list: notices.list.map(({ content: _, ...row }) => row) } };
    }
    case 'meeting':
      return { tab, meetings: await client.send(listMeetings, { params, filter: classMeetings.at(url).filter }) };
  }
}

/** Handles forms posted to the tab's own address. Forms of dialogs are posted to the dialog's route. */
export async function handleTabForm(request: FormRequest): Promise<ReturnType<typeof data<RefusedForm>>> {
  const { id, tab } = classDetail.at(request.url);
  if (tab === 'homework') return redirectToGrading(request, classHomework.at(request.url).here, id);
  if (tab === 'study') return exportStudy(request);
  if (tab === 'leave') return handleLeaveButtons(request, classLeave.at(request.url).without('chosen', 'ticked').here);
  if (tab === 'circle') return submitPost(request, { class_id: id }, classCircle.href({ id }));
  throw data({ msg: '页面不存在' }, { status: 404 });
}

/** Handles the button 导出: exports the students that the list shows. */
async function exportStudy({ request, context, url }: FormRequest): Promise<never> {
  readButton(await readPostedForm(request, context), 'export');
  const { filter, place } = classStudyList.at(url);
  const { nickname, mobile, org_id } = filter;
  const body = { class_id: place.id, nickname, mobile, org_id };
  return redirectToFile(context, await context.get(api).ask(exportClassStudy, { body }), url);
}
