import * as v from 'valibot';
import { screen } from '../lib/screen.ts';
import { CheckedParam } from '../lib/search.ts';

/** An exported file. With `wait` the address shows the page that reloads itself until the file is ready. */
export const exportFileScreen = screen('export/file', '/exports/:token', 'file', {
  token: v.string(),
  wait: CheckedParam,
});
