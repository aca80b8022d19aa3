/** The dialog that chooses the course (document 1, sections 2 and 5). */
import { data } from 'react-router';
import { chooseCourse } from '#server/homework/contract.ts';
import { api } from '../../api.server.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { controlClass } from '../../ui/field.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import type { Route } from './+types/course';
import { backWith, closeHref, formBehind } from './chosen.server.ts';
import styles from './dialogs.module.css';
import { withCourse } from './form.ts';

export const meta: Route.MetaFunction = () => [{ title: '选择课程 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { course_basis_id } = await formBehind(client, url.searchParams);
  const title = url.searchParams.get('title') ?? '';
  const courses = await client.send(chooseCourse, { query: { is_create_hw: 1, title } });
  const kept = [...url.searchParams].filter(([name]) => name !== 'title');
  return { courses, title, kept, present: course_basis_id, closeHref: closeHref(url.searchParams) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const chosen = String((await request.formData()).get('course_id') ?? '');
  if (chosen === '') return data({ msg: '请选择一门课程' }, { status: 422 });
  return backWith(client, withCourse(await formBehind(client, url.searchParams), chosen), url.searchParams);
}

export default function ChooseCourse({ loaderData, actionData }: Route.ComponentProps) {
  const { courses, title, kept, present, closeHref: close } = loaderData;
  const cleared = `/homework/publish/course?${new URLSearchParams(kept)}`;
  return (
    <Dialog title="选择课程" closeHref={close} message={actionData?.msg} width={640}>
      <form action="/homework/publish/course" className={styles.search} aria-label="查找课程">
        <HiddenFields fields={kept} />
        <input
          type="search"
          name="title"
          defaultValue={title}
          aria-label="课程名称"
          placeholder="课程名称"
          maxLength={200}
          className={controlClass}
        />
        <button type="submit" className={buttonClass('plain')}>
          查询
        </button>
      </form>
      <form method="post">
        <ul className={styles.choices}>
          {courses.map((course) => (
            <li key={course.id} data-child={course.parent_id !== null && title === '' ? true : undefined}>
              <label>
                <input type="radio" name="course_id" value={course.id} defaultChecked={String(course.id) === present} />
                <span>
                  {course.title}
                  {title !== '' && course.parent_title && <small>{course.parent_title}</small>}
                </span>
                {course.children_count > 0 && <small>{course.children_count} 个子课程</small>}
              </label>
            </li>
          ))}
        </ul>
        {courses.length === 0 && (
          <p className={styles.empty}>
            {title === '' ? (
              '暂无可布置作业的课程'
            ) : (
              <>
                没有符合条件的课程，<a href={cleared}>清除筛选</a>
              </>
            )}
          </p>
        )}
        <DialogButtons closeHref={close} submit="确定" disabled={courses.length === 0} />
      </form>
    </Dialog>
  );
}
