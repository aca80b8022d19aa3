import { editContract, showContract } from '#server/group-classes/administered.contract.ts';
import { contractNumberLimit, signTypeNames, signTypes } from '#server/group-classes/rules.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { adminClass, contractEdit } from '../screens.ts';
import type { Route } from './+types/contract';

export const meta: Route.MetaFunction = () => titled('学员的合同');

const paramsOf = (url: URL) => ({ id: adminClass.at(url).id, memberId: contractEdit.at(url).member });

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editContract);
  const member = await context.get(api).send(showContract, { params: paramsOf(url) });
  return { member, ...contractEdit.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, contractEdit.behind(url), (client, idempotencyKey, form) =>
    client.ask(editContract, {
      params: paramsOf(url),
      body: {
        contracts_number: textOf(form, 'contracts_number'),
        sign_type: textOf(form, 'sign_type') === '2' ? 2 : 1,
        remaining_lessons: textOf(form, 'remaining_lessons'),
        periods_price: textOf(form, 'periods_price'),
        lesson_minutes: textOf(form, 'lesson_minutes'),
        seen: textOf(form, 'seen'),
      },
      idempotencyKey,
    }),
  );

const { DialogForm, RadioField, TextField } = formOf<typeof editContract>();

export default function EditContract({ loaderData, actionData }: Route.ComponentProps) {
  const { member, closeHref, idempotencyKey } = loaderData;
  const { contracts_number, sign_type, remaining_lessons, periods_price, lesson_minutes, seen } = member;
  return (
    <Dialog title="学员的合同" closeHref={closeHref}>
      <p>
        学员：<strong>{member.nickname}</strong>，已上{member.lessons_attended}节课
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ contracts_number, sign_type, remaining_lessons, periods_price, lesson_minutes, seen }}
        submit="保存"
        noValidate
      >
        <HiddenField name="seen" />
        <TextField
          name="contracts_number"
          label="合同编号"
          withAsterisk
          limit={contractNumberLimit}
          autoComplete="off"
        />
        <RadioField
          name="sign_type"
          label="计费方式"
          inline
          choices={signTypes.map((type) => [type, signTypeNames[type]] as const)}
        />
        <TextField name="remaining_lessons" label="剩余课时" inputMode="numeric" autoComplete="off" />
        <TextField name="periods_price" label="课时单价（元）" inputMode="decimal" autoComplete="off" />
        <TextField name="lesson_minutes" label="每课时分钟数" inputMode="numeric" autoComplete="off" />
      </DialogForm>
    </Dialog>
  );
}
