/** Global search as a plain form on every page. The keys `/` and Ctrl+K focus it (ui/client/keys/quick-keys.ts). */
import { useLocation } from 'react-router';
import { searchLimit } from '#server/search/rules.ts';
import { searchList, searchScreen } from '../search/screens.ts';
import { shortcuts } from './screens.ts';
import styles from './search-form.module.css';

export function SearchForm() {
  const { pathname, search } = useLocation();
  const url = new URL(`http://screen${pathname}${search}`);
  const q = searchScreen.covers(pathname) ? searchList.at(url).filter.q : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers know the element <search> from Chrome 118 on.
    <form role="search" action={searchScreen.href()} className={styles.search}>
      {/* Link instead of the field, on screens too narrow for the field. */}
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
        key={q}
        type="search"
        name="q"
        defaultValue={q}
        maxLength={searchLimit}
        placeholder="搜索"
        aria-label="搜索学员、班级、课程、作业、考试、题目和公告"
        data-keys-help={shortcuts.href()}
      />
    </form>
  );
}
