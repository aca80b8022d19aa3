/** 考勤详情, over AttendInfo: the attendance of one period. While a dialog for an action is open, it is shown instead. */
import { useOutlet, useRouteLoaderData } from 'react-router';
import * as v from 'valibot';
import { exportCourseStudy, LessonExtra, type LessonStudent, lessonStudents } from '#server/attendance/contract.ts';
import { undoPeriodRoll } from '#server/attendance/roll.contract.ts';
import { actionName, actionsFor, categoryNames, opStatuses, statusName } from '#server/attendance/rules.ts';
import { offlineCourse } from '#server/classes/rules.ts';
import { api } from '../api/client.server.ts';
import { withExtra } from '../api/with-extra.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn, mobileColumn } from '../ui/columns.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ExportButton } from '../ui/export-button.tsx';
import { List } from '../ui/list.tsx';
import { useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import type { Route } from './+types/lesson';
import type { loader as courseLoader } from './course.tsx';
import { RollUndo } from './roll-undo.tsx';
import { attendanceMark, courseAttendance, courseIds, periodAttendance } from './screens.ts';
import { StatusWord } from './status-word.tsx';

export const meta: Route.MetaFunction = () => titleMeta('考勤详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { courseId: id, classId } = courseIds(url);
  const {
    place: { period_id },
    filter,
  } = periodAttendance.at(url);
  const outcome = await context.get(api).ask(lessonStudents, {
    params: { id, classId },
    filter: { ...filter, period_id },
  });
  const { data: students, extra } = withExtra(outcome, v.fallback(LessonExtra, { undoable: null }));
  return { periodId: period_id, students, undoable: extra.undoable, ...periodAttendance.opened(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [button, rollId = ''] = readButton(form, 'undo', 'export');
  if (button === 'export') {
    const { courseId: id, classId } = courseIds(url);
    const { place, filter } = periodAttendance.at(url);
    const { nickname, op_status, counted } = filter;
    const body = { id, class: classId, period_id: place.period_id, nickname, op_status, counted };
    return redirectToFile(context, await context.get(api).ask(exportCourseStudy, { body }), url);
  }
  const idempotencyKey = idempotencyField(form);
  const undone = await context.get(api).ask(undoPeriodRoll, { params: { rollId }, idempotencyKey });
  return finishForm(context, undone, periodAttendance.at(url).here, form);
}

/** Counts by which the list can be filtered. Only face-to-face courses have periods without a roll call. */
const filterCounts = (courseType: number) =>
  (['attended', 'leave', 'truant', 'uncalled', 'waiting'] as const).filter(
    (one) => one !== 'uncalled' || courseType === offlineCourse,
  );

export default function Lesson({
  loaderData: { periodId, students, undoable, closeHref, idempotencyKey },
}: Route.ComponentProps) {
  const question = useOutlet();
  const view = useAddress(periodAttendance);
  const course = useRouteLoaderData<typeof courseLoader>(courseAttendance.id);
  if (question) return question;
  if (!course) return null;
  const lesson = course.lessons.list.find(({ id }) => id === periodId);
  const { course_type } = course.course;
  const { filter } = view;
  return (
    <Dialog title={`考勤详情${lesson ? `：${lesson.title}` : ''}`} closeHref={closeHref} width={860}>
      {lesson && (
        <p>
          应到 {lesson.total_num}，出勤 {lesson.attend_num}，请假 {lesson.leave_num}，旷课 {lesson.truant_num}
          {lesson.uncalled_num > 0 && `，未点名 ${lesson.uncalled_num}`}
        </p>
      )}
      <RollUndo roll={undoable} action={view.here} idempotencyKey={idempotencyKey} />
      <List<LessonStudent>
        view={view}
        result={students}
        caption="学员考勤"
        columns={[
          { key: 'nickname', header: '学员', minWidth: 140, cell: (row) => row.nickname },
          mobileColumn(),
          {
            key: 'op_status',
            header: '考勤状态',
            nowrap: true,
            sortField: 'op_status',
            cell: (row) => (
              <>
                <StatusWord
                  id={`cause-${row.uid}`}
                  status={row.op_status}
                  cause={row.leave_cause}
                  courseType={course_type}
                />
                {row.op_status === 2 && row.watched_live === 1 && <SubLine>看了直播</SubLine>}
                {row.counted === 'truant' && row.op_status !== 5 && <SubLine>计为旷课</SubLine>}
              </>
            ),
          },
          actionsColumn(({ uid, nickname, op_status, has_begun }) =>
            actionsFor(op_status, { courseType: course_type, begun: has_begun === 1 }).map((action) => ({
              label: actionName(action, op_status),
              recordName: nickname,
              href: attendanceMark.href(view.here, { uid, action }),
            })),
          ),
        ]}
        rowKey={(row) => row.uid}
        nothing="该课时开始时班级没有学员"
        nothingFound="没有符合条件的学员"
        filters={{
          first: [
            { label: '学员/手机号', name: 'nickname', value: filter.nickname },
            {
              label: '考勤状态',
              name: 'op_status',
              value: filter.op_status,
              choices: opStatuses
                .filter((status) => status !== 6)
                .map((status) => [status, statusName(status, course_type)] as const),
            },
            {
              label: '计为',
              name: 'counted',
              value: filter.counted,
              choices: filterCounts(course_type).map((one) => [one, categoryNames[one]] as const),
            },
          ],
        }}
        actions={<ExportButton action={view.here} />}
      />
    </Dialog>
  );
}
