/** 学员端: its address with a QR code, and how learners sign in. */
import { Button } from '@mantine/core';
import { adminClassList } from '../classes/screens.ts';
import { identityScreen } from '../identity/screens.ts';
import { PrintedAddressNote } from '../shell/printed-address-note.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { usePerson } from '../ui/use-school.ts';
import { learnPoster, settings } from './screens.ts';
import styles from './settings.posts.module.css';

interface LearnPageDoorProps {
  address: string;
  sendsTexts: boolean;
  /** Names of the identity providers that are for learners. */
  providers: readonly string[];
}

export function LearnerSignInInfo({ address, sendsTexts, providers }: LearnPageDoorProps) {
  const permissions = usePerson()?.permissions ?? [];
  return (
    <section className={`${styles.form} ${styles.door}`} aria-labelledby="learn-page">
      <h2 id="learn-page">学员端</h2>
      <p>
        学员的登录地址：<a href={address}>{address}</a>
      </p>
      <PrintedAddressNote address={address} readers="learners" />
      <QrCode text={address} label="学员端二维码" className={styles.code} />
      {sendsTexts ? (
        <p>学员用学号或手机号登录，验证码以短信发到登记的手机；没有手机号的学员可以用初始密码登录。</p>
      ) : (
        <p>
          学校没有<a href={settings.href({ tab: 'messages' })}>短信接口</a>
          ，不能发验证码：学员用学号或手机号和初始密码登录，密码按班级印发。
        </p>
      )}
      <p>
        {providers.length > 0
          ? `学员也可以用${providers.join('、')}登录，见`
          : '学校有统一身份认证、企业微信、钉钉或飞书的，可以让学员也用它登录，见'}
        <a href={identityScreen.href()}>统一登录</a>。
      </p>
      <div className={styles.buttons}>
        <Button component="a" href={learnPoster.href()} variant="default">
          打印地址和二维码
        </Button>
        {permissions.includes('teaching') && permissions.includes('people') && (
          <Button component="a" href={adminClassList.href()} variant="default">
            选择班级，打印初始密码
          </Button>
        )}
      </div>
    </section>
  );
}
