/** AdminCourseAdd: a new course, without chapters and periods yet. */
import { addCourse, courseChoices } from '#server/courses/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { choicesOf } from '../ui/filter-form.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/add';
import { CourseFields, writtenCourse } from './course-fields.tsx';
import styles from './courses.module.css';
import { courseAdd, courseDetail, courseScreen } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '课程', href: courseScreen.href() },
    { label: '添加课程', href: courseAdd.href() },
  ],
};

export const meta: Route.MetaFunction = () => titled('添加课程');

export async function loader({ context }: Route.LoaderArgs) {
  mustBePermitted(context, addCourse);
  return { choices: await context.get(api).send(courseChoices), idempotencyKey: crypto.randomUUID() };
}

export const action = (sent: Route.ActionArgs) =>
  takeEdit(
    sent,
    (added: { id: number }) => courseDetail.href(added),
    (client, idempotencyKey, form) => client.ask(addCourse, { body: writtenCourse(form), idempotencyKey }),
  );

const { Form, SelectField } = formOf<typeof addCourse>();

export default function CourseAdd({ loaderData: { choices, idempotencyKey }, actionData }: Route.ComponentProps) {
  const { schools } = choices;
  const several = schools.length > 1;
  const nameOf = (id: number) => schools.find((school) => school.id === id)?.name;
  const parents = choices.parents.map(({ id, name, school_id }) => ({
    id,
    name: several ? `${name}（${nameOf(school_id)}）` : name,
  }));
  return (
    <Screen title="添加课程" card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ school_id: several ? '' : schools[0]?.id, course_type: '' }}
        draft="course"
        className={styles.form}
        noValidate
      >
        <SelectField name="school_id" label="学校" withAsterisk placeholder="请选择" choices={choicesOf(schools)} />
        <CourseFields choices={choices} parents={parents} type={1} />
        <Submit>添加课程</Submit>
      </Form>
    </Screen>
  );
}
