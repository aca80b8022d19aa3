/** AdminClassAdd: a class that takes courses, with who looks after it and what it takes. */
import { addClass, classOptions } from '#server/classes/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { titled } from '../../shell/title.ts';
import { choicesOf } from '../../ui/filter-form.tsx';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { PickedField } from '../../ui/picked-field.tsx';
import { recordForm } from '../../ui/record-form.ts';
import { Screen } from '../../ui/screen.tsx';
import { adminClass, adminClasses } from '../screens.ts';
import type { Route } from './+types/add';
import { ClassFields, writtenClass } from './class-fields.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '班级', href: adminClasses.href() }, { label: '添加班级' }] };

export const meta: Route.MetaFunction = () => titled('添加班级');

export async function loader({ context }: Route.LoaderArgs) {
  mustBePermitted(context, addClass);
  return { options: await context.get(api).send(classOptions), idempotencyKey: crypto.randomUUID() };
}

export const action = (sent: Route.ActionArgs) =>
  takeEdit(
    sent,
    (added: { id: number }) => adminClass.href(added),
    (client, idempotencyKey, form) => client.ask(addClass, { body: writtenClass(form), idempotencyKey }),
  );

const { Form, SelectField } = formOf<typeof addClass>();

export default function ClassAdd({ loaderData: { options, idempotencyKey }, actionData }: Route.ComponentProps) {
  const { schools, lecturers, assistants, courses } = options;
  return (
    <Screen title="添加班级" card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ school_id: schools.length === 1 ? schools[0]?.id : '', valid_type: 1 }}
        draft="class"
        className={recordForm}
        noValidate
      >
        <SelectField name="school_id" label="学校" withAsterisk placeholder="请选择" choices={choicesOf(schools)} />
        <ClassFields options={options} />
        <PickedField name="head_ids" label="班主任" choices={lecturers} more={1} />
        <PickedField name="assistant_ids" label="助教" choices={assistants} more={2} />
        <PickedField name="course_ids" label="课程" choices={courses} more={3} />
        <Submit>添加班级</Submit>
      </Form>
    </Screen>
  );
}
