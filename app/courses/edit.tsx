/** AdminCourseEdit: what is written of a course, with what somebody else has made of it meanwhile. */
import { courseChoices, editCourse, showCourse } from '#server/courses/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/edit';
import { CourseFields, writtenCourse } from './course-fields.tsx';
import styles from './courses.module.css';
import { courseDetail, courseEdit, courseScreen } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '课程', href: courseScreen.href() }, { label: '编辑课程' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titled('编辑课程', loaderData?.course.title);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editCourse);
  const client = context.get(api);
  const [course, choices] = await Promise.all([
    client.send(showCourse, { params: { id: courseEdit.at(url).id } }),
    client.send(courseChoices),
  ]);
  return { course, choices, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id } = courseEdit.at(url);
  return takeEdit(sent, courseDetail.href({ id }), (client, idempotencyKey, form) =>
    client.ask(editCourse, { params: { id }, body: writtenCourse(form), idempotencyKey }),
  );
};

const { Form } = formOf<typeof editCourse>();

const withOwn = (offered: readonly { id: number; name: string }[], id: number | null, name: string) =>
  id === null || offered.some((one) => one.id === id) ? [...offered] : [{ id, name }, ...offered];

export default function CourseEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { course, choices, idempotencyKey } = loaderData;
  const { id, school_id, parent_id, parent_title } = course;
  const above = choices.parents.filter((one) => one.school_id === school_id && one.id !== id);
  // What is no longer offered stays where it is.
  const offered = {
    classify: withOwn(choices.classify, course.classify_id, course.classify_name),
    grades: withOwn(choices.grades, course.grade_id, course.grade_name),
    subjects: withOwn(choices.subjects, course.subject_id, course.subject_name),
  };
  return (
    <Screen title="编辑课程" card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{
          title: course.title,
          course_type: course.course_type,
          classify_id: course.classify_id,
          grade_id: course.grade_id,
          subject_id: course.subject_id,
          parent_id,
          introduction: course.introduction,
          course_extend: course.course_extend,
          seen: course.seen,
        }}
        draft={`course ${id}`}
        className={styles.form}
        noValidate
      >
        <HiddenField name="seen" />
        <HiddenField name="acknowledged" />
        <CourseFields choices={offered} parents={withOwn(above, parent_id, parent_title)} type={course.course_type} />
        <Submit>保存</Submit>
      </Form>
    </Screen>
  );
}
