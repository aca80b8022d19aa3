/** Section 统一登录: the user's accounts at the school's identity providers. */
import { Button } from '@mantine/core';
import type { OwnIdentity } from '#server/identity/own-identities.contract.ts';
import { Form, Submit } from '../ui/form.tsx';
import { NearMoment } from '../ui/moment.tsx';
import styles from './account.posts.module.css';
import { account, signInBegin } from './screens.ts';

export function OwnIdentities({ identities }: { identities: OwnIdentity[] }) {
  if (identities.length === 0) return null;
  return (
    <section className={styles.further} aria-labelledby="identities-title">
      <div className={styles.head}>
        <h2 id="identities-title">统一登录</h2>
      </div>
      <ul className={styles.devices}>
        {identities.map(({ provider, provider_name, is_linked, number, name, used_at, fault }) => (
          <li key={provider}>
            <div className={styles.device}>
              <p className={styles.deviceName}>{provider_name}</p>
              <p className={styles.note}>
                {is_linked === 0 ? (
                  '还没有关联：关联后可以用它登录，不用输入密码'
                ) : (
                  <>
                    已关联 {[number, name].filter(Boolean).join('，')}
                    {used_at !== null && (
                      <>
                        {' '}
                        · 最近使用 <NearMoment at={used_at} />
                      </>
                    )}
                    {fault && ` · ${fault}`}
                  </>
                )}
              </p>
            </div>
            {is_linked === 0 ? (
              <Button
                component="a"
                variant="default"
                href={signInBegin.href({ provider, link: true, redirectTo: account.href({ tab: 'security' }) })}
                aria-label={`关联${provider_name}`}
              >
                关联
              </Button>
            ) : (
              <Form>
                <Submit
                  intent={`unlink ${provider}`}
                  variant="default"
                  disabled={fault !== ''}
                  aria-label={`解除与${provider_name}的关联`}
                >
                  解除关联
                </Submit>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
