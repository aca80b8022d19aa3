/** AdminClassEdit: the particulars of a class that takes courses, with what somebody else has made of them meanwhile. */
import { classOptions, editClass, showAdministeredClass } from '#server/classes/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { titled } from '../../shell/title.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { recordForm } from '../../ui/record-form.ts';
import { Screen } from '../../ui/screen.tsx';
import { adminClass, adminClassEdit, adminClasses } from '../screens.ts';
import type { Route } from './+types/edit';
import { ClassFields, writtenClass } from './class-fields.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '班级', href: adminClasses.href() }, { label: '编辑班级' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => titled('编辑班级', loaderData?.klass.name);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editClass);
  const client = context.get(api);
  const [klass, options] = await Promise.all([
    client.send(showAdministeredClass, { params: { id: adminClassEdit.at(url).id } }),
    client.send(classOptions),
  ]);
  const large_classes = options.large_classes.filter(({ school_id }) => school_id === klass.school_id);
  return { klass, options: { ...options, large_classes }, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id } = adminClassEdit.at(url);
  return takeEdit(sent, adminClass.href({ id }), (client, idempotencyKey, form) =>
    client.ask(editClass, { params: { id }, body: writtenClass(form), idempotencyKey }),
  );
};

const { Form } = formOf<typeof editClass>();

export default function ClassEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { klass, options, idempotencyKey } = loaderData;
  const { name, grade_id, classify_id, large_class_id, valid_type, valid_day, is_circle_hidden, seen } = klass;
  return (
    <Screen title="编辑班级" card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ name, grade_id, classify_id, large_class_id, valid_type, valid_day, is_circle_hidden, seen }}
        draft={`class ${klass.id}`}
        className={recordForm}
        noValidate
      >
        <HiddenField name="seen" />
        <ClassFields options={options} />
        <Submit>保存</Submit>
      </Form>
    </Screen>
  );
}
