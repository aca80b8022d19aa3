/** Dialog that links a provider's account to a learner. */
import { approveLearnerLink, showLearnerLink } from '#server/identity/learner-links.contract.ts';
import { decideFault } from '#server/identity/rules.ts';
import { studentChoices } from '#server/students/contract.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { choicesOf } from '../ui/filter-form.tsx';
import { learnerLinkApprove } from './screens.ts';

const dialog = formDialog({
  call: approveLearnerLink,
  at: learnerLinkApprove,
  params: (url) => ({ id: learnerLinkApprove.at(url).link }),
  title: '关联学员',
  submit: '确定关联',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const [link, { schools }] = await Promise.all([
    client.send(showLearnerLink, { params }),
    client.send(studentChoices),
  ]);
  return { link, schools, refusal: decideFault(link, '学员') };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ SelectField, TextField }, { link, schools }) => (
  <>
    <p>
      {link.provider_name}账号：<strong data-written>{link.number}</strong>
      {link.name && `（${link.name}）`}
    </p>
    <p>请当面或电话核实是本人。关联后，该账号在学员端以所填学员的身份登录。</p>
    <TextField
      name="number"
      label="学员的学号或手机号"
      description="在“学员”中登记的号码"
      withAsterisk
      autoComplete="off"
      autoCapitalize="none"
    />
    {schools.length > 1 && (
      <SelectField
        name="school_id"
        label="学校"
        description="几所学校有相同的号码时选择"
        placeholder="不限"
        choices={choicesOf(schools)}
      />
    )}
  </>
));
