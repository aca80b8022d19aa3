/** A group class with its students, attendance and homework. */
import {
  classAttendance,
  teamStudents as listStudents,
  showSessionRoll,
  showTeamClass,
  teamSessions,
  undoSessionRoll,
} from '#server/group-classes/contract.ts';
import { teamHomework as listHomework } from '#server/homework/session.contract.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { RollUndo } from '../attendance/roll-undo.tsx';
import { redirectToGrading } from '../grading/start.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { homeworkColumns } from '../sessions/session-homework.tsx';
import { finishForm, readButton, readPostedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/detail';
import { AttendanceGrid } from './attendance-grid.tsx';
import { ClassHead } from './class-head.tsx';
import { teamDetail, teamHomework, teamManage, teamStudents } from './screens.ts';
import { studentColumns } from './student-columns.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '团课管理', href: teamManage.href() }, { label: '班级详情' }] };

const tabNames = { 1: '在读学员', 2: '考勤', 3: '作业' } as const;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? titleMeta(tabNames[loaderData.shown.tab], loaderData.team.class_name) : titleMeta('团课班级详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { settings, permissions } = signedInPerson(context);
  const { class_homework_module } = settings;
  const { id, tab, at } = teamDetail.at(url);
  const [team, shown] = await Promise.all([
    client.send(showTeamClass, { params: { id } }),
    tab === '2'
      ? loadAttendance(client, id, at?.[0])
      : tab === '3' && class_homework_module
        ? loadHomework(client, url)
        : loadStudents(client, url),
  ]);
  return { team, shown, class_homework_module, mayCorrect: permissions.includes('correct') };
}

async function loadStudents(client: ApiClient, url: URL) {
  const { place, filter } = teamStudents.at(url);
  return { tab: '1', students: await client.send(listStudents, { params: { id: place.id }, filter }) } as const;
}

/** Loads the tab 考勤. `changed`: id of the lesson whose cell was changed last. */
async function loadAttendance(client: ApiClient, id: number, changed: number | undefined) {
  const [sessions, students] = await Promise.all([
    client.send(teamSessions, { params: { id }, query: { limit: maxListLimit } }),
    client.send(classAttendance, { params: { id } }),
  ]);
  const isTheirs = sessions.list.some((session) => session.id === changed);
  const roll = isTheirs && changed ? await client.send(showSessionRoll, { params: { id: changed } }) : undefined;
  const undoable = roll?.undoable ?? null;
  return { tab: '2', sessions: sessions.list, students, undoable, idempotencyKey: crypto.randomUUID() } as const;
}

/** Handles the buttons: 去批改 starts grading, 撤销 undoes a roll call. */
export async function action(sent: Route.ActionArgs) {
  const { request, context, url } = sent;
  const form = await readPostedForm(request, context);
  const [button, rollId = ''] = readButton(form, 'undo', 'start');
  if (button === 'start') return redirectToGrading(sent, teamDetail.here(url));
  const idempotencyKey = idempotencyField(form);
  const undone = await context.get(api).ask(undoSessionRoll, { params: { rollId }, idempotencyKey });
  return finishForm(context, undone, teamDetail.here(url), form);
}

async function loadHomework(client: ApiClient, url: URL) {
  const { place, filter } = teamHomework.at(url);
  return {
    tab: '3',
    homework: await client.send(listHomework, { filter: { ...filter, type: 3, class_id: place.id } }),
  } as const;
}

export default function CurriculumDetail({ loaderData }: Route.ComponentProps) {
  const { team, shown, class_homework_module, mayCorrect } = loaderData;
  const { id, at } = useAddress(teamDetail);
  return (
    <Screen>
      <ClassHead team={team} />
      <Tabs
        label="团课班级"
        current={shown.tab}
        tabs={[
          { key: '1', label: tabNames[1], href: teamDetail.href({ id }) },
          { key: '2', label: tabNames[2], href: teamDetail.href({ id, tab: '2' }) },
          ...(class_homework_module ? [{ key: '3', label: tabNames[3], href: teamDetail.href({ id, tab: '3' }) }] : []),
        ]}
      />
      {shown.tab === '1' && <ClassStudents students={shown.students} />}
      {shown.tab === '2' && (
        <RollUndo
          roll={shown.undoable}
          action={teamDetail.href({ id, tab: '2', at })}
          idempotencyKey={shown.idempotencyKey}
        />
      )}
      {shown.tab === '2' && <AttendanceGrid classId={id} sessions={shown.sessions} students={shown.students} at={at} />}
      {shown.tab === '3' && <ClassHomework homework={shown.homework} mayCorrect={mayCorrect} />}
    </Screen>
  );
}

function ClassStudents({ students }: Pick<Awaited<ReturnType<typeof loadStudents>>, 'students'>) {
  return (
    <List
      view={useAddress(teamStudents)}
      result={students}
      caption="在读学员"
      columns={studentColumns}
      rowKey={({ clue_id }) => clue_id}
      nothing="该班级还没有学员"
    />
  );
}

function ClassHomework({
  homework,
  mayCorrect,
}: Pick<Awaited<ReturnType<typeof loadHomework>>, 'homework'> & { mayCorrect: boolean }) {
  const view = useAddress(teamHomework);
  const { hw_name, start_time, end_time } = view.filter;
  return (
    <div>
      <List
        view={view}
        result={homework}
        caption="作业列表"
        columns={homeworkColumns(mayCorrect)}
        rowKey={({ hw_id }) => hw_id}
        nothing="该班级还没有作业"
        around={(table) => <Form action={view.here}>{table}</Form>}
        nothingFound="没有符合条件的作业"
        filters={{
          first: [
            { label: '作业名称', name: 'hw_name', value: hw_name },
            { label: '发布时间', from: ['start_time', start_time], to: ['end_time', end_time] },
          ],
        }}
      />
    </div>
  );
}
