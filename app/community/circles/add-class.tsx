import { addCircleClass, showCircle } from '#server/community/circles.contract.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { circleAddClass, circleDetail } from '../screens.ts';

const dialog = formDialog({
  call: addCircleClass,
  at: circleAddClass,
  params: circleDetail.at,
  title: '加入班级',
  submit: '加入',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { classes } = await client.send(showCircle, { params });
  return { classes };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ SelectField }, { classes }) => (
  <>
    <p>班级现有的学员、班主任和助教一起加入；以后进班的不会自动加入。</p>
    <SelectField
      name="class_id"
      label="班级"
      withAsterisk
      placeholder="请选择"
      choices={classes.map(({ id, name, people }) => [id, `${name}（${people}名学员）`] as const)}
    />
  </>
));
