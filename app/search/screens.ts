import { SearchFilter } from '#server/search/contract.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';

export const searchScreen = screen('Search', '/search', 'search');
/** `kind`: all that was found of it, page by page. */
export const searchList = listScreen(searchScreen, SearchFilter, {}, { neutral: ['kind'] });
