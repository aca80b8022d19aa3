/** Looking for anything, from every page: a plain form. Where client JS runs, `/` and Ctrl+K lead to it. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { searchLimit } from '#server/search/rules.ts';
import { isComposing } from '../lib/composing.ts';
import { searchList, searchScreen } from '../search/screens.ts';
import { shortcuts } from './screens.ts';
import styles from './search-form.module.css';

export function SearchForm() {
  const field = useRef<HTMLInputElement>(null);
  const { pathname, search } = useLocation();
  const url = new URL(`http://screen${pathname}${search}`);
  const q = searchScreen.covers(pathname) ? searchList.at(url).filter.q : undefined;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const input = field.current;
      if (event.defaultPrevented || isComposing(event) || !input || input.closest('[inert]')) return;
      const act = actOf(event);
      if (!act) return;
      event.preventDefault();
      if (act === 'search') input.select();
      // Beside the page: nothing that is being typed goes.
      else window.open(shortcuts.href(), '_blank', 'noopener');
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers know the element <search> from Chrome 118 on.
    <form role="search" action={searchScreen.href()} className={styles.search}>
      {/* Where there is no room for its field. */}
      <a href={searchScreen.href()}>
        <span className="visually-hidden">搜索</span>
        <svg
          viewBox="0 0 24 24"
          width="20"
          height="20"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d="M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M21 21l-6 -6" />
        </svg>
      </a>
      <input
        ref={field}
        key={q}
        type="search"
        name="q"
        defaultValue={q}
        maxLength={searchLimit}
        placeholder="搜索"
        aria-label="搜索学员、班级、课程、作业、考试、题目和公告"
        aria-keyshortcuts="/ Control+K"
      />
    </form>
  );
}

const writes =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]';

function actOf({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): 'search' | 'help' | undefined {
  const isWriting = target instanceof Element && target.closest(writes) !== null;
  if (altKey) return undefined;
  // In formatted text it makes a link.
  if (ctrlKey || metaKey) {
    const isFormatted = target instanceof HTMLElement && target.isContentEditable;
    return key.toLowerCase() === 'k' && !isFormatted ? 'search' : undefined;
  }
  if (isWriting) return undefined;
  return key === '/' ? 'search' : key === '?' || key === '？' ? 'help' : undefined;
}
