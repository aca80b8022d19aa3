/** Edits a course. If somebody else saved meanwhile, shows both versions of the fields. */
import { courseChoices, editCourse, showCourse } from '#server/courses/contract.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formScreen } from '../shell/form-screen.tsx';
import type { ScreenHandle } from '../shell/frame.tsx';
import { CourseFields } from './course-fields.tsx';
import { courseDetail, courseEdit, courseScreen } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '课程', href: courseScreen.href() }, { label: '编辑课程' }],
};

const screen = formScreen({
  call: editCourse,
  params: courseEdit.at,
  back: (url) => courseDetail.href(courseEdit.at(url)),
  title: '编辑课程',
  submit: '保存',
});

export const meta = screen.meta;

const includeCurrent = (offered: readonly { id: number; name: string }[], id: number | null, name: string) =>
  id === null || offered.some((one) => one.id === id) ? [...offered] : [{ id, name }, ...offered];

export const loader = dialogLoader(screen, async ({ client, params }) => {
  const [course, choices] = await Promise.all([client.send(showCourse, { params }), client.send(courseChoices)]);
  const { id, title, course_type, classify_id, grade_id, subject_id, school_id, parent_id, parent_title } = course;
  const { introduction, course_extend, seen } = course;
  const above = choices.parents.filter((one) => one.school_id === school_id && one.id !== id);
  return {
    subject: title,
    course_type,
    // Adds the course's current entries to the choices, so that an archived one stays selected.
    choices: {
      classify: includeCurrent(choices.classify, classify_id, course.classify_name),
      grades: includeCurrent(choices.grades, grade_id, course.grade_name),
      subjects: includeCurrent(choices.subjects, subject_id, course.subject_name),
    },
    parents: includeCurrent(above, parent_id, parent_title),
    values: { title, course_type, classify_id, grade_id, subject_id, parent_id, introduction, course_extend, seen },
    draft: `course ${id}`,
  };
});

export const action = dialogAction(screen);

export default screen.page<typeof loader>((_, { choices, parents, course_type }) => (
  <CourseFields choices={choices} parents={parents} type={course_type} />
));
