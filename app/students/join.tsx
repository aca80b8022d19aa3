/** AdminMembersJoin: these students join a class; what follows is said before. */

import { Button } from '@mantine/core';
import { joinFault, memberMessages } from '#server/classes/rules.ts';
import { someNames } from '#server/homework/rules.ts';
import { addMembers, foreseeJoining, showMembership } from '#server/students/members.contract.ts';
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
import type { Route } from './+types/join';
import { classMembers, membersJoin, studentScreen } from './screens.ts';
import styles from './students.posts.module.css';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '加入班级' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titled('加入班级', loaderData?.klass.name);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addMembers);
  const client = context.get(api);
  const { id, ids, back } = membersJoin.at(url);
  const [klass, foreseen] = await Promise.all([
    client.send(showMembership, { params: { id } }),
    client.send(foreseeJoining, { params: { id }, query: { ids } }),
  ]);
  mustBeAllowed(context, foreseen.students.length === 0 ? memberMessages.allIn : undefined);
  mustBeAllowed(context, joinFault(klass, klass.present + foreseen.students.length));
  const backHref = back ?? classMembers.href({ id });
  return { klass, ...foreseen, backHref, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id, ids, back } = membersJoin.at(url);
  return takeEdit(sent, back ?? classMembers.href({ id }), (client, idempotencyKey, form) =>
    client.ask(addMembers, {
      params: { id },
      body: {
        ids,
        day: textOf(form, 'day'),
        with_homework: textOf(form, 'with_homework') === '1' ? 1 : undefined,
        acknowledged: textOf(form, 'acknowledged'),
      },
      idempotencyKey,
    }),
  );
};

const { CheckField, Form, TextField } = formOf<typeof addMembers>();

function homeworkChoice(openHomework: number, openReports: number): string {
  const given = openHomework > 0 && `同时布置班级未截止的${openHomework}个作业给他们`;
  const brought = openReports > 0 && `带上他们在其他班级未提交或待批改的${openReports}份作业`;
  return [given, brought].filter(Boolean).join('，');
}

export default function JoinClass({ loaderData, actionData }: Route.ComponentProps) {
  const { klass, students, effect, open_homework, open_reports, backHref, idempotencyKey } = loaderData;
  return (
    <Screen card title="加入班级">
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: effect, with_homework: 1 }}
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
        {effect && <p className={styles.effect}>{effect}。</p>}
        <TextField
          name="day"
          type="date"
          label="加入日期"
          description="留空为现在；更早的日期会改变之后课时的应到人数"
        />
        {(open_homework > 0 || open_reports > 0) && (
          <CheckField name="with_homework" label={homeworkChoice(open_homework, open_reports)} />
        )}
        <div className={styles.actions}>
          <Submit>确定加入</Submit>
          <Button component="a" href={backHref} variant="default">
            取消
          </Button>
        </div>
      </Form>
    </Screen>
  );
}
