/** Form that adds a state-school class, with its staff and courses. */
import { addClass, classOptions } from '#server/classes/admin.contract.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formScreen } from '../../shell/form-screen.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { MultiPickerField } from '../../ui/multi-picker-field.tsx';
import { adminClass, adminClasses } from '../screens.ts';
import { ClassFields, readPickedStaffAndCourses, readTerms } from './class-fields.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '班级', href: adminClasses.href() }, { label: '添加班级' }] };

const screen = formScreen({
  call: addClass,
  back: () => adminClasses.href(),
  title: '添加班级',
  submit: '添加班级',
  draft: 'class',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client }) => {
  const options = await client.send(classOptions);
  const [school] = options.schools;
  return { options, values: { school_id: options.schools.length === 1 ? school?.id : '', valid_type: 1 } };
});

export const action = dialogAction(screen, {
  body: (form) => ({ ...readPickedStaffAndCourses(form), ...readTerms(form) }),
  next: (_, added) => adminClass.href(added),
});

export default screen.page<typeof loader>(({ SelectField }, { options }) => (
  <>
    <SelectField name="school_id" label="学校" withAsterisk placeholder="请选择" choices={choicesOf(options.schools)} />
    <ClassFields options={options} />
    <MultiPickerField name="head_ids" label="班主任" choices={options.lecturers} more={1} />
    <MultiPickerField name="assistant_ids" label="助教" choices={options.assistants} more={2} />
    <MultiPickerField name="course_ids" label="课程" choices={options.courses} more={3} />
  </>
));
