import { addCirclePeople, showCircle } from '#server/community/circles.contract.ts';
import { addedMembersLimit } from '#server/community/rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { circleAddPeople, circleDetail } from '../screens.ts';

const dialog = formDialog({
  call: addCirclePeople,
  at: circleAddPeople,
  params: circleDetail.at,
  title: '加入成员',
  submit: '加入',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { id, name, school_name } = await client.send(showCircle, { params });
  return { name, school_name, draft: `people of circle ${id}` };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ AreaField }, { name, school_name }) => (
  <>
    <p>
      圈子：<strong>{name}</strong>（{school_name}）
    </p>
    <AreaField
      name="lines"
      label="成员"
      withAsterisk
      rows={8}
      description={`每行一位本校的学员、讲师或助教，写姓名、手机号或用户名，最多${addedMembersLimit}位`}
    />
  </>
));
