/** Cached HTML of components that most visits draw alike. */
import { MantineProvider } from '@mantine/core';
import { LRUCache } from 'lru-cache';
import type { FunctionComponent } from 'react';
import { renderToString } from 'react-dom/server';
import { theme } from './theme.tsx';

/** In characters, per component. */
const maxSize = 2_000_000;

/**
 * Returns a function that draws a component, or returns its HTML from a cache. The component sees its properties alone
 * and no context, so equal properties are equal HTML, for everybody. Properties are plain data; `id` begins each id
 * within.
 */
export function cachedHtml<Props extends { id: string }>(Component: FunctionComponent<Props>) {
  const cache = new LRUCache<string, string>({ maxSize, sizeCalculation: (html, key) => html.length + key.length });
  return (props: Props): string => {
    const key = JSON.stringify(props);
    let html = cache.get(key);
    if (html === undefined) {
      html = renderToString(
        <MantineProvider theme={theme} withCssVariables={false} withStaticClasses={false} withGlobalClasses={false}>
          <Component {...props} />
        </MantineProvider>,
        { identifierPrefix: props.id },
      );
      cache.set(key, html);
    }
    return html;
  };
}
