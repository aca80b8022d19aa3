/**
 * One scheduled lesson (document 3, section 2): CurriculumTimeDetail for a lesson of a group class, OtoTimeDetail
 * otherwise. Whichever of the two is asked for, the lesson's own one answers.
 */
import { data, redirect, useOutlet } from 'react-router';
import { listLessonWares } from '#server/courseware/contract.ts';
import { sessionHomework } from '#server/homework/contract.ts';
import { cancelled, sessionDetail, sessionStudents } from '#server/sessions/contract.ts';
import { type ApiClient, api } from '../api.server.ts';
import { LessonWares, lessonAddress } from '../courseware/lesson-wares.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { usePerson } from '../shell/use-school.ts';
import { buttonClass } from '../ui/button.tsx';
import { Pager } from '../ui/pager.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/session';
import { type SessionView, sessionDialog, sessionHref, sessionPath } from './address.ts';
import styles from './session.module.css';
import { SessionHandout } from './session-handout.tsx';
import { SessionHead, SessionInformation } from './session-head.tsx';
import { SessionHomeworkTable } from './session-homework.tsx';
import { SessionStudents } from './session-students.tsx';

export const handle = { crumbs: [{ label: '我的排课', href: '/sessions' }, { label: '课次详情' }] };

export const meta: Route.MetaFunction = () => [{ title: '课次详情 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { settings, permissions } = signedInPerson(context);
  const id = url.searchParams.get('id') ?? '';
  if (!/^\d{1,9}$/.test(id)) throw data({ msg: '课次不存在' }, { status: 404 });
  const [session, wares] = await Promise.all([
    client.send(sessionDetail, { params: { id } }),
    client.send(listLessonWares, { query: { times_id: id } }),
  ]);
  if (!url.pathname.startsWith(sessionPath(session))) throw redirect(sessionPath(session) + url.search);
  // Hidden with the module off, and of a lesson that does not take place (document 3, section 6).
  const hasHomework = settings.class_homework_module && session.status !== cancelled;
  const page = url.searchParams.get('page') ?? undefined;
  const tab = hasHomework && url.searchParams.get('tab') === 'homework' ? ('homework' as const) : ('students' as const);
  const shown = await (tab === 'homework' ? loadHomework(client, id, page) : loadStudents(client, id, page));
  return { session, wares, hasHomework, mayDispatch: permissions.includes('dispatch'), ...shown };
}

const loadStudents = async (client: ApiClient, id: string, page: string | undefined) => ({
  tab: 'students' as const,
  students: await client.send(sessionStudents, { params: { id }, query: { page } }),
});

const loadHomework = async (client: ApiClient, id: string, page: string | undefined) => ({
  tab: 'homework' as const,
  homework: await client.send(sessionHomework, { query: { type: 3, type_id: id, page } }),
});

export default function SessionScreen({ loaderData }: Route.ComponentProps) {
  const { session, wares, hasHomework, mayDispatch } = loaderData;
  const dialog = useOutlet();
  const isLecturer = usePerson()?.identity === 'teacher';
  const view: SessionView =
    loaderData.tab === 'homework'
      ? { tab: 'homework', page: loaderData.homework.page }
      : { page: loaderData.students.page };
  const place = { times_id: session.id, times_type: session.class_type, back: sessionHref(session, view) };
  const isOpen = session.status !== cancelled;
  return (
    <>
      <main inert={dialog !== null} className={styles.page}>
        <SessionHead
          session={session}
          isLecturer={isLecturer}
          leaveHref={sessionDialog(session, '/leave', view)}
          publishes={mayDispatch && hasHomework}
        />
        {!isOpen && (
          <p className={styles.cancelled} role="status">
            老师或学员请假，该课次已取消
          </p>
        )}
        <SessionInformation session={session} />
        <SessionHandout session={session} uploadHref={sessionDialog(session, '/handout', view)} />
        <section aria-labelledby="wares">
          <div className={styles.sectionHead}>
            <h2 id="wares">直播课件</h2>
            {isOpen && (
              <div className="no-print">
                <a href={lessonAddress('choose', place)} className={buttonClass('plain')}>
                  从课件库选择
                </a>
                <a href={lessonAddress('upload', place)} className={buttonClass('plain')}>
                  上传课件
                </a>
              </div>
            )}
          </div>
          <LessonWares wares={wares} removeHref={(ware) => lessonAddress(`${ware.id}/remove`, place)} />
        </section>
        <section aria-label="学员与作业" className={styles.tabs}>
          <Tabs
            label="学员与作业"
            current={loaderData.tab}
            tabs={[
              { key: 'students', label: '学员列表', href: sessionHref(session) },
              ...(hasHomework
                ? [{ key: 'homework', label: '作业列表', href: sessionHref(session, { tab: 'homework' }) }]
                : []),
            ]}
          />
          {loaderData.tab === 'students' ? (
            <>
              <SessionStudents session={session} students={loaderData.students} isLecturer={isLecturer} />
              <Pager {...loaderData.students} href={(page) => sessionHref(session, { page })} />
            </>
          ) : (
            <>
              <SessionHomeworkTable homework={loaderData.homework.list} empty="该课次还没有布置作业" />
              <Pager {...loaderData.homework} href={(page) => sessionHref(session, { tab: 'homework', page })} />
            </>
          )}
        </section>
      </main>
      {dialog}
    </>
  );
}
