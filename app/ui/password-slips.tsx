/** First passwords as slips, to print and cut. */
import styles from './password-slips.posts.module.css';
import { QrCode } from './qr-code.tsx';

/** Class of the form that chooses people. */
export const chooseClass = styles.choose;

interface PasswordSlipsProps {
  slips: readonly {
    id: number;
    name: string;
    /** The address comes first. The others have the whole width, so that nobody copies a number from two lines. */
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
      {slips.map(({ id, name, facts: [address, ...facts], password, code }) => (
        <li key={id}>
          <div className={styles.head}>
            <div>
              <strong>{name}</strong>
              <dl>{address && <Fact term={address[0]}>{address[1]}</Fact>}</dl>
            </div>
            {code && <QrCode text={code} label={`${name}的登录二维码`} className={styles.code} />}
          </div>
          <dl>
            {facts.map(([term, value]) => (
              <Fact key={term} term={term}>
                {value}
              </Fact>
            ))}
            <Fact term="初始密码">
              <code>{password}</code>
            </Fact>
          </dl>
          <p>{note}</p>
        </li>
      ))}
    </ul>
  );
}

const Fact = ({ term, children }: { term: string; children: React.ReactNode }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
);
