/** AdminMembersLeave: these students leave a class; what they leave unfinished is said before. */

import { Button } from '@mantine/core';
import { leftReasonLimit, memberMessages } from '#server/classes/rules.ts';
import { someNames } from '#server/homework/rules.ts';
import { endMemberships, foreseeLeaving, showMembership } from '#server/students/members.contract.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/leave';
import { classMembers, membersLeave, studentScreen } from './screens.ts';
import styles from './students.posts.module.css';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '离开班级' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titled('离开班级', loaderData?.klass.name);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, endMemberships);
  const client = context.get(api);
  const { id, ids, back } = membersLeave.at(url);
  const [klass, foreseen] = await Promise.all([
    client.send(showMembership, { params: { id } }),
    client.send(foreseeLeaving, { params: { id }, query: { ids } }),
  ]);
  const fault = ids.length === 0 ? memberMessages.nobody : memberMessages.noneIn;
  mustBeAllowed(context, foreseen.students.length === 0 ? fault : undefined);
  const backHref = back ?? classMembers.href({ id });
  return { klass, ...foreseen, backHref, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id, ids, back } = membersLeave.at(url);
  return takeEdit(sent, back ?? classMembers.href({ id }), (client, idempotencyKey, form) =>
    client.ask(endMemberships, {
      params: { id },
      body: {
        ids,
        day: textOf(form, 'day'),
        reason: textOf(form, 'reason'),
        acknowledged: textOf(form, 'acknowledged'),
      },
      idempotencyKey,
    }),
  );
};

const { Form, TextField } = formOf<typeof endMemberships>();

export default function LeaveClass({ loaderData, actionData }: Route.ComponentProps) {
  const { klass, students, effect, backHref, idempotencyKey } = loaderData;
  return (
    <Screen card title="离开班级">
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: effect }}
        className={styles.form}
        noValidate
      >
        <HiddenField name="acknowledged" />
        <Facts inColumns>
          <Fact term="班级">{klass.name}</Fact>
          <Fact term="学员">
            {someNames(students.map(({ name }) => name))}（{students.length}名）
          </Fact>
        </Facts>
        {effect && <p className={styles.effect}>{effect}。已布置的作业仍可在截止前提交，请假仍可审批。</p>}
        <TextField
          name="day"
          type="date"
          label="离开日期"
          description="留空为现在；更早的日期会改变之后课时的应到人数"
        />
        <TextField name="reason" label="离开原因" limit={leftReasonLimit} autoComplete="off" />
        <div className={styles.actions}>
          <Submit color="red">确定离开</Submit>
          <Button component="a" href={backHref} variant="default">
            取消
          </Button>
        </div>
      </Form>
    </Screen>
  );
}
