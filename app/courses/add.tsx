/** Form that adds a course. Chapters and periods are added later. */
import { addCourse, courseChoices } from '#server/courses/contract.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formScreen } from '../shell/form-screen.tsx';
import type { ScreenHandle } from '../shell/frame.tsx';
import { choicesOf } from '../ui/filter-form.tsx';
import { CourseFields } from './course-fields.tsx';
import { courseAdd, courseDetail, courseScreen } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '课程', href: courseScreen.href() },
    { label: '添加课程', href: courseAdd.href() },
  ],
};

const screen = formScreen({
  call: addCourse,
  back: () => courseScreen.href(),
  title: '添加课程',
  submit: '添加课程',
  draft: 'course',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client }) => {
  const choices = await client.send(courseChoices);
  const { schools } = choices;
  const several = schools.length > 1;
  const nameOf = (id: number) => schools.find((school) => school.id === id)?.name;
  return {
    choices,
    parents: choices.parents.map(({ id, name, school_id }) => ({
      id,
      name: several ? `${name}（${nameOf(school_id)}）` : name,
    })),
    values: { school_id: several ? '' : schools[0]?.id, course_type: '' },
  };
});

export const action = dialogAction(screen, { next: (_, added) => courseDetail.href(added) });

export default screen.page<typeof loader>(({ SelectField }, { choices, parents }) => (
  <>
    <SelectField name="school_id" label="学校" withAsterisk placeholder="请选择" choices={choicesOf(choices.schools)} />
    <CourseFields choices={choices} parents={parents} type={1} />
  </>
));
