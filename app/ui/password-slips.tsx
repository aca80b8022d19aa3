/** First passwords as slips, to print and cut. */
import styles from './password-slips.posts.module.css';
import { QrCode } from './qr-code.tsx';

/** Class of the form that chooses people. */
export const chooseClass = styles.choose;

interface PasswordSlipsProps {
  slips: readonly {
    id: number;
    name: string;
    facts: readonly (readonly [term: string, value: string])[];
    password: string;
    /** Address of the sign-in, printed as a QR code. */
    code?: string;
  }[];
  /** Printed on each slip. */
  note: string;
}

export function PasswordSlips({ slips, note }: PasswordSlipsProps) {
  return (
    <ul className={styles.sheet}>
      {slips.map(({ id, name, facts, password, code }) => (
        <li key={id}>
          <div className={styles.head}>
            <div>
              <strong>{name}</strong>
              <dl>
                {facts.map(([term, value]) => (
                  <div key={term}>
                    <dt>{term}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
                <div>
                  <dt>初始密码</dt>
                  <dd>
                    <code>{password}</code>
                  </dd>
                </div>
              </dl>
            </div>
            {code && <QrCode text={code} label={`${name}的登录二维码`} className={styles.code} />}
          </div>
          <p>{note}</p>
        </li>
      ))}
    </ul>
  );
}
