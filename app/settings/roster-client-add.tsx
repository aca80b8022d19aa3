/** Form that adds a OneRoster client. Only the response to this form contains the client's secret. */

import { addClient, clientSchools, NewClient } from '#server/oneroster/contract.ts';
import {
  clientNameLimit,
  clientPermissionNames,
  clientPermissions,
  docsPath,
  gradebookPath,
  rosteringPath,
  tokenPath,
} from '#server/oneroster/rules.ts';
import { api } from '../api/client.server.ts';
import { readFields } from '../lib/form-data.ts';
import { BoundSchools, maxSchools } from '../schools/bound-schools.tsx';
import { readButton, readPostedForm, refusedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/roster-client-add';
import { clientsScreen } from './screens.ts';
import styles from './settings.posts.module.css';

export const handle: ScreenHandle = {
  crumbs: [{ label: '设置', href: clientsScreen.href() }, { label: '添加对接系统' }],
};

export const meta: Route.MetaFunction = () => titleMeta('添加对接系统');

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, addClient);
  return {
    schools: await context.get(api).send(clientSchools),
    everySchool: signedInPerson(context).every_school === 1,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const outcome = await context.get(api).ask(addClient, { body: readFields(NewClient, form) });
  return outcome.ok ? { made: outcome.data } : refusedForm(outcome, form);
}

const { ChecksField, Form, TextField } = formOf<typeof addClient>();

const secret = (text: string) => <code className={styles.token}>{text}</code>;

export default function RosterClientAdd({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && 'made' in actionData) {
    const { name, client_id, client_secret } = actionData.made;
    return (
      <Screen title="对接系统已添加" className={styles.page}>
        <Facts>
          <Fact term="系统">{name}</Fact>
          <Fact term="客户端标识（client_id）">{secret(client_id)}</Fact>
          <Fact term="密钥（client_secret）">{secret(client_secret)}</Fact>
          <Fact term="令牌地址">{secret(tokenPath)}</Fact>
          <Fact term="名册地址">{secret(rosteringPath)}</Fact>
          <Fact term="成绩地址">{secret(gradebookPath)}</Fact>
          <Fact term="接口说明">{secret(docsPath)}</Fact>
        </Facts>
        <p>密钥只显示这一次，请现在复制并交给该系统的技术人员，不要发在群里。各地址前加上本系统的域名。</p>
        <p>
          <a href={clientsScreen.href()}>我已记下，返回列表</a>
        </p>
      </Screen>
    );
  }
  return (
    <Screen title="添加对接系统" className={styles.page}>
      <div className={styles.body}>
        <Form
          refused={actionData}
          values={{ reads: [...clientPermissions], ...maxSchools(loaderData) }}
          className={styles.form}
          noValidate
        >
          <TextField name="name" label="系统名称" withAsterisk limit={clientNameLimit} autoComplete="off" />
          <ChecksField
            name="reads"
            label="可读取的内容"
            description="名册：学校、人员、班级、课程和进班。成绩：作业、考试和每名学员的得分。"
            inline
            choices={clientPermissions.map((one) => [one, clientPermissionNames[one]] as const)}
          />
          <BoundSchools {...loaderData} />
          <Submit>添加</Submit>
        </Form>
      </div>
    </Screen>
  );
}
