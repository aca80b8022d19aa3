/** Dialog that chooses the course of the homework. */
import { Button, Input } from '@mantine/core';
import { missingCourse } from '#server/classes/rules.ts';
import { chooseCourse } from '#server/homework/publication.contract.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { readButton, readPostedForm, refusedForm } from '../../shell/form-action.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { AddressForm } from '../../ui/address-form.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Form } from '../../ui/form.tsx';
import { type PublishAddress, pickCourse, publish } from '../screens.ts';
import type { Route } from './+types/course';
import styles from './dialogs.work.module.css';
import { withCourse } from './form.ts';
import { loadStoredForm, storeAndReturn } from './kept-form.server.ts';
import { loadChosenCourse } from './load.server.ts';

export const meta: Route.MetaFunction = () => titleMeta('选择课程');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { course_basis_id } = await loadStoredForm(context, url);
  const { title = '' } = pickCourse.at(url);
  const courses = await client.send(chooseCourse, { query: { is_create_hw: 1, title } });
  return { courses, title, present: course_basis_id, ...pickCourse.opened(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const chosen = textOf(form, 'course_id');
  if (chosen === '') return refusedForm({ ok: false, status: 422, msg: '请选择一门课程' }, form);
  const course = await loadChosenCourse(client, Number(chosen), startOf(publish.at(url)));
  if (!course) return refusedForm({ ok: false, status: 404, msg: missingCourse }, form);
  return storeAndReturn(context, withCourse(await loadStoredForm(context, url), course), url);
}

/**
 * Remedial homework uses `class_id` for the class whose answers it is about, so the form does not preselect that class.
 */
const startOf = ({ type, class_id }: PublishAddress) => ({
  class_id: type === undefined ? class_id : undefined,
  period_id: undefined,
});

export default function ChooseCourse({ loaderData, actionData }: Route.ComponentProps) {
  const { courses, title, present, closeHref } = loaderData;
  const whole = pickCourse.href(closeHref);
  return (
    <Dialog title="选择课程" closeHref={closeHref} message={actionData?.msg} width={640}>
      <AddressForm href={whole} className={styles.search} label="查找课程">
        <Input
          type="search"
          name="title"
          defaultValue={title}
          aria-label="课程名称"
          placeholder="课程名称"
          maxLength={200}
        />
        <Button type="submit" variant="default">
          查询
        </Button>
      </AddressForm>
      <Form>
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
          <Empty>
            {title === '' ? (
              '暂无可布置作业的课程，请联系教务安排授课的课时或协助的班级'
            ) : (
              <>
                没有符合条件的课程，<a href={whole}>清除筛选</a>
              </>
            )}
          </Empty>
        )}
        <DialogButtons closeHref={closeHref} submit="确定" disabled={courses.length === 0} />
      </Form>
    </Dialog>
  );
}
