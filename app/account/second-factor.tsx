/** Turns the user's second factor on or off, or renews its recovery codes. */
import {
  beginSecondFactor,
  type SecondFactor as Own,
  renewRecoveryCodes,
  showSecondFactor,
  turnSecondFactorOff,
  turnSecondFactorOn,
} from '#server/account/second-factor.contract.ts';
import { api } from '../api/client.server.ts';
import { answerOrErrorPage } from '../api/outcome.server.ts';
import { textOf } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm, refusedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { recordFormClass } from '../ui/record-form.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/second-factor';
import own from './account.posts.module.css';
import { account, secondFactor } from './screens.ts';
import styles from './second-factor.posts.module.css';

const security = account.href({ tab: 'security' });

export const handle: ScreenHandle = { crumbs: [{ label: '我的账号', href: security }, { label: '两步验证' }] };

export const meta: Route.MetaFunction = () => titleMeta('两步验证');

export async function loader({ context }: Route.LoaderArgs) {
  const client = context.get(api);
  const set = await client.send(showSecondFactor);
  const begun = set.is_on === 1 ? undefined : answerOrErrorPage(await client.ask(beginSecondFactor)).data;
  const { must_set_second_factor } = signedInPerson(context);
  return {
    set,
    enrolment: begun && { secret: begun.secret, address: begun.address },
    must: must_set_second_factor === 1,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const form = await readPostedForm(request, context);
  const [button] = readButton(form, 'on', 'renew', 'off');
  const code = textOf(form, 'code');
  if (button === 'off')
    return finishForm(context, await client.ask(turnSecondFactorOff, { body: { code } }), secondFactor.here(url), form);
  const outcome =
    button === 'on'
      ? await client.ask(turnSecondFactorOn, { body: { secret: textOf(form, 'secret'), code } })
      : await client.ask(renewRecoveryCodes, { body: { code } });
  return outcome.ok ? { codes: outcome.data.recovery_codes } : refusedForm(outcome, form);
}

const { Form, TextField } = formOf<typeof turnSecondFactorOn>();

export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { set, enrolment, must } = loaderData;
  if (actionData && 'codes' in actionData) return <Codes codes={actionData.codes} />;
  return (
    <Screen title="两步验证" className={own.page}>
      <div className={own.body}>
        {set.is_on === 1 ? <On set={set} refused={actionData} /> : null}
        {enrolment && <Off {...enrolment} must={must} refused={actionData} />}
      </div>
    </Screen>
  );
}

interface OffProps {
  secret: string;
  /** Text of the QR code. */
  address: string;
  must: boolean;
  refused: RefusedForm | undefined;
}

/**
 * Form that turns the second factor on. After a wrong code it shows the same secret: the authenticator app has it
 * already.
 */
function Off({ secret, address, must, refused }: OffProps) {
  const shown = new Map(refused?.typed).get('secret') ?? secret;
  return (
    <Form refused={refused} values={{ secret }} className={recordFormClass} noValidate>
      <HiddenField name="secret" />
      {must && <p>学校要求开启两步验证，开启后才能使用其他功能。</p>}
      <ol className={styles.steps}>
        <li>
          在手机上安装验证器，如微软验证器（Microsoft Authenticator）、谷歌身份验证器，或微信小程序“腾讯身份验证器”。
        </li>
        <li>
          {shown === secret ? (
            <>
              用验证器扫描二维码，或手动输入密钥：
              <QrCode text={address} label="两步验证二维码" className={styles.code} />
            </>
          ) : (
            '验证器已有密钥：'
          )}
          <code className={styles.secret}>{shown.match(/.{1,4}/g)?.join(' ')}</code>
        </li>
        <li>输入验证器显示的6位数字。</li>
      </ol>
      <TextField name="code" label="验证码" inputMode="numeric" autoComplete="one-time-code" withAsterisk />
      <Submit intent="on">开启两步验证</Submit>
    </Form>
  );
}

function On({ set, refused }: { set: Own; refused: RefusedForm | undefined }) {
  return (
    <Form refused={refused} className={recordFormClass} noValidate>
      <p>
        {set.at !== null && (
          <>
            已于 <NearMoment at={set.at} /> 开启
          </>
        )}
        ，还有 {set.recovery_left} 个未使用的恢复代码。
        {set.is_required === 1 && '学校要求开启，不能关闭。'}
      </p>
      <TextField
        name="code"
        label="验证码"
        description="更换恢复代码或关闭前，请输入验证器显示的6位数字或一个恢复代码"
        autoComplete="one-time-code"
        withAsterisk
      />
      <div className={styles.buttons}>
        <Submit intent="renew">重新生成恢复代码</Submit>
        {set.is_required === 0 && (
          <Submit intent="off" color="red">
            关闭两步验证
          </Submit>
        )}
      </div>
    </Form>
  );
}

function Codes({ codes }: { codes: string[] }) {
  return (
    <Screen title="恢复代码" className={own.page}>
      <p>
        手机不在身边时，可用恢复代码登录，每个只能使用一次。代码只显示这一次，请现在打印或抄下，妥善保管。
        <span className="no-print">
          <a href={security}>我已保存，继续</a>
        </span>
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
