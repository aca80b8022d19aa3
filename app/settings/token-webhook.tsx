/**
 * Webhook to which events of an application's learners are posted. Only the response that sets it contains its secret.
 */

import { learnerEventKinds, learnerEventNames, webhookMessages } from '#server/learners/rules.ts';
import { endWebhook, replayWebhook, setWebhook, showToken, showWebhook } from '#server/learners/tokens.contract.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { readButton, readPostedForm, redirectBack, refusedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Form as PlainForm, Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/token-webhook';
import { tokensScreen, tokenWebhook } from './screens.ts';
import styles from './settings.posts.module.css';
import { describeFailure } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '设置', href: tokensScreen.href() }, { label: '通知地址' }],
};

export const meta: Route.MetaFunction = () => titleMeta('通知地址');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, setWebhook);
  const params = { id: tokenWebhook.at(url).token };
  const token = await context.get(api).send(showToken, { params });
  requireAllowed(context, token.ended_at === null ? undefined : webhookMessages.tokenEnded);
  return { name: token.name, hook: await context.get(api).send(showWebhook, { params }) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const params = { id: tokenWebhook.at(url).token };
  const [button] = readButton(form, '', 'end', 'replay');
  if (button === 'end') return redirectBack(context, await context.get(api).ask(endWebhook, { params }), url);
  if (button === 'replay')
    return redirectBack(context, await context.get(api).ask(replayWebhook, { params, body: {} }), url);
  const outcome = await context.get(api).ask(setWebhook, {
    params,
    body: { url: textOf(form, 'url'), events: form.getAll('events').map(String) },
  });
  return outcome.ok ? { secret: outcome.data.secret } : refusedForm(outcome, form);
}

const { ChecksField, Form, TextField } = formOf<typeof setWebhook>();

export default function TokenWebhook({ loaderData, actionData }: Route.ComponentProps) {
  const { name, hook } = loaderData;
  if (actionData && 'secret' in actionData) {
    return (
      <Screen title="通知地址已保存" className={styles.page}>
        <Facts>
          <Fact term="应用">{name}</Fact>
          <Fact term="密钥">
            <code className={styles.token}>{actionData.secret}</code>
          </Fact>
        </Facts>
        <p>密钥只显示这一次，用来核对通知的签名，请现在复制并交给该应用的技术人员。再次保存时更换。</p>
        <p>
          <a href={tokensScreen.href()}>我已记下，返回列表</a>
        </p>
      </Screen>
    );
  }
  return (
    <Screen title={`${name}的通知地址`} className={styles.page}>
      <div className={styles.body}>
        <Form
          refused={actionData}
          values={{ url: hook.url, events: hook.url === '' ? [...learnerEventKinds] : hook.events }}
          className={styles.form}
          noValidate
        >
          <p className={styles.note}>学员的下列事情发生时，系统通知该应用，至少送达一次，同一学员按先后顺序。</p>
          <TextField name="url" label="通知地址" withAsterisk inputMode="url" autoComplete="off" />
          <ChecksField
            name="events"
            label="通知"
            inline
            choices={learnerEventKinds.map((kind) => [kind, learnerEventNames[kind]] as const)}
          />
          {hook.url !== '' && <p className={styles.note}>保存后生成新的密钥，原来的密钥立即失效。</p>}
          <Submit>保存</Submit>
        </Form>
        {hook.url !== '' && (
          <PlainForm className={styles.form}>
            <p className={styles.note}>
              {hook.waiting === 0 ? '没有等待送达的通知。' : `${hook.waiting}条通知等待送达。`}
              {hook.error !== '' && `最近一次未送达的原因：${describeFailure(hook.error)}`}
            </p>
            <div className={styles.buttons}>
              <Submit intent="replay" variant="default">
                重新发送全部通知
              </Submit>
              <Submit intent="end" variant="default">
                停止通知
              </Submit>
            </div>
          </PlainForm>
        )}
      </div>
    </Screen>
  );
}
