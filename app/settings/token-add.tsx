/** Form that adds a service token. Only the response to this form contains the token. */

import { tokenNameLimit } from '#server/learners/rules.ts';
import { addToken, NewToken, tokenSchools } from '#server/learners/tokens.contract.ts';
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
import type { Route } from './+types/token-add';
import { tokensScreen } from './screens.ts';
import styles from './settings.posts.module.css';

export const handle: ScreenHandle = {
  crumbs: [{ label: '设置', href: tokensScreen.href() }, { label: '生成令牌' }],
};

export const meta: Route.MetaFunction = () => titleMeta('生成令牌');

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, addToken);
  return {
    schools: await context.get(api).send(tokenSchools),
    everySchool: signedInPerson(context).every_school === 1,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const outcome = await context.get(api).ask(addToken, { body: readFields(NewToken, form) });
  return outcome.ok ? { made: outcome.data } : refusedForm(outcome, form);
}

const { Form, TextField } = formOf<typeof addToken>();

export default function TokenAdd({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && 'made' in actionData) {
    const { name, token } = actionData.made;
    return (
      <Screen title="令牌已生成" className={styles.page}>
        <Facts>
          <Fact term="应用">{name}</Fact>
          <Fact term="令牌">
            <code className={styles.token}>{token}</code>
          </Fact>
        </Facts>
        <p>令牌只显示这一次，请现在复制并交给该应用的技术人员，用法见接口说明中的“学习端”。不要发在群里。</p>
        <p>
          <a href={tokensScreen.href()}>我已记下，返回列表</a>
        </p>
      </Screen>
    );
  }
  return (
    <Screen title="生成令牌" className={styles.page}>
      <div className={styles.body}>
        <Form refused={actionData} values={maxSchools(loaderData)} className={styles.form} noValidate>
          <TextField name="name" label="应用名称" withAsterisk limit={tokenNameLimit} autoComplete="off" />
          <BoundSchools {...loaderData} />
          <Submit>生成令牌</Submit>
        </Form>
      </div>
    </Screen>
  );
}
