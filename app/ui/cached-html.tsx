/** Caches the HTML of components that most page views render with the same properties. */
import { LRUCache } from 'lru-cache';
import type { FunctionComponent } from 'react';
import { renderToString } from 'react-dom/server';
import { ThemeProvider } from './theme-provider.tsx';

/** Maximum size of the cache per component, in characters. */
const maxSize = 2_000_000;

/**
 * Returns a function that renders a component, or takes its HTML from a cache. The component must depend on its
 * properties only, not on context, so that equal properties give equal HTML for every user. Properties must be plain
 * data. Every element id inside begins with `id`.
 */
export function cachedHtml<Props extends { id: string }>(Component: FunctionComponent<Props>) {
  const cache = new LRUCache<string, string>({ maxSize, sizeCalculation: (html, key) => html.length + key.length });
  return (props: Props): string => {
    const key = JSON.stringify(props);
    let html = cache.get(key);
    if (html === undefined) {
      html = renderToString(
        <ThemeProvider>
          <Component {...props} />
        </ThemeProvider>,
        { identifierPrefix: props.id },
      );
      cache.set(key, html);
    }
    return html;
  };
}
