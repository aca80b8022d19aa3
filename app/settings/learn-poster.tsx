/** 学员端地址: a sheet with the address and its QR code, to print and put up. */
import { showSettings } from '#server/settings/contract.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { learnAddress } from '../shell/printed-address.server.ts';
import { PrintedAddressNote } from '../shell/printed-address-note.tsx';
import { titleMeta } from '../shell/title.ts';
import { QrCode } from '../ui/qr-code.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/learn-poster';
import { learnerProviders } from './learner-providers.server.ts';
import { settings } from './screens.ts';
import styles from './settings.posts.module.css';

export const handle: ScreenHandle = { crumbs: [{ label: '设置', href: settings.href() }, { label: '学员端地址' }] };

export const meta: Route.MetaFunction = () => titleMeta('学员端地址', '设置');

export async function loader({ request, context }: Route.LoaderArgs) {
  requirePermission(context, showSettings);
  const client = context.get(api);
  const { school, messages } = await client.send(showSettings);
  return {
    address: await learnAddress(request),
    school: school.school_name,
    isOpen: school.has_learn_page === 1,
    sendsTexts: messages.sends_texts === 1,
    providers: await learnerProviders(client),
  };
}

export default function LearnPoster({ loaderData }: Route.ComponentProps) {
  const { address, school, isOpen, sendsTexts, providers } = loaderData;
  return (
    <Screen className={styles.poster}>
      <p className="no-print">
        请用浏览器的“打印”（Ctrl+P）打印。<a href={settings.href()}>返回设置</a>
      </p>
      {!isOpen && <p className="no-print">学员端没有开启，学员现在打不开这个地址。</p>}
      <PrintedAddressNote address={address} readers="learners" />
      <h1>{school ? `${school} 学员端` : '学员端'}</h1>
      <p>用手机扫描二维码，或在浏览器中输入地址：</p>
      <QrCode text={address} label="学员端二维码" className={styles.large} />
      <p className={styles.address}>{address}</p>
      <p>
        {sendsTexts
          ? '用学号或手机号登录，验证码以短信发到登记的手机。'
          : '用学号或手机号和学校印发的初始密码登录，首次登录时改为自己的密码。'}
      </p>
      {providers.length > 0 && <p>也可以在登录页选择“{providers.map((name) => `${name}登录`).join('”“')}”。</p>}
    </Screen>
  );
}
