/** Page of a scheduled lesson. Redirects to the address of its class type. */
import { redirect } from 'react-router';
import { listLessonMaterials } from '#server/courseware/contract.ts';
import { showSessionRoll, undoSessionRoll } from '#server/group-classes/contract.ts';
import { sessionHomework as listHomework } from '#server/homework/session.contract.ts';
import { sessionStudents as listStudents, sessionDetail as showDetail } from '#server/sessions/contract.ts';
import { cancelledStatus } from '#server/sessions/rules.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { RollUndo } from '../attendance/roll-undo.tsx';
import { AddLessonMaterials, LessonMaterials } from '../courseware/lesson-materials.tsx';
import { redirectToGrading } from '../grading/start.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { pathOf } from '../lib/link.ts';
import { finishForm, readButton, readPostedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { usePerson } from '../ui/use-school.ts';
import type { Route } from './+types/session';
import {
  handout,
  leave,
  sessionDetail,
  sessionHomework,
  sessionManage,
  sessionScreens,
  sessionStudents,
} from './screens.ts';
import styles from './session.posts.module.css';
import { SessionHandout } from './session-handout.tsx';
import { SessionHead, SessionInformation } from './session-head.tsx';
import { homeworkColumns } from './session-homework.tsx';
import { studentColumns } from './session-students.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '我的排课', href: sessionManage.href() }, { label: '课次详情' }],
};

const tabNames = { students: '学员列表', homework: '作业列表' } as const;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? titleMeta(tabNames[loaderData.shown.tab], loaderData.session.class_name) : titleMeta('课次详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { settings, permissions, identity } = signedInPerson(context);
  const { id, tab } = sessionScreens.at(url);
  const [session, wares] = await Promise.all([
    client.send(showDetail, { params: { id } }),
    client.send(listLessonMaterials, { query: { times_id: id } }),
  ]);
  const own = sessionDetail(session);
  if (!own.covers(url.pathname)) throw redirect(pathOf(own.href({ id })) + url.search);
  // No homework is shown if the homework module is off or the lesson is cancelled.
  const hasHomework = settings.class_homework_module && session.status !== cancelledStatus;
  const shown = await (hasHomework && tab === 'homework'
    ? loadHomework(client, url)
    : loadStudents(client, url, identity === 'assist'));
  const may = { dispatch: permissions.includes('dispatch'), correct: permissions.includes('correct') };
  return { session, wares, hasHomework, may, shown, idempotencyKey: crypto.randomUUID() };
}

/** Loads the students. If `marks` is true, the user may set attendance, and the last change can be undone. */
async function loadStudents(client: ApiClient, url: URL, marks: boolean) {
  const { place, filter } = sessionStudents.at(url);
  const params = { id: place.id };
  const [students, roll] = await Promise.all([
    client.send(listStudents, { params, filter }),
    marks ? client.send(showSessionRoll, { params }) : undefined,
  ]);
  return { tab: 'students', students, undoable: roll?.undoable ?? null } as const;
}

/** Handles the buttons: 去批改 starts grading, 撤销 undoes a roll call. */
export async function action(sent: Route.ActionArgs) {
  const { request, context, url } = sent;
  const form = await readPostedForm(request, context);
  const [button, rollId = ''] = readButton(form, 'undo', 'start');
  if (button === 'start') return redirectToGrading(sent, sessionScreens.here(url));
  const idempotencyKey = idempotencyField(form);
  const undone = await context.get(api).ask(undoSessionRoll, { params: { rollId }, idempotencyKey });
  return finishForm(context, undone, sessionStudents.at(url).here, form);
}

async function loadHomework(client: ApiClient, url: URL) {
  const { place, filter } = sessionHomework.at(url);
  const homework = await client.send(listHomework, { filter: { ...filter, type: 3, type_id: place.id } });
  return { tab: 'homework', homework } as const;
}

export default function SessionScreen({ loaderData }: Route.ComponentProps) {
  const { session, wares, hasHomework, may, shown, idempotencyKey } = loaderData;
  const isLecturer = usePerson()?.identity === 'teacher';
  const [students, homework] = [useAddress(sessionStudents), useAddress(sessionHomework)];
  const { here } = shown.tab === 'students' ? students : homework;
  const detail = sessionDetail(session);
  const homeworkHref = detail.href({ id: session.id, tab: 'homework' });
  const isOpen = session.status !== cancelledStatus;
  return (
    <Screen className={styles.page}>
      <SessionHead
        session={session}
        isLecturer={isLecturer}
        leaveHref={leave.href(here)}
        publishes={may.dispatch && hasHomework}
        homeworkHref={homeworkHref}
      />
      {!isOpen && (
        <p className={styles.cancelled} role="status">
          老师或学员请假，该课次已取消
        </p>
      )}
      <SessionInformation session={session} />
      <section aria-label="学员与作业" className={styles.tabs}>
        <Tabs
          label="学员与作业"
          current={shown.tab}
          tabs={[
            { key: 'students', label: tabNames.students, href: detail.href({ id: session.id }) },
            ...(hasHomework ? [{ key: 'homework', label: tabNames.homework, href: homeworkHref }] : []),
          ]}
        />
        {shown.tab === 'students' && <RollUndo roll={shown.undoable} action={here} idempotencyKey={idempotencyKey} />}
        {shown.tab === 'students' ? (
          <List
            view={students}
            result={shown.students}
            caption="学员列表"
            columns={studentColumns({ session, isLecturer, here })}
            nothing="该课次还没有学员"
          />
        ) : (
          <List
            view={homework}
            result={shown.homework}
            caption="作业列表"
            columns={homeworkColumns(may.correct)}
            rowKey={({ hw_id }) => hw_id}
            nothing="该课次还没有布置作业"
            around={(table) => <Form action={here}>{table}</Form>}
          />
        )}
      </section>
      <SessionHandout session={session} uploadHref={handout.href(here)} />
      <section aria-labelledby="wares">
        <div className={styles.sectionHead}>
          <h2 id="wares">直播课件</h2>
          {isOpen && <AddLessonMaterials lesson={session} back={here} />}
        </div>
        <LessonMaterials wares={wares} lesson={session} back={here} />
      </section>
    </Screen>
  );
}
