/** Error page: the message, the typed texts, and links to other pages. */
import { createContext, type ElementType, use } from 'react';
import { isRouteErrorResponse } from 'react-router';
import { badRequestMessage, notFoundMessage } from '../lib/address.ts';
import { formOwnerField } from '../lib/form-owner.ts';
import { Form, useFormOwner } from '../ui/form.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { useRootData } from '../ui/root-data.ts';
import { Screen } from '../ui/screen.tsx';
import styles from './error-page.module.css';
import { home } from './screens.ts';
import { SignInForm, type SignInFormProps } from './sign-in-form.tsx';
import { titleMeta } from './title.ts';

/** Form to sign in again. By default the form for staff. */
export const SignInAgain = createContext<ElementType<SignInFormProps>>(SignInForm);

const titles: Record<number, string> = {
  401: '登录已过期',
  403: '没有权限',
  404: '没有找到',
  409: '当前状态不允许此操作',
  413: '内容过大',
  422: '填写有误',
  503: '服务暂时不可用',
};

interface ErrorDescription {
  status: number;
  msg: string;
  back?: string;
  /** Names of the person who filled in the form and of the person signed in now, if they differ. */
  owner?: string;
  person?: string;
  /** Typed texts, shown for copying if sending them again is pointless. */
  written?: string[];
}

/** Describes an error. A refusal has its message and link; a bug has the request id under which it was logged. */
function describe(error: unknown): ErrorDescription {
  if (isRouteErrorResponse(error)) {
    const { msg, ...more } = (error.data ?? {}) as Partial<Omit<ErrorDescription, 'msg'>> & { msg?: unknown };
    if (typeof msg === 'string') return { ...more, status: error.status, msg };
    if (error.status === 404) return { status: 404, msg: notFoundMessage };
    return { status: error.status, msg: badRequestMessage };
  }
  return { status: 500, msg: '页面出错了，请稍后再试' };
}

export const errorTitle = (error: unknown) => titleMeta(titles[describe(error).status] ?? '出错了');

interface ErrorPageProps {
  error: unknown;
  /** Start page of staff or of learners. */
  start?: string;
  /** The list that the failed page belongs to. */
  list?: { label: string; href: string } | undefined;
}

export function ErrorPage({ error, start = home.href(), list }: ErrorPageProps) {
  const root = useRootData();
  const Again = use(SignInAgain);
  const { status, msg, back, owner, person, written } = describe(error);
  const posted = written ? undefined : root?.posted;
  const formOwner = useFormOwner();
  const title = owner === undefined ? (titles[status] ?? '出错了') : '已换人登录';
  const here = root?.here ?? start;
  // True if a retry would fail again (missing, forbidden or over), so none is offered.
  const isGone = [403, 404, 409].includes(status) && back === undefined && !posted;
  return (
    <Screen className={styles.page}>
      <p className={styles.status}>{status}</p>
      <h1>{title}</h1>
      <p className={styles.message} role="alert">
        {msg}
      </p>
      {posted && (status === 401 || owner !== undefined) ? (
        <>
          <Again resume={{ path: here, fields: posted }} />
          {person !== undefined && (
            <div className={styles.actions}>
              <Way href={start} label={`不提交，由${person}继续使用`} />
            </div>
          )}
        </>
      ) : (
        <div className={styles.actions}>
          {posted ? (
            <Form action={here}>
              {/* Leaves out the form's owner: the form component adds it. */}
              <HiddenFields fields={formOwner ? posted.filter(([name]) => name !== formOwnerField) : posted} />
              <button type="submit" className={styles.primary}>
                重新提交
              </button>
            </Form>
          ) : (
            !isGone && <Way href={back ?? here} label={back === undefined ? '重试' : '返回'} main />
          )}
          {posted && <a href={here}>返回上一页</a>}
          {list && <Way href={list.href} label={`返回${list.label}`} main={isGone} />}
          <Way href={start} label="返回首页" main={isGone && !list} />
          {isGone && <Way href={here} label="重试" />}
        </div>
      )}
      {posted && <Typed texts={longValues(posted)} />}
      {written && <Typed texts={written} />}
      {root?.requestId && <p className={styles.request}>请求编号：{root.requestId}</p>}
    </Screen>
  );
}

const Way = ({ href, label, main }: { href: string; label: string; main?: boolean }) => (
  <a className={main ? styles.primary : undefined} href={href}>
    {label}
  </a>
);

/** Returns the long texts of a form that was not saved. Its hidden fields resend them, but do not show them. */
const longValues = (fields: [string, string][]): string[] =>
  fields
    .filter(([name, value]) => value.length > 20 && !['held', 'idempotency_key', formOwnerField].includes(name))
    .map(([, value]) => value);

/** Shows long texts, so that the user can copy them in any case. */
function Typed({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <section className={styles.typed}>
      <h2>您填写的内容已保留</h2>
      {[...new Set(texts)].map((text) => (
        <pre key={text}>{text}</pre>
      ))}
    </section>
  );
}
