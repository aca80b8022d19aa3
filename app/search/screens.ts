import { SearchFilter } from '#server/search/contract.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';

export const searchScreen = screen('Search', '/search', 'search');
/** Search results. With `kind` the page shows all results of this kind, in pages. */
export const searchList = listScreen(searchScreen, SearchFilter, {}, { neutral: ['kind'] });
