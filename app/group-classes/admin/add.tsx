/** Form that adds a group class or one-to-one class, with its assistants and courses. */
import { classOptions } from '#server/classes/admin.contract.ts';
import { classTypeNames } from '#server/classes/rules.ts';
import { addLessonClass } from '#server/group-classes/admin.contract.ts';
import { lessonClassTypes } from '#server/group-classes/rules.ts';
import { adminClass } from '../../classes/screens.ts';
import { localDay } from '../../lib/dates.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formScreen } from '../../shell/form-screen.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { choicesOf } from '../../ui/filter-form.tsx';
import { MultiPickerField, readPickedIds } from '../../ui/multi-picker-field.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { adminTeamAdd, adminTeams } from '../screens.ts';
import { TeamFields } from './team-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '团课与一对一', href: adminTeams.href() }, { label: '添加' }],
};

const screen = formScreen({
  call: addLessonClass,
  back: () => adminTeams.href(),
  title: '添加团课或一对一',
  submit: '添加',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client, context, url }) => {
  const { class_type } = adminTeamAdd.at(url);
  const options = await client.send(classOptions);
  return {
    class_type,
    options,
    values: {
      school_id: options.schools.length === 1 ? options.schools[0]?.id : '',
      teaching_mode: 1,
      sign_type: 1,
      start_day: localDay(client.now(), signedInPerson(context).settings.timezone),
    },
    draft: `team ${class_type}`,
    submit: `添加${classTypeNames[class_type]}`,
  };
});

export const action = dialogAction(screen, {
  body: (form, { url }) => ({
    class_type: adminTeamAdd.at(url).class_type,
    assistant_ids: readPickedIds(form, 'assistant_ids'),
    course_ids: readPickedIds(form, 'course_ids'),
  }),
  next: (_, added) => adminClass.href(added),
});

export default screen.page<typeof loader>(
  ({ SelectField }, { options }) => (
    <>
      <SelectField
        name="school_id"
        label="学校"
        withAsterisk
        placeholder="请选择"
        choices={choicesOf(options.schools)}
      />
      <TeamFields options={options} />
      <MultiPickerField name="assistant_ids" label="助教" choices={options.assistants} more={2} />
      <MultiPickerField
        name="course_ids"
        label="课程"
        description="排课时从中选择"
        choices={options.courses}
        more={2}
      />
    </>
  ),
  ({ class_type }) => (
    <Tabs
      label="类型"
      current={String(class_type)}
      tabs={lessonClassTypes.map((type) => ({
        key: String(type),
        label: classTypeNames[type],
        href: adminTeamAdd.href({ class_type: type }),
      }))}
    />
  ),
);
