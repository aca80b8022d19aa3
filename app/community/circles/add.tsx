import { catalogueSchools } from '#server/catalogue/contract.ts';
import { addCircle } from '#server/community/circles.contract.ts';
import { circleIntroductionLimit, circleNameLimit } from '#server/community/rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { circleAdd, circleDetail } from '../screens.ts';

const dialog = formDialog({
  call: addCircle,
  at: circleAdd,
  title: '添加圈子',
  submit: '添加',
  draft: 'circle add',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client }) => {
  const schools = await client.send(catalogueSchools);
  return { schools, values: { school_id: schools.length === 1 ? schools[0]?.id : '' } };
});

/** After a circle is added, its page opens, where members can be added. */
export const action = dialogAction(dialog, { next: (_, added) => circleDetail.href(added) });

export default dialog.page<typeof loader>(({ AreaField, SelectField, TextField }, { schools }) => (
  <>
    <TextField name="name" label="圈子名称" withAsterisk limit={circleNameLimit} autoComplete="off" />
    <SelectField name="school_id" label="所属学校" withAsterisk placeholder="请选择" choices={choicesOf(schools)} />
    <AreaField name="introduction" label="简介" limit={circleIntroductionLimit} rows={3} />
  </>
));
