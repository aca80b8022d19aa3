import { IconMoon, IconSun } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation, useMatches } from 'react-router';
import { account, signOut } from '../account/screens.ts';
import { identityNames } from '../account/terms.ts';
import { Form } from '../ui/form.tsx';
import { useRootData } from '../ui/root-data.ts';
import styles from './frame.module.css';
import { type NavigationItem, navigationFor, pendingCounts, startScreenOf, totalWaitingUnit } from './navigation.ts';
import { SchoolLogo } from './school-logo.tsx';
import { appearance, home, shortcuts } from './screens.ts';
import { SearchForm } from './search-form.tsx';

export interface Crumb {
  label: string;
  /** Left out for the current page. */
  href?: string;
}

/** The `handle` export of a route module. */
export interface ScreenHandle {
  /** Breadcrumbs. They are a function of the address if one module serves several screens. */
  crumbs?: Crumb[] | ((pathname: string, search: URLSearchParams) => Crumb[]);
}

/** True for data that the loader of a dialog returned. */
const isOfDialog = (loaded: unknown) => typeof loaded === 'object' && loaded !== null && 'closeHref' in loaded;

export function Frame({ children }: { children: ReactNode }) {
  const root = useRootData();
  const here = root?.here ?? home.href();
  const person = root?.me;
  const matches = useMatches();
  const search = new URLSearchParams(useLocation().search);
  const crumbs = matches.flatMap(({ handle, pathname }) => {
    const handleCrumbs = (handle as ScreenHandle | undefined)?.crumbs ?? [];
    return typeof handleCrumbs === 'function' ? handleCrumbs(pathname, search) : handleCrumbs;
  });
  const waiting = pendingCounts(root?.counts);
  const { places, further } = person ? navigationFor(person) : { places: [], further: [] };
  const placeLink = ({ label, screen, waits }: NavigationItem) => (
    <a key={label} href={screen.href()} aria-current={screen.covers(here) ? 'page' : undefined}>
      {label}
      {waits && <WaitingCount count={waiting[waits[0]]} what={waits[1]} />}
    </a>
  );
  // True if a dialog is open. Everything around it is inert then.
  const underDialog = matches.some(({ loaderData }) => isOfDialog(loaderData));
  return (
    <>
      {!underDialog && (
        <a className={styles.skip} href="#screen">
          跳到主要内容
        </a>
      )}
      <header className={`${styles.header} no-print`} inert={underDialog}>
        <div className={styles.bar}>
          <a className={styles.brand} href={startScreenOf(person).href()}>
            <SchoolLogo face={person?.settings} />
          </a>
          {person && (
            <>
              {/* On narrow screens this opens the navigation, which is the next element. */}
              <details className={styles.menu}>
                <summary>
                  菜单
                  <WaitingCount count={waiting.total} what={totalWaitingUnit} />
                </summary>
              </details>
              <nav className={styles.navigation} aria-label="主导航">
                {places.map(placeLink)}
                {further.length > 0 && (
                  <div className={styles.rest}>
                    {/* Opens the further entries, which are the next element. */}
                    <details className={styles.more} name="menu">
                      <summary data-here={further.some(({ screen }) => screen.covers(here)) || undefined}>更多</summary>
                    </details>
                    <div className={styles.further}>{further.map(placeLink)}</div>
                  </div>
                )}
              </nav>
              {person.identity !== 'admin' && <SearchForm />}
            </>
          )}
          {person ? (
            <details className={styles.person} name="menu">
              <summary title={`${person.name}：账号与退出`}>
                <span className={styles.name}>{person.name}</span>
                <span className={styles.identity}>{identityNames[person.identity]}</span>
              </summary>
              <div className={styles.own}>
                <a className={styles.quiet} href={account.href()}>
                  我的账号
                </a>
                <AppearanceSwitch here={here} dark={root.scheme === 'dark'} />
                <Form action={signOut.href()}>
                  <button type="submit" className={styles.quiet}>
                    退出
                  </button>
                </Form>
              </div>
            </details>
          ) : (
            <AppearanceSwitch here={here} dark={root?.scheme === 'dark'} />
          )}
        </div>
      </header>
      {root?.flash && (
        <p
          data-flash
          className={`${styles.flash} no-print`}
          data-kind={root.flash.kind}
          data-onwards={root.flash.onwards && true}
          role={root.flash.kind === 'success' ? 'status' : 'alert'}
        >
          {root.flash.msg}
          {root.flash.onwards && (
            <>
              <a href={root.flash.onwards.href}>{root.flash.onwards.label}</a>
              {/* Reloads the page, which then no longer shows the message. */}
              <a href={here} aria-label="关闭提示">
                ✕
              </a>
            </>
          )}
        </p>
      )}
      <div className={styles.page} id="screen">
        {crumbs.length > 1 && (
          <nav className={`${styles.crumbs} no-print`} aria-label="面包屑" inert={underDialog}>
            {crumbs.map(({ label, href }) => (
              <span key={label}>{href ? <a href={href}>{label}</a> : <span aria-current="page">{label}</span>}</span>
            ))}
          </nav>
        )}
        {children}
        {person && (
          <footer className={`${styles.footer} no-print`} inert={underDialog}>
            <a href={shortcuts.href()}>快捷键</a>
          </footer>
        )}
      </div>
    </>
  );
}

/** Number of pending items. Shown as 999+ above three digits. */
function WaitingCount({ count, what }: { count: number; what: string }) {
  if (count === 0) return null;
  return (
    <span className={styles.count} title={`${count}${what}`}>
      {count > 999 ? '999+' : count}
      <span className="visually-hidden">{what}</span>
    </span>
  );
}

function AppearanceSwitch({ here, dark }: { here: string; dark: boolean }) {
  const label = dark ? '切换到浅色' : '切换到深色';
  return (
    <Form action={appearance.href()}>
      <input type="hidden" name="redirectTo" value={here} />
      <button type="submit" name="intent" value={dark ? 'light' : 'dark'} className={styles.quiet}>
        {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
        {label}
      </button>
    </Form>
  );
}
